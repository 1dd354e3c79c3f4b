/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quantiles against sorted copies, histograms and searches against a comparison with every edge,
 * comparisons against a look at every element; and what is refused. tool/test_scans.py compares
 * values with NumPy's.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/items.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/test.h"

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* ---- quantiles ------------------------------------------------------------------------------- */

/* Quantiles of lines of every dtype and many lengths, with ties, in rows and columns, on several
 * threads. */
TEST(test_quantiles)
{
    enum { ROWS = 5, MOST = 3000 };
    static double x[ROWS][MOST], sorted[MOST];
    static const double q[] = {0, 0.25, 0.5, 0.9, 1};
    uint64_t seed = 70;
    for (int64_t n = 1; n <= MOST; n = n * 3 / 2 + 1)
        for (int kind = STRIA_BOOL; kind <= STRIA_F64; kind++) {
            RELEASED stria_array a = {0}, b = {0}, made = {0};
            const int64_t shape[] = {n, ROWS};
            const stria_exec exec = {.threads = 3, .run = pool_run};
            for (int i = 0; i < ROWS; i++)
                for (int64_t j = 0; j < n; j++)
                    x[i][j] = (double)random_between(&seed, i == 2 ? 3 : 0, i == 2 ? 3 : 100);
            ok(stria_empty(&a, stria_dtype_of((stria_kind)kind), 2, shape));
            for (int i = 0; i < ROWS; i++)
                for (int64_t j = 0; j < n; j++)
                    convert(&x[i][j], STRIA_F64, address(&a.view, (int64_t[]){j, i}),
                            (stria_kind)kind);
            ok(stria_astype(&b, &a.view, stria_dtype_of(STRIA_F64), STRIA_CAST_UNSAFE,
                            STRIA_COPY_ALWAYS, NULL, NULL));
            ok(stria_quantile_new(&made, &a.view, 5, q, 1, (int[]){0},
                                  &(stria_quantile_options){.method = STRIA_QUANTILE_LOWER},
                                  &exec));
            for (int i = 0; i < ROWS; i++) {
                for (int64_t j = 0; j < n; j++)
                    memcpy(&sorted[j], address(&b.view, (int64_t[]){j, i}), sizeof *sorted);
                qsort(sorted, (size_t)n, sizeof *sorted, by_value);
                for (int k = 0; k < 5; k++) {
                    double found;
                    convert(address(&made.view, (int64_t[]){k, i}),
                            (stria_kind)made.view.dtype.kind, &found, STRIA_F64);
                    assert_true(found == sorted[(int64_t)((double)(n - 1) * q[k])]);
                }
            }
        }
}

TEST(test_nan)
{
    double x[2][4] = {{3, NAN, 1, -2}, {4, 1, 3, 2}}, out[2];
    const stria_view a = OF(x, F64, 2, 4), b = OF(out, F64, 2), c = OF(out, F64, 1, 2);
    ok(stria_median(&b, &a, 1, (int[]){1}, NULL));
    assert_true(isnan(out[0]) && out[1] == 2.5);
    ok(stria_quantile(&c, &a, 1, (double[]){0.5}, 1, (int[]){1},
                      &(stria_quantile_options){.skip_nan = true}, NULL));
    assert_true(out[0] == 1 && out[1] == 2.5);
    const stria_view none = OF(x, F64, 2, 0);
    ok(stria_median(&b, &none, 1, (int[]){1}, NULL));
    assert_true(isnan(out[0]) && isnan(out[1]));
    assert_int_equal(stria_quantile(&c, &a, 1, (double[]){NAN}, 1, (int[]){1},
                                    &(stria_quantile_options){.skip_nan = true}, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_quantile(&c, &a, 1, (double[]){1.5}, 1, (int[]){1},
                                    &(stria_quantile_options){.skip_nan = true}, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_quantile(&b, &a, 1, (double[]){1}, 1, (int[]){1},
                                    &(stria_quantile_options){.skip_nan = true}, NULL),
                     STRIA_ERR_SHAPE);
    assert_int_equal(stria_median(&b, &a, 1, (int[]){2}, NULL), STRIA_ERR_DIM);
    assert_string_equal(stria_last_error(),
                        "median: dim 2 is outside -2 .. 1, the view has 2 dims");
    assert_int_equal(stria_quantile(&c, &a, 1, (double[]){1}, 1, (int[]){1},
                                    &(stria_quantile_options){.method = STRIA_QUANTILE_METHODS,
                                                              .skip_nan = true},
                                    NULL),
                     STRIA_ERR_ARGUMENT);
    for (int64_t fail_at = 1; fail_at < 6; fail_at++) {
        counting_begin(fail_at);
        const stria_status status = stria_median(&b, &a, 1, (int[]){1}, NULL);
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        counting_end();
    }
}

/* Quantiles at every element of a long line, and half way between neighbours. */
TEST(test_every_element)
{
    enum { N = 700 };
    static const stria_kind kinds[] = {STRIA_I8,  STRIA_U16,  STRIA_I32, STRIA_U32, STRIA_I64,
                                       STRIA_U64, STRIA_BF16, STRIA_F32, STRIA_F64};
    uint64_t seed = 41;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double in[N], sorted[N], low[N], mean[N], q[N];
        _Alignas(8) char memory[N * 8];
        stria_view a, as_doubles;
        const int nans = kinds[k] >= STRIA_BF16 ? 5 : 0, n = N - nans;
        ok(stria_view_foreign(&a, memory, stria_dtype_of(kinds[k]), 1, (int64_t[]){N}, NULL, 0));
        as_doubles = OF(in, F64, N);
        for (int i = 0; i < N; i++)
            in[i] =
                ldexp((double)random_between(&seed, -999, 999), (int)random_between(&seed, -9, 52));
        for (int i = 0; i < nans; i++)
            in[i * 99] = i & 1 ? NAN : -NAN;
        ok(stria_copy(&a, &as_doubles, &(stria_exec){.hints = STRIA_CAST_WRAP}));
        ok(stria_copy(&as_doubles, &a, NULL));
        for (int i = 0, j = 0; i < N; i++)
            if (!isnan(in[i])) sorted[j++] = in[i];
        qsort(sorted, (size_t)n, sizeof *sorted, by_value);
        for (int i = 0; i < n; i++)
            q[i] = (i + 0.25) / (n - 1) > 1 ? 1 : (i + 0.25) / (n - 1);
        const stria_view lows = OF(low, F64, n), means = OF(mean, F64, n);
        ok(stria_quantile(
            &lows, &a, n, q, 1, (int[]){0},
            &(stria_quantile_options){.method = STRIA_QUANTILE_LOWER, .skip_nan = true}, NULL));
        assert_memory_equal(low, sorted, (size_t)n * sizeof *low);
        ok(stria_quantile(
            &means, &a, n, q, 1, (int[]){0},
            &(stria_quantile_options){.method = STRIA_QUANTILE_MIDPOINT, .skip_nan = true}, NULL));
        for (int i = 0; i + 1 < n; i++)
            assert_true(mean[i] == sorted[i + 1] - (sorted[i + 1] - sorted[i]) * 0.5);
    }
}

/* The mean of the middle two is NumPy's: of infinities, and in the dtype of floats. */
TEST(test_medians_of_two)
{
    double x[][2] = {{3, HUGE_VAL},
                     {-HUGE_VAL, 2},
                     {HUGE_VAL, HUGE_VAL},
                     {-HUGE_VAL, HUGE_VAL},
                     {-0.20063454615480422, -0.012487488903344154},
                     {1.7e308, 1.7e308}},
           out[6], least;
    float y[][2] = {{3e38F, 3e38F}, {1.5F, HUGE_VALF}, {0x1.8p-149F, 0}}, of_floats[3];
    const stria_view a = OF(x, F64, 6, 2), b = OF(out, F64, 6), c = OF(y, F32, 3, 2),
                     d = OF(of_floats, F32, 3), one = OF(&least, F64, 1);
    ok(stria_median(&b, &a, 1, (int[]){1}, NULL));
    for (int i = 0; i < 6; i++)
        assert_true(i == 3 ? isnan(out[i]) : out[i] == (x[i][0] + x[i][1]) / 2);
    ok(stria_median(&d, &c, 1, (int[]){1}, NULL));
    for (int i = 0; i < 3; i++)
        assert_true(of_floats[i] == (float)(y[i][0] + y[i][1]) / 2);
    double with_nan[] = {3, NAN, HUGE_VAL};
    const stria_view e = OF(with_nan, F64, 3);
    ok(stria_quantile(&one, &e, 1, (double[]){0.5}, 1, (int[]){0},
                      &(stria_quantile_options){.method = STRIA_QUANTILE_MEDIAN, .skip_nan = true},
                      NULL));
    assert_true(isinf(least));
}

/* Methods that give an element give it in its dtype, also where f64 does not hold it. */
/* A zero keeps its sign, of which the negative one comes first. */
TEST(test_zeros)
{
    enum { N = 101 };
    float x[N];
    const stria_view a = OF(x, F32, N);
    for (int i = 0; i < N; i++)
        x[i] = i % 2 ? -0.0F : i < 50 ? 0 : NAN;
    RELEASED stria_array made = {0};
    ok(stria_quantile_new(
        &made, &a, 2, (double[]){0, 1}, 1, (int[]){0},
        &(stria_quantile_options){.method = STRIA_QUANTILE_LOWER, .skip_nan = true}, NULL));
    const float *const found = (const void *)made.view.data;
    assert_true(found[0] == 0 && signbit(found[0]) && found[1] == 0 && !signbit(found[1]));
}

TEST(test_discrete_methods)
{
    static const stria_quantile_method methods[] = {
        STRIA_QUANTILE_LOWER, STRIA_QUANTILE_HIGHER, STRIA_QUANTILE_NEAREST,
        STRIA_QUANTILE_INVERTED_CDF, STRIA_QUANTILE_CLOSEST_OBSERVATION};
    const int64_t large = (INT64_C(1) << 60) + 1;
    int64_t x[] = {large, -large, large + 2};
    uint64_t u[] = {UINT64_MAX, UINT64_MAX - 2, 5};
    uint8_t bools[] = {0, 255, 3};
    const stria_view a = OF(x, I64, 3), b = OF(u, U64, 3), c = OF(bools, BOOL, 3),
                     none = OF(x, I64, 0), no_floats = OF(x, F64, 0);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        static const double q[] = {0, 0.5, 1};
        stria_array made = {0};
        ok(stria_quantile_new(&made, &a, 3, q, 1, (int[]){0},
                              &(stria_quantile_options){.method = methods[i]}, NULL));
        assert_int_equal(made.view.dtype.kind, STRIA_I64);
        const int64_t *const whole = (const void *)made.view.data;
        assert_true(whole[0] == -large && whole[2] == large + 2);
        assert_true(whole[1] ==
                        (methods[i] == STRIA_QUANTILE_CLOSEST_OBSERVATION ? -large : large) ||
                    whole[1] == large);
        stria_array_release(&made);
        ok(stria_quantile_new(&made, &b, 3, q, 1, (int[]){0},
                              &(stria_quantile_options){.method = methods[i], .skip_nan = true},
                              NULL));
        assert_int_equal(made.view.dtype.kind, STRIA_U64);
        assert_true(((const uint64_t *)(const void *)made.view.data)[2] == UINT64_MAX);
        stria_array_release(&made);
        ok(stria_quantile_new(&made, &c, 3, q, 1, (int[]){0},
                              &(stria_quantile_options){.method = methods[i]}, NULL));
        assert_int_equal(made.view.dtype.kind, STRIA_BOOL);
        assert_memory_equal(made.view.data, ((uint8_t[]){0, 1, 1}), 3);
        stria_array_release(&made);
        assert_int_equal(stria_quantile_new(&made, &none, 3, q, 1, (int[]){0},
                                            &(stria_quantile_options){.method = methods[i]}, NULL),
                         STRIA_ERR_SHAPE);
        ok(stria_quantile_new(&made, &no_floats, 1, q, 1, (int[]){0},
                              &(stria_quantile_options){.method = methods[i]}, NULL));
        assert_true(isnan(*(const double *)(const void *)made.view.data));
        stria_array_release(&made);
    }
}

/* ---- counts ---------------------------------------------------------------------------------- */

TEST(test_histogram)
{
    enum { N = 5000, BINS = 37 };
    static float x[N];
    int64_t counts[BINS], expected[BINS] = {0};
    double edges[BINS + 1];
    uint64_t seed = 71;
    for (int i = 0; i <= BINS; i++)
        edges[i] = i < BINS ? -1 + i * (3.0 / BINS) : 2;
    for (int i = 0; i < N; i++) {
        x[i] = (float)ldexp((double)(int64_t)random_bits(&seed), -61);
        if (i % 50 == 0) x[i] = (float)edges[i / 50 % (BINS + 1)];
        if (i % 70 == 0) x[i] = NAN;
        for (int k = 0; k < BINS; k++)
            expected[k] +=
                x[i] >= edges[k] && (k == BINS - 1 ? x[i] <= edges[k + 1] : x[i] < edges[k + 1]);
    }
    const stria_view a = OF(x, F32, N / 10, 10), c = OF(counts, I64, BINS),
                     e = OF(edges, F64, BINS + 1);
    stria_view turned;
    ok(stria_reverse_dims(&turned, &a));
    ok(stria_histogram(&c, &turned, -1, 2, NULL));
    assert_memory_equal(counts, expected, sizeof counts);
    memset(counts, 0, sizeof counts);
    ok(stria_histogram_edges(&c, &turned, &e, NULL));
    assert_memory_equal(counts, expected, sizeof counts);
    assert_int_equal(stria_histogram(&c, &a, 2, 2, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_histogram(&c, &a, 0, HUGE_VAL, NULL), STRIA_ERR_ARGUMENT);
    edges[5] = edges[7];
    assert_int_equal(stria_histogram_edges(&c, &a, &e, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_histogram_edges(&c, &a, &c, NULL), STRIA_ERR_SHAPE);
}

/* Counts without memory are checked, and no memory is taken for their edges. */
TEST(histograms_without_memory_take_none)
{
    float x[3] = {1, 2, 3};
    const int64_t bins = (int64_t)1 << 59;
    const stria_view a = OF(x, F32, 3);
    stria_view counts;
    stria_buffer *meta;
    ok(stria_buffer_meta(&meta, INT64_MAX));
    ok(stria_view_make(&counts, meta, stria_dtype_of(STRIA_I64), 1, &bins, NULL, 0));
    ok(stria_histogram(&counts, &a, 0, 4, NULL));
    assert_int_equal(stria_histogram(&counts, &a, 4, 0, NULL), STRIA_ERR_ARGUMENT);
    stria_buffer_release(meta);
}

/* Edges that are even, nearly or not at all, and numbers on and beside each of them. */
TEST(test_edges)
{
    enum { BINS = 24, N = 3 * (BINS + 1) + 5 };
    static const double starts[] = {0, -7.3, 1e16, 0x1p-1060, -1e300};
    static const double widths[] = {1, 0.1, 0x1p-30, 2, 0x1p-1070, 1e299};
    uint64_t seed = 73;
    for (int s = 0; s < 5; s++)
        for (int w = 0; w < 6; w++)
            for (int off = 0; off < 4; off++) {
                double edges[BINS + 1], x[N];
                int64_t counts[BINS], expected[BINS] = {0};
                for (int i = 0; i <= BINS; i++)
                    edges[i] = starts[s] +
                               widths[w] * (i + (i % 3 - 1) * (double[]){0, 0.2, 0.249, 0.4}[off]);
                if (!(edges[0] < edges[BINS])) continue;
                for (int i = 0; i <= BINS; i++)
                    for (int k = 0; k < 3; k++)
                        x[3 * i + k] =
                            nextafter(edges[i], (double[]){-HUGE_VAL, edges[i], HUGE_VAL}[k]);
                const double others[] = {NAN, HUGE_VAL, -HUGE_VAL, 0, (double)random_bits(&seed)};
                memcpy(x + 3 * (BINS + 1), others, sizeof others);
                for (int i = 0; i < N; i++)
                    for (int k = BINS - 1; k >= 0; k--)
                        if (x[i] >= edges[k] && x[i] <= edges[BINS]) {
                            expected[k]++;
                            break;
                        }
                const stria_view a = OF(x, F64, N), c = OF(counts, I64, BINS),
                                 e = OF(edges, F64, BINS + 1);
                ok(stria_histogram_edges(&c, &a, &e, NULL));
                assert_memory_equal(counts, expected, sizeof counts);
            }
}

TEST(test_integers)
{
    uint8_t x[] = {3, 0, 3, 7};
    int64_t counts[8], places[4];
    int32_t negative[] = {1, -1};
    double sorted[] = {1, 2, 2, NAN}, values[] = {2, 0, NAN, 9};
    stria_array made = {0};
    const stria_view a = OF(x, U8, 4), c = OF(counts, I64, 8), less = OF(counts, I64, 4),
                     n = OF(negative, I32, 2), s = OF(sorted, F64, 4), v = OF(values, F64, 4),
                     p = OF(places, I64, 4);
    ok(stria_bincount(&c, &a, NULL));
    assert_memory_equal(counts, ((int64_t[]){1, 0, 0, 2, 0, 0, 0, 1}), sizeof counts);
    ok(stria_bincount_new(&made, &a, 9, NULL));
    assert_int_equal(made.view.shape[0], 9);
    stria_array_release(&made);
    assert_int_equal(stria_bincount(&less, &a, NULL), STRIA_ERR_BOUNDS);
    assert_int_equal(stria_bincount(&c, &n, NULL), STRIA_ERR_BOUNDS);
    assert_int_equal(stria_bincount(&c, &s, NULL), STRIA_ERR_DTYPE);
    uint64_t huge[] = {1, UINT64_MAX};
    const stria_view h = OF(huge, U64, 2);
    assert_int_equal(stria_bincount(&c, &h, NULL), STRIA_ERR_BOUNDS);
    assert_message("an element is 18446744073709551615, and counts");
    assert_int_equal(stria_bincount_new(&made, &h, 0, NULL), STRIA_ERR_BOUNDS);
    assert_message("18446744073709551615");
    float weights[] = {0.5F, -1, 2, 0x1p-20F};
    const stria_view w = OF(weights, F32, 4), short_of = OF(weights, F32, 3);
    ok(stria_bincount_weights_new(&made, &a, &w, 9, NULL));
    assert_memory_equal(made.view.data, ((double[]){-1, 0, 0, 2.5, 0, 0, 0, 0x1p-20, 0}),
                        9 * sizeof(double));
    stria_array_release(&made);
    assert_int_equal(stria_bincount_weights_new(&made, &a, &short_of, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_bincount_weights_new(&made, &n, &w, 0, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_bincount_weights_new(&made, &n, &n, 0, NULL), STRIA_ERR_BOUNDS);
    assert_int_equal(stria_bincount_weights_new(&made, &a, &w, -1, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_searchsorted(&p, &s, NULL, &v, false, NULL));
    assert_memory_equal(places, ((int64_t[]){1, 0, 3, 3}), sizeof places);
    ok(stria_searchsorted(&p, &s, NULL, &v, true, NULL));
    assert_memory_equal(places, ((int64_t[]){3, 0, 4, 3}), sizeof places);
    assert_int_equal(stria_searchsorted(&p, &v, NULL, &v, true, NULL), STRIA_ERR_ARGUMENT);
}

/* Integers that are equal as f64 are still told apart. */
TEST(test_search_whole)
{
    const int64_t large = (INT64_C(1) << 53) + 1;
    int64_t sorted[] = {-large, large - 1, large}, values[] = {large, large - 1, -large};
    uint64_t far[] = {5, UINT64_MAX - 1, UINT64_MAX}, ends[] = {UINT64_MAX, 6, UINT64_MAX - 1};
    float floats[] = {-2, -0.0F, 1, NAN}, zeros[] = {0, -2, NAN};
    int64_t places[3];
    const stria_view p = OF(places, I64, 3), i = OF(values, I64, 3), u = OF(ends, U64, 3),
                     s = OF(sorted, I64, 3), t = OF(far, U64, 3), f = OF(floats, F32, 4),
                     z = OF(zeros, F32, 3);
    ok(stria_searchsorted(&p, &s, NULL, &i, false, NULL));
    assert_memory_equal(places, ((int64_t[]){2, 1, 0}), sizeof places);
    ok(stria_searchsorted(&p, &s, NULL, &i, true, NULL));
    assert_memory_equal(places, ((int64_t[]){3, 2, 1}), sizeof places);
    ok(stria_searchsorted(&p, &t, NULL, &u, false, NULL));
    assert_memory_equal(places, ((int64_t[]){2, 1, 1}), sizeof places);
    ok(stria_searchsorted(&p, &f, NULL, &z, false, NULL));
    assert_memory_equal(places, ((int64_t[]){1, 0, 3}), sizeof places);
    assert_int_equal(stria_searchsorted(&p, &i, NULL, &i, false, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_searchsorted(&p, &u, NULL, &u, false, NULL), STRIA_ERR_ARGUMENT);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

TEST(test_compare)
{
    double x[6] = {1, 2, NAN, HUGE_VAL, -0.0, 1e10}, y[6] = {1, 2, NAN, HUGE_VAL, 0, 1e10};
    const stria_view a = OF(x, F64, 6), b = OF(y, F64, 6), other = OF(y, F64, 2, 3);
    const stria_tolerance none = {.equal_nan = true}, usual = {.rtol = 1e-5, .atol = 1e-8};
    stria_difference found;
    bool yes = true;
    ok(stria_array_equal(&yes, &a, &b, false, NULL));
    assert_false(yes);
    ok(stria_array_equal(&yes, &a, &b, true, NULL));
    assert_true(yes);
    ok(stria_array_equal(&yes, &a, &other, true, NULL));
    assert_false(yes);
    ok(stria_compare(&found, &a, &b, &none, NULL));
    assert_true(found.elements == 6 && found.count == 0 && found.first == -1);
    y[1] = 2.00001;
    y[5] = 1e10 + 1e3;
    ok(stria_compare(&found, &a, &b, &none, NULL));
    assert_true(found.count == 2 && found.first == 1 && found.largest_at == 5);
    assert_true(found.largest == 1e3);
    ok(stria_allclose(&yes, &a, &b, &usual, NULL));
    assert_false(yes);
    x[2] = y[2] = 0;
    ok(stria_allclose(&yes, &a, &b, &usual, NULL));
    assert_true(yes);
    y[3] = 1e300;
    ok(stria_allclose(&yes, &a, &b, &usual, NULL));
    assert_false(yes);
    ok(stria_compare(&found, &a, &b, &usual, NULL));
    assert_true(found.count == 1 && found.first == 3 && isinf(found.largest));
    int64_t large[] = {INT64_MAX};
    uint64_t larger[] = {(uint64_t)INT64_MAX + 1};
    const stria_view i = OF(large, I64, 1), u = OF(larger, U64, 1);
    ok(stria_array_equal(&yes, &i, &u, false, NULL));
    assert_false(yes);
    assert_int_equal(stria_allclose(&yes, &a, &b,
                                    &(stria_tolerance){.rtol = -1, .atol = 0, .equal_nan = false},
                                    NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_compare(&found, &a, &other, NULL, NULL), STRIA_ERR_BROADCAST);
}

TEST_MAIN(NULL, NULL)
