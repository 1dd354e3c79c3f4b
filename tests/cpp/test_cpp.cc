/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria.hpp: owners release what they own, exactly once; typed views see the same elements as the C
 * functions; statuses and exceptions. It is compiled with and without exceptions.
 */
#include <cstdio>
#include <cstring>
#include <ostream>

#include "stria/stria.hpp"

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                            \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static_assert(stria::kind_of<bool>() == STRIA_BOOL);
static_assert(stria::kind_of<const short>() == STRIA_I16);
static_assert(stria::kind_of<unsigned long long>() == STRIA_U64);
static_assert(stria::kind_of<std::complex<float>>() == STRIA_C64);
static_assert(!stria::is_element_v<long double> && !stria::is_element_v<void *>);
static_assert(!std::is_copy_constructible_v<stria::array>);
static_assert(std::is_nothrow_move_constructible_v<stria::array>);

/* Owners and views have none of the operators of pointers. */
#define REFUSED(name, ...)                                                                         \
    template <class T, class = void> struct name : std::true_type {                                \
    };                                                                                             \
    template <class T> struct name<T, std::void_t<decltype(__VA_ARGS__)>> : std::false_type {      \
    };                                                                                             \
    static_assert(name<stria::array>::value && name<stria::view>::value);                          \
    static_assert(!name<const stria_view *>::value)
REFUSED(refuses_difference, std::declval<T &>() - std::declval<T &>());
REFUSED(refuses_sum, std::declval<T &>() + 1);
REFUSED(refuses_equal, std::declval<T &>() == std::declval<T &>());
REFUSED(refuses_less, std::declval<T &>() < std::declval<T &>());
REFUSED(refuses_index, std::declval<T &>()[1]);
REFUSED(refuses_not, !std::declval<T &>());
REFUSED(refuses_condition, std::declval<T &>() ? 1 : 0);
REFUSED(refuses_output, std::declval<std::ostream &>() << std::declval<T &>());
static_assert(!std::is_convertible_v<stria::array, const stria_view *>);
static_assert(!std::is_constructible_v<bool, stria::view>);

static void count(void *, std::int64_t, void *context)
{
    ++*static_cast<int *>(context);
}

/* An owner of foreign memory, whose release is counted. */
static stria::array counted(float *memory, int *released)
{
    stria::array out;
    stria::view v;
    stria_buffer *buffer;
    const std::int64_t shape[] = {2, 3};
    CHECK(stria_buffer_wrap(&buffer, memory, 24, false, count, released) == STRIA_OK);
    CHECK(stria_view_make(v.out(), buffer, stria::dtype_of<float>(), 2, shape, nullptr, 0) ==
          STRIA_OK);
    CHECK(stria_array_share(out.out(), v.get()) == STRIA_OK);
    stria_buffer_release(buffer);
    return out;
}

static void owners()
{
    float memory[6] = {0, 1, 2, 3, 4, 5};
    int released = 0;
    {
        stria::array a = counted(memory, &released), b(std::move(a));
        CHECK(a.ndim() == 0 && b.ndim() == 2 && released == 0);
        a = std::move(b);
        CHECK(released == 0 && a.extent(1) == 3);
        stria::array &self = a;
        a = std::move(self);
        CHECK(released == 0 && a.extent(1) == 3);
        stria_status status;
        a = stria::array::zeros<double>({4}, status); /* releases its old array */
        CHECK(status == STRIA_OK && released == 1 && a.dtype().kind == STRIA_F64);
        CHECK(stria_clone_new(a.out(), a.get(), NULL) == STRIA_OK && a.numel() == 4);
    }
    {
        stria::array a = counted(memory, &released);
        stria_array c = a.release();
        CHECK(a.ndim() == 0 && released == 1);
        stria_array_release(&c);
    }
    CHECK(released == 2);
}

static void typed_views()
{
    stria_status status;
    stria::array a = stria::array::zeros<std::int32_t>({2, 3, 4}, status);
    CHECK(status == STRIA_OK);
    std::int32_t next = 0;
    a.as<std::int32_t, 3>(status).for_each([&](std::int32_t &x) { x = next++; });
    CHECK(status == STRIA_OK && next == 24);
    stria::view v;
    const int order[] = {2, 0, 1};
    CHECK(stria_permute(v.out(), a.get(), 3, order) == STRIA_OK);
    CHECK(stria_slice(v.out(), v.get(), 0, STRIA_NONE, STRIA_NONE, -1) == STRIA_OK);
    const auto t = v.as<const std::int32_t, 3>(status);
    CHECK(status == STRIA_OK && t.extent(0) == 4 && t.stride_bytes(0) == -4);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++) {
                const std::int64_t index[] = {i, j, k};
                std::int64_t wanted = -1;
                CHECK(stria_get_i64(&wanted, v.get(), 3, index) == STRIA_OK);
                CHECK(t(i, j, k) == wanted && (t[{i, j, k}]) == wanted);
            }
    const auto nothing = stria::array::zeros<float>({3, 0}, status);
    nothing.as<float, 2>(status).for_each([](float &) { failures++; });
    const auto one = stria::array::zeros<float>({}, status);
    CHECK((one.as<float, 0>(status)() == 0) && status == STRIA_OK);
}

static void refusals()
{
    stria_status status;
    stria::array a = stria::array::zeros<float>({2, 3}, status);
    stria::view v = a.view();
    (void)v.as<double, 2>(status);
    CHECK(status == STRIA_ERR_DTYPE);
    (void)v.as<float, 1>(status);
    CHECK(status == STRIA_ERR_SHAPE);
    stria::view fixed;
    CHECK(stria_view_readonly(fixed.out(), a.get()) == STRIA_OK);
    (void)fixed.as<float, 2>(status);
    CHECK(status == STRIA_ERR_READONLY);
    (void)fixed.as<const float, 2>(status);
    CHECK(status == STRIA_OK);
    CHECK(stria_neg_view(v.out(), a.get()) == STRIA_OK);
    (void)v.as<float, 2>(status);
    CHECK(status == STRIA_ERR_DTYPE);
    (void)stria::view().as<float, 2>(status);
    CHECK(status != STRIA_OK);
    alignas(8) char bytes[16] = {};
    CHECK(stria_view_foreign(v.out(), bytes + 1, stria::dtype_of<float>(), 0, nullptr, nullptr,
                             0) == STRIA_OK);
    (void)v.as<float, 0>(status);
    CHECK(status == STRIA_ERR_STRIDE);
    const stria::array none = stria::array::zeros<float>({2, -3}, status);
    CHECK(status == STRIA_ERR_SHAPE && none.ndim() == 0);
    CHECK(stria_copy(a.get(), stria::view().get(), NULL) == STRIA_ERR_ARGUMENT);
}

#ifdef __cpp_exceptions
static void exceptions()
{
    const stria::array a = stria::array::zeros<float>({2, 3});
    a.as<float, 2>()(1, 2) = 5;
    const stria::array b = stria::array::clone(a.get());
    CHECK((b.as<const float, 2>()(1, 2) == 5));
    bool thrown = false;
    try {
        (void)stria::array::zeros<float>({2, -3});
    } catch (const stria::error &e) {
        thrown = e.status() == STRIA_ERR_SHAPE && std::strstr(e.what(), "-3");
    }
    CHECK(thrown);
    thrown = false;
    try {
        (void)a.as<int, 2>();
    } catch (const stria::error &e) {
        thrown = e.status() == STRIA_ERR_DTYPE &&
                 std::strstr(e.what(), "no plain elements of i32 in 2 dims: f32 (2, 3), ");
    }
    CHECK(thrown);
    thrown = false;
    try {
        stria::check(stria_copy(a.get(), stria::view().get(), NULL));
    } catch (const stria::error &e) {
        thrown = e.status() == STRIA_ERR_ARGUMENT;
    }
    CHECK(thrown);
}
#endif

#ifdef __cpp_lib_mdspan
static void spans()
{
    stria_status status;
    stria::array a = stria::array::zeros<float>({2, 3}, status);
    a.as<float, 2>(status)(1, 2) = 5;
    stria::view v;
    CHECK(stria_reverse_dims(v.out(), a.get()) == STRIA_OK);
    const auto m = v.as<float, 2>(status).mdspan(status);
    CHECK(status == STRIA_OK && m.extent(0) == 3 && (m[std::array{2, 1}]) == 5);
    CHECK(stria_slice(v.out(), v.get(), 0, STRIA_NONE, STRIA_NONE, -1) == STRIA_OK);
    (void)v.as<float, 2>(status).mdspan(status);
    CHECK(status == STRIA_ERR_STRIDE);
}
#endif

int main()
{
    owners();
    typed_views();
    refusals();
#ifdef __cpp_exceptions
    exceptions();
#endif
#ifdef __cpp_lib_mdspan
    spans();
#endif
    return failures != 0;
}
