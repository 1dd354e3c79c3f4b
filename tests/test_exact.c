/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact sums and states: one result for every order, cut, layout, level and number of threads, and
 * what is refused. tool/test_exact_values.py compares values with math.fsum and fractions.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/test.h"

enum { N = 3000, STATE_BYTES = 8 << 10 };

static stria_view view_of(void *data, stria_kind kind, int64_t n)
{
    stria_view out;
    ok(stria_view_foreign(&out, data, stria_dtype_of(kind), n >= 0, &n, NULL, 0));
    return out;
}

/* Fills with numbers within `range` binades around 1. */
static void fill(double *x, int n, int range, uint64_t seed)
{
    for (int i = 0; i < n; i++)
        x[i] = ldexp((double)(int64_t)random_bits(&seed),
                     (int)(random_bits(&seed) % (unsigned)range) - range / 2 - 62);
}

static stria_exact *state_of(stria_exact_kind kind, const stria_view *a, const stria_view *edges,
                             const stria_exec *exec)
{
    stria_exact *x;
    ok(stria_exact_make(&x, kind, kind == STRIA_EXACT_HISTOGRAM ? edges : NULL));
    if (a) ok(stria_exact_add(x, a, exec));
    return x;
}

/* Writes a state to bytes and frees it; returns their number. */
static int64_t bytes_of(char *bytes, stria_exact *x)
{
    const int64_t size = stria_exact_nbytes(x);
    assert_in_range(size, 1, STATE_BYTES);
    ok(stria_exact_write(bytes, size, x));
    stria_exact_release(x);
    return size;
}

/* ---- one result ------------------------------------------------------------------------------ */

/* Makes a state from parts in reverse order, of any sizes, each written to bytes and read, on
 * several threads. */
static stria_exact *in_parts(stria_exact_kind kind, double *x, const stria_view *edges,
                             uint64_t seed)
{
    char bytes[STATE_BYTES];
    const stria_exec exec = {.threads = 3, .run = pool_run};
    stria_exact *all = state_of(kind, NULL, edges, NULL);
    for (int64_t end = N, begin; end > 0; end = begin) {
        const int64_t some = (int64_t)(random_bits(&seed) % 700), step = 1;
        begin = end > some ? end - some : 0;
        const stria_view part = view_of(x + begin, STRIA_F64, end - begin);
        stria_exact *one = state_of(kind, NULL, edges, NULL), *read;
        if (kind == STRIA_EXACT_EXTREMES)
            ok(stria_exact_add_at(one, &part, begin, part.ndim, &step, &exec));
        else
            ok(stria_exact_add(one, &part, &exec));
        const int64_t size = bytes_of(bytes, one);
        ok(stria_exact_read(&read, bytes, size));
        ok(stria_exact_merge(all, read));
        stria_exact_release(read);
    }
    return all;
}

TEST(test_parts)
{
    static double x[N];
    double some[] = {-1e9, -2, -1, 0, 0, 3, 1e9};
    static const int ranges[] = {1, 20, 60, 400, 1900};
    const stria_view edges = view_of(some, STRIA_F64, 7);
    const stria_exec exec = {.threads = 4, .run = pool_run_backwards};
    for (int r = 0; r < 5; r++)
        for (int kind = 0; kind < STRIA_EXACT_KINDS; kind++) {
            char whole[STATE_BYTES], parts[STATE_BYTES];
            fill(x, N, ranges[r], (uint64_t)r);
            x[N / 2] = x[N / 3]; /* makes the sum a tie */
            const stria_view a = view_of(x, STRIA_F64, N);
            const stria_exact_kind k = (stria_exact_kind)kind;
            const int64_t size = bytes_of(whole, state_of(k, &a, &edges, &exec));
            assert_int_equal(bytes_of(parts, in_parts(k, x, &edges, (uint64_t)r)), size);
            assert_memory_equal(whole, parts, (size_t)size);
        }
}

/* Every layout and byte order of the same elements, on each level. */
TEST(test_layouts)
{
    static double x[N];
    fill(x, N, 70, 5);
    for (int kind = STRIA_BOOL; kind <= STRIA_C128; kind++) {
        char first[STATE_BYTES] = {0}, other[STATE_BYTES];
        int64_t size = 0;
        const int64_t dims[] = {20, 50, 3};
        RELEASED stria_array a = {0};
        const stria_view from = view_of(x, STRIA_F64, N);
        stria_view cube, views[5];
        ok(stria_astype(&a, &from, stria_dtype_of((stria_kind)kind), STRIA_CAST_UNSAFE,
                        STRIA_COPY_ALWAYS, NULL, NULL));
        ok(stria_view_shape(&cube, &a.view, 3, dims));
        RELEASED stria_array swapped = {0}, spaced = {0};
        ok(stria_byteswap_new(&swapped, &cube, NULL));
        ok(stria_newbyteorder(&swapped.view, &swapped.view));
        ok(stria_repeat_interleave_new(&spaced, &cube, 2, 1, NULL));
        views[0] = cube;
        ok(stria_permute(&views[1], &cube, 3, (int[]){1, 2, 0}));
        ok(stria_flip(&views[2], &cube, 3, (int[]){0, 1, 2}));
        views[3] = swapped.view;
        ok(stria_slice(&views[4], &spaced.view, 1, 1, STRIA_NONE, 2));
        for (int level = 0; next_level(&level);)
            for (int v = 0; v < 5; v++) {
                const int64_t bytes = bytes_of(
                    other, state_of(kind < STRIA_C64 ? STRIA_EXACT_POWERS : STRIA_EXACT_MOMENTS,
                                    &views[v], NULL, NULL));
                if (!size) memcpy(first, other, (size_t)(size = bytes));
                assert_int_equal(bytes, size);
                assert_memory_equal(first, other, (size_t)size);
            }
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

static double sum_of(double *x, int64_t n)
{
    double out = 7;
    const stria_view to = view_of(&out, STRIA_F64, -1), a = view_of(x, STRIA_F64, n);
    ok(stria_exact_reduce(&to, STRIA_SUM, &a, STRIA_ALL_DIMS, NULL, 0, NULL));
    return out;
}

TEST(test_special)
{
    assert_true(sum_of((double[]){1e308, 1e308, -1e308}, 3) == 1e308);
    assert_true(isinf(sum_of((double[]){1.7e308, 1.7e308}, 2)));
    assert_true(sum_of((double[]){1, -HUGE_VAL}, 2) == -HUGE_VAL);
    assert_true(isnan(sum_of((double[]){HUGE_VAL, -HUGE_VAL}, 2)));
    assert_true(isnan(sum_of((double[]){NAN, 1}, 2)));
    assert_true(!signbit(sum_of((double[]){-0.0, -0.0}, 2)) && sum_of((double[]){0}, 0) == 0);
    assert_true(sum_of((double[]){5e-324, 1, -1}, 3) == 5e-324);
    assert_true(sum_of((double[]){1, 0x1p-53, 0x1p-200}, 3) == 1 + 0x1p-52);
    assert_true(sum_of((double[]){1, 0x1p-53}, 2) == 1);
}

/* A sum between two f32, which f64 would round to their middle first. */
TEST(test_rounded_once)
{
    double x[] = {1, 0x1p-24, 0x1p-80};
    float out;
    const stria_view to = view_of(&out, STRIA_F32, -1), a = view_of(x, STRIA_F64, 3);
    ok(stria_exact_reduce(&to, STRIA_SUM, &a, STRIA_ALL_DIMS, NULL, 0, NULL));
    assert_true(out == 1 + 0x1p-23F);
}

/* Sums over dims into any layout, which may overlap the input. */
TEST(test_dims)
{
    double x[4][3] = {{1, 2, 3}, {1e20, 5, 6}, {-1e20, 8, 9}, {4, 5, 6}};
    const int64_t dims[] = {4, 3};
    stria_view a, out;
    RELEASED stria_array var = {0};
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_F64), 2, dims, NULL, 0));
    ok(stria_select(&out, &a, 0, -1));
    ok(stria_exact_reduce_new(&var, STRIA_VAR, &a, 1, (int[]){0}, 1, true, NULL));
    assert_true(var.view.ndim == 2 && ((const double *)(const void *)var.view.data)[1] == 6);
    ok(stria_exact_reduce(&out, STRIA_SUM, &a, 1, (int[]){0}, 0, NULL));
    assert_true(x[3][0] == 5 && x[3][1] == 20 && x[3][2] == 24);
}

TEST(test_products)
{
    double x[] = {1e200, 3, 5e-324, HUGE_VAL}, y[] = {1e200, 2, 5e-324, 0}, z[2];
    const double c[] = {1, 2, 3, 4}, d[] = {5, 6, 7, 8};
    const stria_view to = view_of(z, STRIA_F64, -1), pair = view_of(z, STRIA_C128, -1);
    stria_view a = view_of(x, STRIA_F64, 3), b = view_of(y, STRIA_F64, 3);
    ok(stria_exact_dot(&to, &a, &b, NULL));
    assert_true(isinf(z[0]));
    x[0] = 1, y[0] = -6;
    ok(stria_exact_dot(&to, &a, &b, NULL)); /* the least product is left, below the least f64 */
    assert_true(z[0] == 0);
    a.shape[0] = b.shape[0] = 4;
    ok(stria_exact_dot(&to, &a, &b, NULL));
    assert_true(isnan(z[0]));
    const stria_view u = view_of((void *)(uintptr_t)c, STRIA_C128, 2),
                     v = view_of((void *)(uintptr_t)d, STRIA_C128, 2);
    ok(stria_exact_dot(&pair, &u, &v, NULL));
    assert_true(z[0] == 5 - 12 + 21 - 32 && z[1] == 6 + 10 + 24 + 28);
}

TEST(test_moments)
{
    /* The mean of -1, -1, 2 is 0, the moments are 2, 2 and 6; scaled by 2^k they scale exactly. */
    double value;
    const double wanted[] = {2, 6, 0x1.6a09e667f3bccp-1, -1.5};
    const stria_view to = view_of(&value, STRIA_F64, -1);
    for (int k = -1074; k <= 1022; k += 131)
        for (int what = 0; what < STRIA_MOMENTS; what++) {
            double x[] = {ldexp(-1, k), ldexp(-1, k), ldexp(2, k)};
            const stria_view a = view_of(x, STRIA_F64, 3);
            stria_exact *const s = state_of(STRIA_EXACT_POWERS, &a, NULL, NULL);
            const double scale = what == STRIA_MOMENT_THIRD    ? ldexp(1, 3 * k)
                                 : what == STRIA_MOMENT_FOURTH ? ldexp(1, 4 * k)
                                                               : 1;
            const stria_exact_moment_kind kind = (stria_exact_moment_kind)what;
            ok(stria_exact_shape(&to, s, kind));
            const double once = value;
            assert_true(fabs(once - wanted[what] * scale) <= 0x1p-52 * scale ||
                        once == wanted[what] * scale);
            ok(stria_exact_moment(&to, kind, &a, STRIA_ALL_DIMS, NULL, NULL));
            assert_true(value == once);
            ok(stria_exact_result(&to, s, STRIA_MEAN, 0));
            assert_true(value == 0);
            refused(stria_exact_shape(&a, s, kind), STRIA_ERR_SHAPE, "out has 1 dims");
            refused(stria_exact_shape(&to, s, STRIA_MOMENTS), STRIA_ERR_ARGUMENT, "no moment 4");
            stria_exact_release(s);
        }
    double same[] = {3, 3, HUGE_VAL};
    for (int n = 0; n <= 3; n++) {
        const stria_view a = view_of(same, STRIA_F64, n);
        ok(stria_exact_moment(&to, STRIA_MOMENT_SKEWNESS, &a, STRIA_ALL_DIMS, NULL, NULL));
        assert_true(isnan(value));
        ok(stria_exact_moment(&to, STRIA_MOMENT_FOURTH, &a, STRIA_ALL_DIMS, NULL, NULL));
        assert_true(n == 1 || n == 2 ? value == 0 : isnan(value));
    }
}

TEST(test_extremes)
{
    double x[] = {3, -1, NAN, -1, 3}, value;
    int64_t place;
    const stria_view to = view_of(&value, STRIA_F64, -1), at = view_of(&place, STRIA_I64, -1),
                     ends = view_of(x + 3, STRIA_F64, 2), begin = view_of(x, STRIA_F64, 2);
    stria_exact *s = state_of(STRIA_EXACT_EXTREMES, NULL, NULL, NULL);
    refused(stria_exact_result(&to, s, STRIA_MIN, 0), STRIA_ERR_SHAPE,
            "nothing is the min of none");
    ok(stria_exact_add_at(s, &ends, 3, ends.ndim, (int64_t[]){1}, NULL));
    ok(stria_exact_add_at(s, &begin, 0, begin.ndim, (int64_t[]){1}, NULL));
    ok(stria_exact_result(&at, s, STRIA_ARGMIN, 0));
    assert_int_equal(place, 1);
    ok(stria_exact_result(&at, s, STRIA_ARGMAX, 0));
    assert_int_equal(place, 0);
    ok(stria_exact_result(&to, s, STRIA_MAX, 0));
    assert_true(value == 3 && stria_exact_count(s) == 4);
    const stria_view nan = view_of(x + 2, STRIA_F64, 1);
    ok(stria_exact_add_at(s, &nan, 2, nan.ndim, (int64_t[]){1}, NULL));
    ok(stria_exact_result(&at, s, STRIA_ARGMIN, 0));
    assert_int_equal(place, 2);
    int32_t whole[] = {1};
    const stria_view integers = view_of(whole, STRIA_I32, 1);
    stria_exact *const zeros = state_of(STRIA_EXACT_EXTREMES, NULL, NULL, NULL);
    for (int i = 2; i >= 0; i--) { /* the least value is -0, the least place is the first zero's */
        double zero[] = {0, -0.0};
        const stria_view part = view_of(zero, STRIA_F64, i > 0 ? 1 : 2);
        ok(stria_exact_add_at(zeros, &part, i, part.ndim, (int64_t[]){1}, NULL));
    }
    ok(stria_exact_result(&to, zeros, STRIA_MIN, 0));
    ok(stria_exact_result(&at, zeros, STRIA_ARGMIN, 0));
    assert_true(value == 0 && signbit(value) && place == 0);
    ok(stria_exact_result(&to, zeros, STRIA_MAX, 0));
    assert_true(value == 0 && !signbit(value));
    stria_exact_release(zeros);
    refused(stria_exact_add(s, &integers, NULL), STRIA_ERR_DTYPE,
            "extremes of floats do not compare");
    stria_exact_release(s);
}

TEST(test_counts)
{
    float x[] = {0, 1, 1.5F, 9, 2};
    int8_t edge[] = {0, 1, 2};
    int64_t counts[2];
    const stria_view a = view_of(x, STRIA_F32, 5), edges = view_of(edge, STRIA_I8, 3),
                     to = view_of(counts, STRIA_I64, 2);
    stria_exact *s = state_of(STRIA_EXACT_HISTOGRAM, &a, &edges, NULL);
    ok(stria_exact_add(s, &a, NULL));
    ok(stria_exact_counts(&to, s));
    assert_true(counts[0] == 2 && counts[1] == 6 && stria_exact_count(s) == 10);
    const stria_view back = view_of(x + 1, STRIA_F32, 3);
    ok(stria_exact_edges(&back, s));
    assert_true(x[1] == 0 && x[2] == 1 && x[3] == 2);
    refused(stria_exact_edges(&a, s), STRIA_ERR_SHAPE, "there are 2 bins");
    stria_exact_release(s);
}

/* Sums of integers wrap modulo 2^64, as in stria_sum. */
TEST(test_whole)
{
    int64_t x[] = {INT64_MAX, INT64_MAX, 5, INT64_MIN, INT64_MAX}, sum, wanted;
    uint64_t large;
    const stria_view a = view_of(x, STRIA_I64, 5), to = view_of(&sum, STRIA_I64, -1),
                     from = view_of(&wanted, STRIA_I64, -1), u = view_of(&large, STRIA_U64, -1);
    stria_exact *const s = state_of(STRIA_EXACT_SUM, &a, NULL, NULL);
    ok(stria_exact_result(&to, s, STRIA_SUM, 0));
    ok(stria_exact_result(&u, s, STRIA_SUM, 0));
    ok(stria_sum(&from, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_true(sum == wanted && large == (uint64_t)wanted);
    stria_exact_release(s);
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST(test_refused)
{
    double x[] = {1, 2, 1.5};
    int64_t whole;
    const stria_view a = view_of(x, STRIA_F64, 3), integer = view_of(&whole, STRIA_I64, -1),
                     to = view_of(x, STRIA_F64, -1);
    stria_exact *s = NULL, *moments;
    refused(stria_exact_make(&s, STRIA_EXACT_HISTOGRAM, &a), STRIA_ERR_ARGUMENT, "edge");
    refused(stria_exact_make(&s, STRIA_EXACT_HISTOGRAM, NULL), STRIA_ERR_ARGUMENT, "edges is NULL");
    refused(stria_exact_make(&s, STRIA_EXACT_SUM, &a), STRIA_ERR_ARGUMENT, "a sum has no edges");
    refused(stria_exact_make(&s, STRIA_EXACT_KINDS, NULL), STRIA_ERR_ARGUMENT, "no kind 5");
    assert_null(s);
    s = state_of(STRIA_EXACT_SUM, &a, NULL, NULL);
    moments = state_of(STRIA_EXACT_MOMENTS, &a, NULL, NULL);
    refused(stria_exact_merge(s, moments), STRIA_ERR_ARGUMENT, "sum and moments");
    refused(stria_exact_result(&to, s, STRIA_VAR, 0), STRIA_ERR_ARGUMENT, "sum has no var");
    refused(stria_exact_result(&to, moments, STRIA_VAR, 0.5), STRIA_ERR_ARGUMENT, "ddof of 0.5");
    refused(stria_exact_result(&integer, s, STRIA_SUM, 0), STRIA_ERR_DTYPE,
            "the sum is no integer");
    refused(stria_exact_result(&integer, s, STRIA_MEAN, 0), STRIA_ERR_DTYPE, "rounded to a float");
    refused(stria_exact_result(&a, s, STRIA_SUM, 0), STRIA_ERR_SHAPE, "out has 1 dims");
    refused(stria_exact_add_product(moments, &a, &a, NULL), STRIA_ERR_ARGUMENT, "must be a sum");
    refused(stria_exact_add_at(s, &a, 0, a.ndim, NULL, NULL), STRIA_ERR_ARGUMENT,
            "must be extremes");
    refused(stria_exact_counts(&integer, s), STRIA_ERR_ARGUMENT, "must be a histogram");
    refused(stria_exact_reduce(&to, STRIA_PROD, &a, STRIA_ALL_DIMS, NULL, 0, NULL),
            STRIA_ERR_ARGUMENT, "no sum, mean, var or std");
    const stria_view complex = view_of(x, STRIA_C128, 1);
    stria_exact *const powers = state_of(STRIA_EXACT_POWERS, &a, NULL, NULL);
    refused(stria_exact_shape(&to, moments, STRIA_MOMENT_THIRD), STRIA_ERR_ARGUMENT,
            "must be powers");
    refused(stria_exact_add(powers, &complex, NULL), STRIA_ERR_DTYPE,
            "complex numbers have no such");
    refused(stria_exact_moment(&to, STRIA_MOMENT_THIRD, &complex, STRIA_ALL_DIMS, NULL, NULL),
            STRIA_ERR_DTYPE, "exact_moment: complex");
    refused(stria_exact_shape(&integer, powers, STRIA_MOMENT_THIRD), STRIA_ERR_DTYPE, "to a float");
    assert_int_equal(stria_exact_count(powers), 3);
    stria_exact_release(powers);
    assert_int_equal(stria_exact_count(s), 3);
    stria_exact_release(moments);
    stria_exact_release(s);
}

/* Refuses bytes that are cut, or any one of which is changed. */
TEST(test_torn)
{
    char bytes[STATE_BYTES];
    double x[] = {1, 2, 4};
    const stria_view a = view_of(x, STRIA_F64, 3);
    stria_exact *read = NULL;
    for (int kind = 0; kind < STRIA_EXACT_KINDS; kind++) {
        const int64_t size = bytes_of(bytes, state_of((stria_exact_kind)kind, &a, &a, NULL));
        for (int64_t i = 0; i < size; i++) {
            bytes[i] ^= 1;
            assert_int_equal(stria_exact_read(&read, bytes, size), STRIA_ERR_FORMAT);
            bytes[i] ^= 1;
            assert_int_equal(stria_exact_read(&read, bytes, i), STRIA_ERR_FORMAT);
        }
        bytes[8]++;
        refused(stria_exact_read(&read, bytes, size), STRIA_ERR_FORMAT, "another version (2)");
        assert_null(read);
    }
}

/* Writes a word of a state, and the hash that fits it. */
static void forge(char *bytes, int64_t size, int64_t word, uint64_t value)
{
    enum { HASH = 7 * 8 };
    memcpy(bytes + word * 8, &value, 8);
    const uint64_t hash =
        XXH3_64bits_withSeed(bytes + HASH + 8, (size_t)(size - HASH - 8), XXH3_64bits(bytes, HASH));
    memcpy(bytes + HASH, &hash, 8);
}

/* States that no additions could give are refused, or have any result. */
TEST(test_forged)
{
    char bytes[STATE_BYTES];
    double x[] = {1, 2, 4}, result;
    const stria_view a = view_of(x, STRIA_F64, 3), out = view_of(&result, STRIA_F64, -1);
    stria_exact *read;
    for (int kind = 0; kind < STRIA_EXACT_KINDS; kind++) {
        const int64_t size = bytes_of(bytes, state_of((stria_exact_kind)kind, &a, &a, NULL));
        for (int64_t word = 0; word < size / 8; word++)
            for (int i = 0; i < 4; i++) {
                uint64_t was;
                const uint64_t value = (uint64_t[]){0, 1, UINT32_MAX, UINT64_MAX}[i];
                memcpy(&was, bytes + word * 8, 8);
                forge(bytes, size, word, value);
                const bool made = stria_exact_read(&read, bytes, size) == STRIA_OK;
                for (int what = 0; made && what < STRIA_MOMENTS; what++)
                    (void)!stria_exact_shape(&out, read, (stria_exact_moment_kind)what);
                if (made) (void)!stria_exact_result(&out, read, STRIA_VAR, 0);
                if (made) (void)!stria_exact_merge(read, read);
                if (made) stria_exact_release(read);
                forge(bytes, size, word, was);
            }
    }
    /* The sums of numbers, cubes and fourth powers are all at the ends of their words. */
    const int64_t size = bytes_of(bytes, state_of(STRIA_EXACT_POWERS, &a, NULL, NULL));
    for (int end = 0; end < 2; end++) {
        for (int64_t word = 8; word < size / 8; word++)
            forge(bytes, size, word, 0);
        for (int i = 0; i < 3; i++)
            forge(bytes, size, 8 + 139 * i + (end ? 137 : 1), UINT32_MAX);
        for (int i = 0; i < 2; i++)
            forge(bytes, size, 8 + 3 * 139 + 270 * i + (end ? 268 : 0), UINT32_MAX);
        ok(stria_exact_read(&read, bytes, size));
        for (int what = 0; what < STRIA_MOMENTS; what++)
            ok(stria_exact_shape(&out, read, (stria_exact_moment_kind)what));
        stria_exact_release(read);
    }
}

/* States are merged with themselves until 64 bits cannot count the elements. */
TEST(test_too_many)
{
    double x[] = {-DBL_MAX, 0, DBL_MAX, DBL_MAX}, once, often;
    const stria_view a = view_of(x, STRIA_F64, 4), first = view_of(&once, STRIA_F64, -1),
                     last = view_of(&often, STRIA_F64, -1);
    for (int kind = 0; kind < STRIA_EXACT_KINDS; kind++) {
        stria_exact *const s = state_of((stria_exact_kind)kind, &a, &a, NULL);
        const bool powers = kind == STRIA_EXACT_POWERS;
        if (powers) ok(stria_exact_shape(&first, s, STRIA_MOMENT_SKEWNESS));
        for (int i = 0; i < 60; i++)
            ok(stria_exact_merge(s, s));
        refused(stria_exact_merge(s, s), STRIA_ERR_OVERFLOW, "overflow 64 bits");
        assert_int_equal(stria_exact_count(s), INT64_C(1) << 62);
        if (powers) ok(stria_exact_shape(&last, s, STRIA_MOMENT_SKEWNESS));
        if (powers) assert_memory_equal(&once, &often, sizeof once);
        stria_exact_release(s);
    }
}

/* Each allocation is refused in turn: the bytes are the same, or the status is MEMORY and nothing
 * changed. */
TEST(test_no_memory)
{
    static double x[N];
    char before[STATE_BYTES], after[STATE_BYTES];
    fill(x, N, 30, 9);
    const stria_view a = view_of(x, STRIA_F64, N),
                     edges = view_of((double[]){0, 1, 2}, STRIA_F64, 3);
    for (int kind = 0; kind < STRIA_EXACT_KINDS; kind++)
        for (int64_t fail_at = 1;; fail_at++) {
            stria_exact *s = state_of((stria_exact_kind)kind, &a, &edges, NULL), *made = NULL;
            const int64_t size = stria_exact_nbytes(s);
            ok(stria_exact_write(before, size, s));
            counting_begin(fail_at);
            stria_status status = stria_exact_add(s, &a, NULL);
            if (status == STRIA_OK) status = stria_exact_read(&made, before, size);
            const bool refused = allocation_counts.calls >= fail_at;
            stria_exact_release(made);
            counting_end();
            if (status != STRIA_OK) assert_int_equal(status, STRIA_ERR_MEMORY);
            if (status != STRIA_OK && !made) ok(stria_exact_write(after, size, s));
            stria_exact_release(s);
            if (!refused) break;
        }
}

TEST_MAIN(NULL, NULL)
