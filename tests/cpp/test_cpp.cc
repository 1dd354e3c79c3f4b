/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays, views and expressions of stria.hpp: what owns and what refers, what temporaries keep
 * alive, overlap, layouts, threads, numbers, subscripts and refusals. It is compiled with and
 * without exceptions.
 */
#include "check.hpp"

#include <algorithm>
#include <numeric>
#if __cplusplus >= 202002L
#include <ranges>
#endif
#include <sstream>
#include <thread>
#include <vector>

using namespace stria;

static_assert(kind_of<bool>() == STRIA_BOOL && kind_of<const short>() == STRIA_I16);
static_assert(kind_of<unsigned long long>() == STRIA_U64 && kind_of<double>() == STRIA_F64);
static_assert(!is_element_v<long double> && !is_element_v<void *> && is_element_v<char>);
static_assert(std::is_nothrow_move_constructible_v<array<float>>);
static_assert(std::is_nothrow_move_assignable_v<array<float>>);

/* Nothing converts to pointers or bool, and comparisons are no conditions. */
static_assert(!std::is_convertible_v<array<float>, const stria_view *>);
static_assert(!std::is_convertible_v<view<float>, const float *>);
static_assert(!std::is_constructible_v<bool, view<float>>);
using compared = decltype(std::declval<view<float>>() == std::declval<view<float>>());
static_assert(!std::is_constructible_v<bool, compared>);
static_assert(std::is_same_v<compared::value_type, bool>);

/* Rights are types. */
static_assert(std::is_convertible_v<array<float> &, view<float>>);
static_assert(std::is_convertible_v<const array<float> &, view<const float>>);
static_assert(std::is_convertible_v<view<float>, view<const float>>);
static_assert(!std::is_convertible_v<view<const float>, view<float>>);
static_assert(!std::is_convertible_v<const array<float> &, view<float>>);
static_assert(!std::is_convertible_v<array<double> &, view<float>>);
using summed = decltype(std::declval<view<float>>() + 1);
static_assert(std::is_convertible_v<summed, view<const float>>);
static_assert(std::is_convertible_v<summed, view<>>);
static_assert(!std::is_convertible_v<summed, view<float>>); /* which would be written in vain */

/* What is no dim or no size is none silently, and iterators need something that stays. */
static_assert(!std::is_constructible_v<dims, double> && !std::is_constructible_v<dims, bool>);
static_assert(!std::is_convertible_v<double, shape> && std::is_convertible_v<std::size_t, shape>);
template <class X, class = void> struct has_begin : std::false_type {
};
template <class X>
struct has_begin<X, std::void_t<decltype(std::declval<X>().begin())>> : std::true_type {
};
static_assert(has_begin<view<int> &>::value && has_begin<const array<int> &>::value);
static_assert(!has_begin<view<int>>::value && !has_begin<array<int>>::value);
static_assert(std::is_same_v<array<int>::reference, int &> &&
              std::is_same_v<view<const int>::const_reference, const int &>);
static_assert(std::is_same_v<decltype(std::declval<const array<int> &>()(0, 1)), const int &>);
static_assert(std::is_same_v<decltype(std::declval<array<int> &>()(0, 1)), int &>);
static_assert(
    std::is_same_v<decltype(std::declval<const array<int> &>()(0, all)), view<const int>>);
static_assert(std::is_same_v<decltype(std::declval<const array<int> &>().T()), view<const int>>);

/* Iterators convert as those of containers do: to those for reading, and not back. */
using iterates = array<int>::iterator;
using reads = array<int>::const_iterator;
static_assert(std::is_convertible_v<iterates, reads> && !std::is_convertible_v<reads, iterates>);
static_assert(std::is_nothrow_constructible_v<view<const int>::iterator, view<int>::iterator>);

/* The type of elements is deduced. */
static_assert(std::is_same_v<decltype(array(std::declval<summed>())), array<float>>);
static_assert(std::is_same_v<decltype(array(std::declval<view<const int> &>())), array<int>>);
static_assert(std::is_same_v<decltype(array(std::declval<const array<int> &>())), array<int>>);
static_assert(std::is_same_v<decltype(array{1.5, 2.5}), array<double>>);
static_assert(std::is_same_v<decltype(view(std::declval<array<int> &>())), view<int>>);
static_assert(std::is_same_v<decltype(view(std::declval<array<int>>())), view<int>>);
static_assert(std::is_same_v<decltype(view(std::declval<const array<int> &>())), view<const int>>);
static_assert(std::is_same_v<decltype(view(std::declval<summed>())), view<const float>>);

#ifdef __cpp_lib_ranges
static_assert(std::sentinel_for<reads, iterates>);
static_assert(std::ranges::random_access_range<array<float>>);
static_assert(std::ranges::random_access_range<const array<float>>);
static_assert(std::ranges::sized_range<view<const double>>);
static_assert(std::is_same_v<std::ranges::range_reference_t<view<const int>>, const int &>);
#endif

/* Memory of a test, whose release is counted. */
static int freed;
static void count_freed(void *, std::int64_t, void *)
{
    freed++;
}
static array<float> counted(float *memory, std::int64_t size)
{
    stria_buffer *buffer = nullptr;
    stria_view whole;
    check(stria_buffer_wrap(&buffer, memory, 4 * size, false, count_freed, nullptr));
    check(stria_view_make(&whole, buffer, dtype_of<float>(), 1, &size, nullptr, 0));
    array<float> made =
        from_c<float>([&](stria_array *out) { return stria_array_share(out, &whole); });
    stria_buffer_release(buffer);
    return made;
}

/* ---- what owns and what refers --------------------------------------------------------------- */

static void owners()
{
    array<float> unmade, a{{1, 2, 3}, {4, 5, 6}};
    CHECK(!unmade.valid() && unmade.size() == 0 && a.valid() && a.ndim() == 2 && a.size() == 6);
    CHECK(a.extent(0) == 2 && a.extent(-1) == 3 && a.shape() == shape{2, 3});
    const std::size_t columns = 3;
    const std::vector<unsigned> sizes{2, 3};
    enum { ROWS = 2 };
    CHECK(a.shape() == shape{ROWS, columns} && a.shape() == shape(sizes) && shape(3) == shape{3});
    REFUSED(STRIA_ERR_DIM, shape(std::vector<int>(65, 1)));
    array<float> copy = a;
    copy(0, 0) = 7;
    CHECK(a(0, 0) == 1 && copy(0, 0) == 7);
    array<float> moved = std::move(copy);
    CHECK(!copy.valid() && moved(0, 0) == 7);
    view<float> v = moved;
    moved = a; /* in place, as the shape is the same */
    CHECK(v(0, 0) == 1);
    moved = array<float>{1, 2}; /* into other memory, which a view does not follow */
    CHECK(v(1, 2) == 6 && moved.size() == 2);
    v = 9;
    CHECK(has(v, {9, 9, 9, 9, 9, 9}) && moved(0) == 1);
    const array<float> &self = moved;
    moved = self;
    CHECK(has(moved, {1, 2}));
    array<double> wide = a;
    CHECK(wide(1, 2) == 6);
    wide = a * 2;
    CHECK(wide(1, 2) == 12);
    stria_array of_c = {};
    check(stria_clone_new(&of_c, a.c(), nullptr));
    REFUSED(STRIA_ERR_DTYPE, array<double>::take(&of_c));
    const array<float> taken = array<float>::take(&of_c);
    CHECK(taken(1, 2) == 6 && !of_c.owned);
    stria_array_release(&of_c);
    const int two = 2;
    CHECK(has(array<double>{two, 2.5F, 3}, {2, 2.5, 3}));
    REFUSED(STRIA_ERR_ARGUMENT, array<signed char>{1, 128});
    const array three{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    CHECK(three.shape() == shape{2, 2, 2} && three(1, 0, 1) == 6);
    REFUSED(STRIA_ERR_SHAPE, array<int>{{1, 2}, {3}});
}

static void exchanges()
{
    array<int> a{{1, 2}, {3, 4}}, b{5};
    const int *const first = a.data();
    swap(a, b); /* no element moves */
    CHECK(a(0) == 5 && b.data() == first);
    std::swap(a, b);
    CHECK(b(0) == 5 && a.data() == first);
    swap(a[0], a[1]); /* elements move */
    CHECK(has(a, {3, 4, 1, 2}));
    view<int> top = a[0], bottom = a[1];
    swap(top, bottom);
    CHECK(has(a, {1, 2, 3, 4}) && has(top, {1, 2}));
    REFUSED(STRIA_ERR_SHAPE, swap(top, a(0, slice(1))));
    CHECK(has(a, {1, 2, 3, 4}));
    array<double> halves{0.5, 1.5};
    REFUSED(STRIA_ERR_DTYPE, swap(view<>(top), view<>(halves)));
    REFUSED(STRIA_ERR_DTYPE, swap(view<>(halves), view<>(top)));
    CHECK(has(a, {1, 2, 3, 4}) && has(halves, {0.5, 1.5}));
    std::vector<view<int>> rows{a[0], a[1]};
    std::reverse(rows.begin(), rows.end());
    CHECK(has(a, {3, 4, 1, 2}));
}

static void resize_under_a_view()
{
    array<float> a{1, 2, 3};
    view<float> v = a;
    auto e = v + a;
    a.resize({2, 2});
    a.fill(5);
    CHECK(has(v, {1, 2, 3}) && a.shape() == shape{2, 2} && a(1, 1) == 5);
    CHECK(has(e.eval(), {2, 4, 6}));
    a = v; /* takes the shape of v, in memory of its own */
    v(0) = 8;
    CHECK(has(a, {1, 2, 3}));
}

static void views_write_elements()
{
    array<int> a{{1, 2, 3}, {4, 5, 6}};
    view<int> row = a[0], other = a[1];
    row = other;
    CHECK(has(a, {4, 5, 6, 4, 5, 6}));
    row.rebind(other);
    row(0) = 1;
    CHECK(a(1, 0) == 1 && a(0, 0) == 4);
    a(all, 0) = 0;
    a(1, slice(1, none)) += 10;
    CHECK(has(a, {0, 5, 6, 0, 15, 16}));
    a.T()(0, all) = array<int>{7, 8};
    CHECK(a(0, 0) == 7 && a(1, 0) == 8);
    a() = 3;
    CHECK(all(a == 3));
    a.fill(2) *= 4;
    a -= a / 2 > 3; /* bools are numbers */
    CHECK(all(a == 7));
    REFUSED(STRIA_ERR_BROADCAST, a() = array<int>{1, 2});
    CHECK(all(a == 7));
}

/* ---- lifetimes --------------------------------------------------------------------------------
 */

static float lent[6] = {1, 2, 3, 4, 5, 6};

static auto of_locals()
{
    array<float> a = counted(lent, 6), b{1, 1, 1, 1, 1, 1};
    return a * 2 + b; /* owns what it reads */
}

static void expressions_keep_their_operands()
{
    freed = 0;
    {
        auto e = of_locals();
        CHECK(freed == 0);
        std::vector<array<float>> churn(8, array<float>{9, 9, 9, 9, 9, 9});
        CHECK(has(e.eval(), {3, 5, 7, 9, 11, 13}));
        auto again = e;
        auto twice = e + again;
        CHECK(sum(twice) == 96 && freed == 0);
        const array<float> kept = std::move(twice);
        CHECK(kept(5) == 26);
    }
    CHECK(freed == 1);
}

static void views_keep_their_memory()
{
    freed = 0;
    {
        view<float> v;
        {
            array<float> a = counted(lent, 6);
            REFUSED(STRIA_ERR_ARGUMENT, v = a); /* there is nothing to write into */
            v.rebind(a(slice(none, none, -2)));
        }
        CHECK(freed == 0 && has(v, {6, 4, 2}));
        auto rows = v.reshape({3, 1}).T();
        v = v + 1;
        CHECK(has(rows, {7, 5, 3}));
        v -= 1;
        v.rebind({});
        CHECK(freed == 0 && has(rows, {6, 4, 2}));
    }
    CHECK(freed == 1);
    freed = 0;
    float total = sum(counted(lent, 6) + 0);
    CHECK(total == 21 && freed == 1);
    total = counted(lent, 6)(slice(2, 4))(1);
    CHECK(total == 4 && freed == 2);
    total = 0;
    for (const float x : (counted(lent, 6)() * 2 + 1).eval())
        total += x;
    CHECK(total == 48 && freed == 3);
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static void overlap()
{
    array<int> a{{1, 2}, {3, 4}};
    a = a.T() + a;
    CHECK(has(a, {2, 5, 5, 8}));
    a() = a.T() * 10 + a(all, slice(none, none, -1));
    CHECK(has(a, {25, 52, 58, 85}));
    array<int> b{1, 2, 3, 4, 5};
    b(slice(1, none)) = b(slice(-1)) + 0;
    CHECK(has(b, {1, 1, 2, 3, 4}));
    b(slice(-1)) = b(slice(1, none));
    CHECK(has(b, {1, 2, 3, 4, 4}));
    b() = b("::-1");
    CHECK(has(b, {4, 4, 3, 2, 1}));
    b = b * b - b;
    CHECK(has(b, {12, 12, 6, 2, 0}));
}

template <class X> static auto polynomial(const X &x)
{
    return x * x * 2 + x;
}

/* More layouts than are kept, each several times, with one type of expression. */
static void layouts()
{
    array<double> a = arange<double>(400), out;
    for (int time = 0; time < 3; time++)
        for (int n = 1; n <= 12; n++) {
            const auto x = a(slice(none, 16 * n, n));
            out = polynomial(x);
            bool right = out.extent(0) == 16;
            for (int i = 0; right && i < 16; i++)
                right = out(i) == 2.0 * i * n * i * n + i * n;
            CHECK(right);
        }
    array<double> square = a(slice(16)).reshape({4, 4});
    for (int time = 0; time < 3; time++) {
        square = square + square.T();
        CHECK(square(1, 2) == square(2, 1));
        square() = square + square;
    }
    CHECK(square(0, 1) == (1 + 4) * 2 * 4 * 4);
}

static void numbers()
{
    array<float> a{1, 2, 3}, b;
    for (int i = 0; i < 20; i++) {
        b = a * i + 1;
        CHECK(b(2) == static_cast<float>(3 * i + 1));
    }
    static_assert(std::is_same_v<decltype(a * 2.5)::value_type, float>);
    static_assert(std::is_same_v<decltype(2 - a)::value_type, float>);
    array<int> n{1, 2, 3};
    static_assert(std::is_same_v<decltype(n * 2L)::value_type, int>);
    static_assert(std::is_same_v<decltype(n * 2.5)::value_type, double>);
    static_assert(std::is_same_v<decltype(n * 2.5F)::value_type, float>);
    static_assert(std::is_same_v<decltype(n / n)::value_type, float>);
    static_assert(std::is_same_v<decltype(n > 1)::value_type, bool>);
    CHECK(has((n * 2.5).eval(), {2.5, 5.0, 7.5}) && has((7 % n).eval(), {0, 1, 1}));
    array<std::uint8_t> bytes{1, 2, 250};
    REFUSED(STRIA_ERR_ARGUMENT, bytes + 300);
    REFUSED(STRIA_ERR_ARGUMENT, bytes + -1);
    CHECK(has((bytes + 5).eval(), {6, 7, 255}));
    CHECK(has(where(a > 1, 1, 0).eval(), {0, 1, 1}) && has(where(a > 1, a, -1).eval(), {-1, 2, 3}));
    CHECK(has((!(a > 1) || a == 3).eval(), {true, false, true}) && has((-n).eval(), {-1, -2, -3}));
    CHECK(has((~n & 6).eval(), {6, 4, 4}) && has((1 << n).eval(), {2, 4, 8}));
    CHECK(has(maximum(n, 2).eval(), {2, 2, 3}) && has(cast<double>(n).eval(), {1.0, 2.0, 3.0}));
    CHECK(has(cast<int>(a / 2).eval(), {0, 1, 1}) && has(clip(n, 2, 2).eval(), {2, 2, 2}));
    array<int> whole = cast<int>(a * 1.5F);
    CHECK(has(whole, {1, 3, 4}));
    CHECK(sum(exp(a - a)) == 3 && max(hypot(a * 4 / 3, a)) == 5);
}

static void shapes()
{
    array<int> column{{1}, {2}}, row{10, 20, 30}, out{{0, 0, 0}, {0, 0, 0}};
    view<int> old = out;
    out = column + row; /* neither has the shape, both together do */
    CHECK(out.shape() == shape{2, 3} && out(1, 2) == 32);
    out = row + 1;
    CHECK(out.shape() == shape{3});
    old = row;
    CHECK(old(1, 1) == 20);
    out = array<int>{{1, 2, 3}, {4, 5, 6}} + row;
    CHECK(out.shape() == shape{2, 3} && out(1, 0) == 14);
    REFUSED(STRIA_ERR_BROADCAST, out = column.T() + row);
    CHECK(out(1, 0) == 14);
    array<int> nothing = row(slice(0)) + 1;
    CHECK(nothing.empty() && sum(nothing) == 0);
    array<int> unmade;
    REFUSED(STRIA_ERR_ARGUMENT, unmade + 1);
    REFUSED(STRIA_ERR_ARGUMENT, sum(unmade));
}

/* ---- subscripts --------------------------------------------------------------------------------
 */

static void subscripts()
{
    array<int> a = arange<int>(24);
    view<int> v = a.reshape({2, 3, 4});
    CHECK(v(1, 2, 3) == 23 && v(-1, -1, -1) == 23 && v(0, -2, 1) == 5);
    CHECK(v(1, all, slice(2, none, -1), newaxis).shape() == shape{3, 3, 1});
    CHECK(v(1, all, slice(2, none, -1))(0, 0) == 14 && v(ellipsis, 0)(1, 2) == 20);
    CHECK(v("1, :, 2::-1, None").shape() == shape{3, 3, 1} && v("..., 0")(1, 2) == 20);
    CHECK(v(" -1 ,: , 1:-1 ").shape() == shape{3, 2} && v("1")(2, 3) == 23);
    CHECK(v[1][2][3].item() == 23 && v.permute({2, 0, 1})(3, 1, 2) == 23);
    CHECK(v.swapaxes(0, 2)(3, 2, 1) == 23 && v.flip(0)(0, 0, 0) == 12 && v.T()(3, 2, 1) == 23);
    CHECK(v[0].diagonal()(2) == 10 && v(slice(1)).squeeze().shape() == shape{3, 4});
    CHECK(v.ravel()(7) == 7 && a(slice(4)).broadcast_to({2, 4})(1, 3) == 3);
    CHECK(a.windows({3}).shape() == shape{22, 3} && a.windows({3})(21, 2) == 23);
    REFUSED(STRIA_ERR_INDEX, v(2, 0, 0));
    REFUSED(STRIA_ERR_INDEX, v(0, 0, -5));
    REFUSED(STRIA_ERR_INDEX, v(0, 0));
    REFUSED(STRIA_ERR_INDEX, v(2, all));
    REFUSED(STRIA_ERR_FORMAT, v("1:2:3:4"));
    REFUSED(STRIA_ERR_FORMAT, v("1,"));
    REFUSED(STRIA_ERR_FORMAT, v("x"));
    REFUSED(STRIA_ERR_STRIDE, v.T().ravel());
    REFUSED(STRIA_ERR_SHAPE, v.item());
    REFUSED(STRIA_ERR_DIM, v.extent(3));
    const auto missed = attempt([&] { return v("1, 9:a"); });
    CHECK(!missed && std::strstr(missed.message(), "column 6") && !missed->valid());
}

static void elements_one_by_one()
{
    array<int> a = arange<int>(24);
    const view<int> v = a.reshape({4, 6})("::-1, 1::2");
    std::vector<int> copy(v.begin(), v.end());
    CHECK(copy.size() == 12 && copy[0] == 19 && copy[3] == 13 && copy[11] == 5);
    CHECK(v.end() - v.begin() == 12 && v.begin()[4] == 15 && *(v.end() - 1) == 5);
    auto it = v.begin() + 4;
    CHECK(*it == 15 && *--it == 13 && *it-- == 13 && *it == 23 && v.begin() < it);
    CHECK(std::accumulate(v.begin(), v.end(), 0) == sum(v));
    const view<const int>::iterator read = it;
    CHECK(*read == 23 && read == it && it != v.cend() && v.cbegin() < it && v.cend() - it == 10);
    std::sort(v.begin(), v.end());
    CHECK(std::is_sorted(v.begin(), v.end()) && v(0, 0) == 1 && a(18) == 18 && a(19) == 1);
    const auto e = v.elements<2>();
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < e.extent(0); i++)
        for (std::int64_t j = 0; j < e.extent(1); j++)
            total += e(i, j);
    CHECK(total == sum(v) && e.stride_bytes(0) == -24);
    array<float> zero = full<float>({}, 4);
    CHECK(std::distance(zero.begin(), zero.end()) == 1 && *zero.begin() == 4 && zero.item() == 4);
    CHECK(zero.elements<0>()() == 4);
    const array<float> nothing = zeros<float>({3, 0});
    CHECK(nothing.begin() == nothing.end());
    REFUSED(STRIA_ERR_STRIDE, v.data());
    REFUSED(STRIA_ERR_SHAPE, v.elements<3>());
    std::ostringstream text;
    text << arange<int>(3) << attempt([&] { return a[18]; })->item();
    CHECK(text.str() == "[0 1 2]18");
#ifdef __cpp_lib_ranges
    std::ranges::sort(a, std::greater());
    CHECK(a(0) == 23 && a(23) == 0 && std::ranges::count(v, 6) == 1 && std::ranges::max(v) == 22);
#endif
}

/* ---- dtypes at run time ------------------------------------------------------------------------
 */

static void dynamic()
{
    array<float> a{1, 2, 3};
    array<> any = a, sum_of = any + a * 2;
    CHECK(any.dtype().kind == STRIA_F32 && sum_of.dtype().kind == STRIA_F32);
    CHECK(has(sum_of.as<float>(), {3, 6, 9}));
    array<float> back = sum_of * 2;
    CHECK(has(back, {6, 12, 18}));
    any = a > 1;
    CHECK(any.dtype().kind == STRIA_BOOL && count_nonzero(any) == 2);
    view<> v = a;
    v(slice(1)) = 5;
    v(slice(2, none)) += 0.5;
    CHECK(has(a, {5, 2, 3.5}));
    REFUSED(STRIA_ERR_DTYPE, v.as<double>());
    REFUSED(STRIA_ERR_DTYPE, array<double>(v + 1));
    array<> total = sum(v);
    CHECK(total.as<float>().item() == 10.5F);
    stria_view turned;
    check(stria_neg_view(&turned, a.c()));
    REFUSED(STRIA_ERR_DTYPE, view<float>::from(&turned));
    CHECK(has(array<float>(view<>::from(&turned) * 1), {-5, -2, -3.5}));
    alignas(8) char bytes[16] = {};
    check(stria_view_foreign(&turned, bytes + 1, dtype_of<float>(), 0, nullptr, nullptr, 0));
    REFUSED(STRIA_ERR_DTYPE, view<float>::from(&turned));
}

static void rights()
{
    const array<float> a{1, 2, 3};
    view<const float> v = a;
    CHECK(sum(v * 2) == 12 && has(v(slice(1, none)), {2, 3}));
    v.rebind(a(slice(1)));
    CHECK(v.size() == 1);
    stria_view fixed;
    check(stria_view_readonly(&fixed, a.c()));
    REFUSED(STRIA_ERR_READONLY, view<float>::from(&fixed));
    CHECK(view<const float>::from(&fixed)(2) == 3);
    REFUSED(STRIA_ERR_READONLY, view<>::from(&fixed) = 1);
    CHECK(a(0) == 1);
    const auto add = [](view<const float> x, view<const float> y) { return sum(x + y); };
    CHECK(add(a, a * 2) == 18 && add(array<float>{1}, v) == 2);
}

/* ---- threads and scopes
 * -------------------------------------------------------------------------- */

static void four_threads()
{
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> team;
    const array<double> shared = arange<double>(64);
    for (std::size_t t = 0; t < 4; t++)
        team.emplace_back([&, t] {
            array<double> out;
            for (int i = 0; i < 300; i++) {
                const int n = 1 + i % 10;
                auto x = shared(slice(none, 6 * n, n));
                out = x * x * 3 + static_cast<double>(t);
                for (int k = 0; k < 6; k++)
                    wrong[t] += out(k) != 3.0 * k * n * k * n + static_cast<double>(t);
            }
        });
    for (std::thread &one : team)
        one.join();
    CHECK(std::accumulate(wrong.begin(), wrong.end(), 0) == 0);
}

static int asked;
static void serially(void (*task)(void *, std::int64_t), void *data, std::int64_t count, void *)
{
    asked++;
    for (std::int64_t i = 0; i < count; i++)
        task(data, i);
}

static int allocations, large; /* the latter of 3 MiB and more */
static stria_allocator usual;
static void *allocate(std::size_t size, std::size_t alignment, void *)
{
    allocations++, large += size > 3U << 20;
    return usual.alloc(size, alignment, usual.context);
}
static void release(void *memory, std::size_t size, void *)
{
    usual.free(memory, size, usual.context);
}

/* No copies behind the back: what of the size of an array is allocated is a result. */
static void copies()
{
    array<float> a = arange<float>(1 << 20).reshape({1 << 10, 1 << 10}), b = a, c = a;
    stria_get_allocator(&usual);
    allocator_scope counting({allocate, release, nullptr});
    exec_scope one(threads(1));
    large = 0;
    c = a * 2 + b.T();
    c() = a("::-1, :") * b + 1;
    c += where(a > 3, b, 0);
    a(slice(1, none)) = b(slice(-1));
    float s = sum(a * b) + max(c);
    const auto later = a * b + s;
    auto moved = std::move(b);
    const view<float> turned = moved.T();
    c = turned;
    CHECK(large == 0);
    const array<float> d = later, e = from_c<float>([&](stria_array *out) {
                                      return stria_clone_new(out, d.c(), nullptr);
                                  });
    CHECK(large == 2 && e.size() == d.size());
    const array<float> f = turned + 1, g = f;
    CHECK(large == 4 && g.size() == f.size());
    a = a.T() + a; /* which cannot be read and written in one pass */
    CHECK(large <= 5);
}

static void scopes()
{
    array<float> a = ones<float>({1 << 20});
    stria_exec pool = threads(4);
    pool.run = serially;
    {
        exec_scope of_pool(pool);
        a = a * 2 + a;
        CHECK(asked > 0);
        exec_scope one(threads(1));
        asked = 0;
        a = a * 2 + a;
    }
    CHECK(asked == 0 && a(5) == 9);
    stria_exec wrong = {};
    wrong.hints = 1U << 31;
    {
        exec_scope refused(wrong);
        REFUSED(STRIA_ERR_ARGUMENT, a = a + 1);
    }
    stria_get_allocator(&usual);
    array<float> b;
    {
        allocator_scope counting({allocate, release, nullptr});
        b = zeros<float>({100});
        CHECK(allocations > 0);
    }
    allocations = 0;
    b = ones<float>({200});
    CHECK(allocations == 0);
}

static int allowed; /* allocations until memory is out */
static void *allocate_few(std::size_t size, std::size_t alignment, void *)
{
    return allowed-- > 0 ? usual.alloc(size, alignment, usual.context) : nullptr;
}

/* Where memory ends, lists and what follows them are refused. */
static void no_memory()
{
    stria_get_allocator(&usual);
    allocator_scope few({allocate_few, release, nullptr});
    int refused = 0;
    bool done = false;
    for (int most = 0; !done && most < 1000; most++) {
        allowed = most;
        const auto sum_of_lists = attempt([] {
            const array<float> row{1, 2, 3}, rows{{1, 2, 3}, {4, 5, 6}}, planes{{{1, 2, 3}}};
            array<float> all_of_them = row + rows + planes;
            all_of_them += row;
            all_of_them = sort(all_of_them.T(), 0);
            return sum(all_of_them);
        });
        done = sum_of_lists.has_value();
        refused += sum_of_lists.status() == STRIA_ERR_MEMORY;
        CHECK(done ? *sum_of_lists == 57 : refused == most + 1);
    }
    CHECK(done && refused > 3);
}

static void results()
{
    const array<float> a{1, 2}, b{1, 2, 3};
    const auto good = attempt([&] { return sum(a * a); });
    CHECK(good.has_value() && *good == 5 && good.status() == STRIA_OK);
    const auto bad = attempt([&] { return (a + b).eval(); });
    CHECK(!bad && bad.status() == STRIA_ERR_BROADCAST && std::strlen(bad.message()) > 10);
    CHECK(bad.value_or(a).size() == 2);
    const auto nested = attempt([&] {
        const auto inner = attempt([&] { return a(7); });
        return inner.status() == STRIA_ERR_INDEX;
    });
    CHECK(nested && *nested);
    CHECK(attempt([&] { check(STRIA_OK); }).has_value());
    const auto lazy = attempt([&] { return a + b; }); /* computed within */
    CHECK(!lazy && lazy.error().status() == STRIA_ERR_BROADCAST);
    const auto computed = attempt([&] { return a + a; });
    CHECK(has(computed.value(), {2, 4}) && computed.error().status() == STRIA_OK);
    REFUSED(STRIA_ERR_BROADCAST, attempt([&] { return a + b; }).value());
#ifdef __cpp_exceptions
    bool thrown = false;
    try {
        (void)zeros<float>({2, -3});
    } catch (const std::exception &e) {
        thrown = std::strstr(e.what(), "-3") &&
                 dynamic_cast<const error &>(e).status() == STRIA_ERR_SHAPE;
    }
    CHECK(thrown);
#endif
}

int main()
{
    owners();
    exchanges();
    resize_under_a_view();
    views_write_elements();
    expressions_keep_their_operands();
    views_keep_their_memory();
    overlap();
    layouts();
    numbers();
    shapes();
    subscripts();
    elements_one_by_one();
    dynamic();
    rights();
    four_threads();
    copies();
    scopes();
    no_memory();
    results();
    check_version();
    return failures != 0;
}
