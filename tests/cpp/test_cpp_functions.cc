/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types that stria.hpp gives to results are those of the library, for all operations and
 * reductions; functions that make, sort, take and join; memory, files and tensors of others.
 */
#include "check.hpp"

#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "stria/complex.hpp"
#include "stria/format.hpp"
#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#endif
#if __cplusplus > 202002L && __has_include(<mdspan>)
#include <mdspan>
#endif

using namespace stria;

static_assert(kind_of<std::complex<float>>() == STRIA_C64);
static_assert(kind_of<const std::complex<double>>() == STRIA_C128);

/* ---- types -------------------------------------------------------------------------------------
 */

static const int kinds[] = {STRIA_BOOL, STRIA_I8,  STRIA_I16, STRIA_I32, STRIA_I64,
                            STRIA_U8,   STRIA_U16, STRIA_U32, STRIA_U64, STRIA_F32,
                            STRIA_F64,  STRIA_C64, STRIA_C128};

static void check_operation(stria_op op, int n, const int *kind)
{
    static std::complex<double> memory[3][2];
    const std::int64_t two = 2;
    stria_view views[3];
    const stria_view *operands[3] = {};
    for (int i = 0; i < n; i++) {
        check(stria_view_foreign(&views[i], memory[i],
                                 stria_dtype_of(static_cast<stria_kind>(kind[i])), 1, &two, nullptr,
                                 0));
        operands[i] = &views[i];
    }
    stria_dtype wanted;
    const int made = detail::result_kind(op, n, kind);
    const stria_status status = stria_result_dtype(&wanted, op, n, operands, STRIA_PROMOTE_TORCH);
    if (status == STRIA_OK && made != wanted.kind) {
        std::printf("%s of %d, %d, %d gives %d, not %d\n", stria_op_name(op), kind[0],
                    n > 1 ? kind[1] : -1, n > 2 ? kind[2] : -1, static_cast<int>(wanted.kind),
                    made);
        failures++;
    }
}

static void types_of_operations()
{
    for (int op = 0; op < STRIA_OPS; op++) {
        const auto which = static_cast<stria_op>(op);
        const int n = stria_op_inputs(which);
        for (const int a : kinds)
            for (const int b : kinds) {
                const int two[] = {a, b, b}, other[] = {b, b, a}, chosen[] = {STRIA_BOOL, a, b};
                check_operation(which, n, two);
                check_operation(which, n, other);
                check_operation(which, n, chosen);
            }
    }
}

static void types_of_reductions()
{
    for (int op = 0; op < STRIA_REDUCTIONS; op++)
        for (const int kind : kinds) {
            stria_dtype wanted;
            const auto which = static_cast<stria_reduction>(op);
            const int made = detail::reduced_kind(which, kind);
            if (stria_reduction_dtype(&wanted, which, stria_dtype_of(static_cast<stria_kind>(kind)),
                                      STRIA_PROMOTE_TORCH) == STRIA_OK &&
                made != wanted.kind) {
                std::printf("%s of %d gives %d, not %d\n", stria_reduction_name(which), kind,
                            static_cast<int>(wanted.kind), made);
                failures++;
            }
        }
}

/* ---- functions
 * ----------------------------------------------------------------------------------- */

static void making()
{
    CHECK(has(zeros<int>({2}), {0, 0}) && has(ones<float>({2}), {1, 1}));
    CHECK(has(full<int>({2}, 7), {7, 7}) && has(arange<int>(1, 7, 2), {1, 3, 5}));
    CHECK(has(arange<double>(0, 1, 0.25), {0, 0.25, 0.5, 0.75}) &&
          has(linspace<float>(0, 1, 3), {0, 0.5, 1}));
    CHECK(has(eye<int>(2), {1, 0, 0, 1}) && empty<float>({3, 4}).shape() == shape{3, 4});
    CHECK(arange<std::uint8_t>(5)(4) == 4 && arange<bool>(true).size() == 1);
    rng r(7), same(7), other(7, 1);
    const auto drawn = r.uniform<float>({4});
    CHECK(array_equal(drawn, same.uniform<float>({4})));
    CHECK(!array_equal(drawn, r.uniform<float>({4})) &&
          !array_equal(drawn, other.uniform<float>({4})));
    CHECK(all(drawn >= 0 && drawn < 1) && max(r.integers<int>({100}, 0, 10)) < 10);
    CHECK(std::abs(mean(r.normal<double>({10000}, 3, 2)) - 3) < 0.1);
}

static void reducing()
{
    const array<float> a{{1, 2, 3}, {4, 5, 6}};
    static_assert(std::is_same_v<decltype(sum(a)), float>);
    static_assert(std::is_same_v<decltype(sum(a > 1)), std::int64_t>);
    static_assert(std::is_same_v<decltype(argmax(a, 0)), array<std::int64_t>>);
    CHECK(sum(a) == 21 && prod(a) == 720 && mean(a) == 3.5F && max(a) == 6 && min(a) == 1);
    CHECK(has(sum(a, 0), {5, 7, 9}) && has(sum(a, -1), {6, 15}) && has(sum(a, {0, 1}), {21}));
    CHECK(max(a, 1, true).shape() == shape{2, 1} && argmax(a) == 5 && has(argmin(a, 1), {0, 0}));
    CHECK(any(a > 5) && !all(a > 5) && has(all(a > 3, 1), {0, 1}) && count_nonzero(a > 2) == 4);
    CHECK(var(a) * 12 == 35 && var(a, with_ddof(1)) == 3.5F && ptp(a) == 5);
    CHECK(std::abs(stddev(a, 0)(0) - 1.5F) < 1e-6F &&
          norm(a(0, slice(2))) * norm(a(0, slice(2))) > 4.99F);
    CHECK(has(norm(a, 1, false, 1), {6, 15}) && dot(a[0], a[1]) == 32 && logsumexp(a - a) > 1.79F);
    CHECK(sum(a * a, 1)(1) == 77 && max(a.T() * 2, 0, true).shape() == shape{1, 2});
    CHECK(nanmax(where(a > 4, 0.0F / (a - a), a)) == 4);
    REFUSED(STRIA_ERR_DIM, sum(a, 2));
    CHECK(allclose(a, a + 1e-7) && !allclose(a, a + 1) && array_equal(a, a * 1));
    CHECK(allclose(a - a + 2, 2) && has(isin(a, 3.0F), {0, 0, 1, 0, 0, 0}) &&
          take(a, 1)(ellipsis).item() == 2);
    CHECK(sum(arange<float>(100000) * 0 + 1) == 100000);
}

static void ordering()
{
    const array<int> a{{3, 1, 2}, {9, 7, 8}};
    CHECK(has(sort(a), {1, 2, 3, 7, 8, 9}) && has(sort(a, 0, true), {9, 7, 8, 3, 1, 2}));
    CHECK(has(argsort(a), {1, 2, 0, 1, 2, 0}) && has(unique(a % 2), {0, 1}) &&
          partition(a, 0)(1, 0) == 7);
    CHECK(has(take_along_dim(a, argsort(a), 1), {1, 2, 3, 7, 8, 9}));
    CHECK(has(take(a, array<int>{1, 0}, 0)[0], {9, 7, 8}) &&
          has(take(a, array<int>{5, -1}), {8, 8}));
    CHECK(has(masked_select(a, a > 2), {3, 9, 7, 8}) && nonzero(a > 8).shape() == shape{1, 2});
    CHECK(has(isin(a[0], array<int>{1, 2}), {0, 1, 1}) &&
          has(searchsorted(sort(a[1]), array<int>{8}), {1}));
    CHECK(has(cumsum(a, 1).as<std::int64_t>(), {3, 4, 6, 9, 16, 24}) &&
          has(diff(a), {-2, 1, -2, 1}));
    CHECK(has(cumprod(a[0], 0).as<std::int64_t>(), {3, 3, 6}) && has(bincount(a[0] % 2), {1, 2}));
    CHECK(has(histogram(a, 2, 0, 10), {3, 3}) && median(a * 1.0).as<double>().item() == 5);
    CHECK(quantile(a * 1.0, 0.5, 1).as<double>()(0, 1) == 8 && has(roll(a[0], 1, 0), {2, 3, 1}));
    CHECK(has(tile(a[0], {2}), {3, 1, 2, 3, 1, 2}) && has(tril(a), {3, 0, 0, 9, 7, 0}));
    CHECK(has(triu(a), {3, 1, 2, 0, 7, 8}));
    CHECK(concatenate(1, a, a * 2).shape() == shape{2, 6} &&
          stack(0, a, a).shape() == shape{2, 2, 3});
    CHECK(has(matmul(a, a.T()), {14, 50, 50, 194}) && has(einsum("ij->j", a), {12, 8, 10}));
    CHECK(einsum("ij,kj->ik", a, a)(0, 1) == 50);
    array<int> b = zeros<int>({4});
    index_add(b, array<int>{1, 1, 3}, array<int>{1, 2, 3});
    CHECK(has(b, {0, 3, 0, 3}));
    index_copy(b, array<int>{0}, array<int>{9});
    masked_fill(b, b == 3, -1L);
    CHECK(has(b, {9, -1, 0, -1}));
    CHECK(has(call<int>("sort", a, 1), {1, 2, 3, 7, 8, 9}) &&
          call("median", a)(ellipsis).size() == 1);
    CHECK(has(eval<int>("x[::-1] * 2 + y", {{"x", a[0]}, {"y", a[1] - 7}}), {6, 2, 7}));
    REFUSED(STRIA_ERR_ARGUMENT, call("no_such", a));
    REFUSED(STRIA_ERR_DTYPE, call<float>("sort", a));
    REFUSED(STRIA_ERR_FORMAT, eval("x +", {{"x", a}}));
    CHECK(has(from_c<int>([&](stria_array *out) {
                  return stria_sort_new(out, a.c(), -1, false, nullptr);
              })[0],
              {1, 2, 3}));
    CHECK(view_from_c<const int>(
              [&](stria_view *out) { return stria_narrow(out, a.c(), 1, 1, 1); })(1, 0) == 7);
}

/* ---- others
 * ---------------------------------------------------------------------------------------- */

struct body {
    double position[2];
    float mass;
};

/* As std::mdspan is, for compilers without one. */
struct extents_2d {
    using index_type = int;
    int size[2];
    extents_2d(int rows, int columns) : size{rows, columns} {}
};
struct mapping_2d {
    extents_2d sizes;
    std::array<int, 2> steps;
    mapping_2d(const extents_2d &of, const std::array<int, 2> &by) : sizes(of), steps(by) {}
    const std::array<int, 2> &strides() const
    {
        return steps;
    }
};
struct mdspan_2d {
    using extents_type = extents_2d;
    using mapping_type = mapping_2d;
    using rank_type = std::size_t;
    float *data;
    mapping_2d mapping;
    mdspan_2d(float *first, const mapping_2d &by) : data(first), mapping(by) {}
    static constexpr std::size_t rank()
    {
        return 2;
    }
    int extent(std::size_t d) const
    {
        return mapping.sizes.size[d];
    }
    int stride(std::size_t d) const
    {
        return mapping.steps[d];
    }
    float *data_handle() const
    {
        return data;
    }
};

static void memory_of_others()
{
    std::vector<float> v{1, 2, 3, 4, 5, 6};
    auto w = wrap(v);
    w *= 2;
    CHECK(v[5] == 12 && w.data() == v.data());
    const std::vector<float> &fixed = v;
    static_assert(std::is_same_v<decltype(wrap(fixed)), view<const float>>);
    static_assert(std::is_same_v<decltype(wrap(std::move(v))), array<float>>);
    array<float> owned = wrap(std::vector<float>{1, 2, 3});
    view<float> kept = owned;
    owned = owned(slice(2)) * 5;
    CHECK(has(kept, {1, 2, 3}) && has(owned, {5, 10}));
    std::array<int, 3> fixed_size{{1, 2, 3}};
    CHECK(sum(wrap(fixed_size)) == 6);
    static_assert(std::is_same_v<decltype(wrap(std::move(fixed_size))), array<int>>);
    const view<int> handed = wrap(std::array<int, 3>{{4, 5, 6}});
    CHECK(has(handed, {4, 5, 6}));
    float four[4] = {1, 2, 3, 4};
    wrap(four)(1) = 5;
    CHECK(four[1] == 5 && sum(wrap(&four[1], 3)) == 12);
    CHECK(has(wrap(v.data(), {2, 3}).T(), {2, 8, 4, 10, 6, 12}));
    CHECK(has(wrap(v.data(), {3}, {2}), {2, 6, 10}));
    std::vector<body> bodies(3, body{{0, 1}, 2});
    wrap_field(bodies, &body::mass) = array<float>{1, 2, 3};
    CHECK(bodies[2].mass == 3 && bodies[2].position[1] == 1 &&
          sum(wrap_field(bodies, &body::mass)) == 6);
    mdspan_2d m = wrap(v).reshape({2, 3}).T().elements<2>().to<mdspan_2d>();
    CHECK(m.stride(0) == 1 && m.stride(1) == 3 && m.extent(0) == 3);
    CHECK(has(wrap(m), {2, 8, 4, 10, 6, 12}));
    REFUSED(STRIA_ERR_STRIDE, w("::-1").reshape({2, 3}).elements<2>().to<mdspan_2d>());
#if defined __cpp_lib_span
    std::span<float> s(v);
    CHECK(wrap(s)(1) == 4 && wrap(std::span<float>(v)).data() == v.data());
    CHECK(std::span(w.data(), w.size())[1] == 4);
#endif
#if defined __cpp_lib_mdspan
    using dynamic = std::mdspan<float, std::dextents<std::int64_t, 2>, std::layout_stride>;
    const auto real = wrap(v).reshape({2, 3}).T().elements<2>().to<dynamic>();
    CHECK(real.extent(0) == 3 && has(wrap(real), {2, 8, 4, 10, 6, 12}));
    CHECK(wrap(std::mdspan(v.data(), 2, 3))(1, 0) == 8);
#endif
}

static void tensors_and_files(const std::string &folder)
{
    const std::string path = folder + "/a.npy";
    array<float> a{{1, 2}, {3, 4}};
    {
        stria_dl_managed *const tensor = to_dlpack(a.T());
        a = a * 2;
        view<float> v = from_dlpack<float>(tensor);
        CHECK(has(v, {2, 6, 4, 8}));
    }
    {
        view<const float> once = from_dlpack<const float>(to_dlpack(a * 1));
        CHECK(once(1, 1) == 8);
    }
    REFUSED(STRIA_ERR_DTYPE, from_dlpack<double>(to_dlpack(a)));
    stria_view fixed;
    check(stria_view_readonly(&fixed, a.c()));
    REFUSED(STRIA_ERR_READONLY, from_dlpack<float>(to_dlpack(view<const float>::from(&fixed))));
    save(path.c_str(), a + 1);
    CHECK(has(load<float>(path.c_str()), {3, 5, 7, 9}));
    REFUSED(STRIA_ERR_DTYPE, load<double>(path.c_str()));
    map<float>(path.c_str())(0, all) = 0;
    CHECK(map<const float>(path.c_str())(0, 1) == 0 && map<const float>(path.c_str())(1, 1) == 9);
    auto made = create<int>(path.c_str(), {3, 2});
    made[1] = 5;
    CHECK(sum(map<const int>(path.c_str())) == 10);
    REFUSED(STRIA_ERR_IO, load("/no/such/file.npy"));
    std::remove(path.c_str());
}

static void complex_elements()
{
    using c128 = std::complex<double>;
    array<c128> z{c128(1, 2), c128(3, -4)};
    CHECK((z * c128(0, 1)).eval()(0) == c128(-2, 1) && sum(z) == c128(4, -2));
    static_assert(std::is_same_v<decltype(abs(z))::value_type, double>);
    CHECK(has(abs(z * 1).eval()(slice(1, none)), {5}) && has(real(z), {1, 3}) &&
          has(imag(z + z * 0), {2, -4}));
    imag(z) = 0;
    CHECK((z == 1 || z == 3).eval()(0) && conj(z * c128(0, 1))(1) == c128(0, -3));
    array<std::complex<float>> narrow = z;
    CHECK(narrow(1) == std::complex<float>(3) && sum(narrow * 2) == std::complex<float>(8));
    array<float> a{1, 2};
    static_assert(std::is_same_v<decltype(a * c128(1))::value_type, c128>);
    CHECK((a * std::complex<float>(0, 1)).eval()(1) == std::complex<float>(0, 2));
}

static void dtypes_at_run_time()
{
    const array<float> a{1, 2.5};
    const array<> half = cast(a * 2, stria_dtype_of(STRIA_F16));
    CHECK(half.dtype().kind == STRIA_F16 && sum(cast<float>(half + half)) == 14);
    CHECK(zeros(stria_dtype_of(STRIA_BF16), {2, 3}).size() == 6);
    CHECK(empty(stria_dtype_of(STRIA_I8), 4).as<std::int8_t>().shape() == shape{4});
    array<long long> wide{1, 2};
    static_assert(std::is_same_v<decltype(sort(wide)), array<long long>>);
    const view<const long long> more = wide + 1;
    CHECK(more(1) == 3);
}

static void texts()
{
    const array<double> a{1, 2.5};
    CHECK(to_string(a) == "[1.  2.5]" && to_string(a / 3, 2) == "[0.33 0.83]");
    std::ostringstream stream;
    stream << a * 2 << (+a > 1);
    CHECK(stream.str() == "[2. 5.][False  True]");
#ifdef __cpp_lib_format
    CHECK(std::format("{}", a * 2) == "[2. 5.]");
    CHECK(std::format("{}", a) == "[1.  2.5]" && std::format("{:.1}", a(slice(1))) == "[1.]");
#endif
}

int main(int, char **arguments)
{
    const std::string program = arguments[0];
    const std::size_t at = program.rfind('/');
    types_of_operations();
    types_of_reductions();
    making();
    reducing();
    ordering();
    memory_of_others();
    tensors_and_files(at == std::string::npos ? "." : program.substr(0, at));
    complex_elements();
    dtypes_at_run_time();
    texts();
    return failures != 0;
}
