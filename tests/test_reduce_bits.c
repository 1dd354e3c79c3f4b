/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of sums: one result for every layout, level and number of threads; inaccessible pages,
 * memory. */
#include <math.h>
#include <string.h>

#include "machine/machine.h"
#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/guard.h"
#include "support/indices.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/test.h"

/* ---- the order ------------------------------------------------------------------------------- */

/* Every layout of the same numbers, any number of threads, each level, and a single row give one
 * sum. */
TEST(test_bits)
{
    enum { ROWS = 37, N = 700 };
    stria_array a = {0}, sums[3] = {0};
    uint64_t seed = 22;
    ok(stria_empty(&a, stria_dtype_of(STRIA_F64), 2, (int64_t[]){ROWS, N}));
    fill_numbers(&seed, &a.view);
    double all = 0;
    uint64_t hash = 0;
    for (int level = 0; next_level(&level);)
        for (int order = STRIA_ORDER_C; order <= STRIA_ORDER_F; order++)
            for (int threads = 1; threads <= 8; threads = threads * 2 + 1) {
                RELEASED stria_array copy = {0};
                const stria_exec exec = {.threads = threads, .run = pool_run_backwards};
                ok(stria_clone_ordered_new(&copy, &a.view, (stria_order)order, NULL));
                for (int d = 0; d < 3; d++)
                    ok(stria_reduce_dims_new(&sums[d], STRIA_SUM, &copy.view,
                                             d < 2 ? 1 : STRIA_ALL_DIMS, &d, NULL, &exec));
                if (hash == 0) {
                    memcpy(&all, sums[2].view.data, sizeof all);
                    memcpy(&hash, sums[1].view.data + 8 * 5, sizeof hash);
                }
                assert_memory_equal(sums[2].view.data, &all, sizeof all);
                assert_memory_equal(sums[1].view.data + 8 * 5, &hash, sizeof hash);
                for (int64_t row = 0; row < ROWS; row++) {
                    stria_view alone;
                    double sum;
                    const stria_view out = OF(&sum, F64, 1);
                    ok(stria_narrow(&alone, &copy.view, 0, row, 1));
                    ok(stria_sum(&out, &alone, 1, (int[]){1}, NULL));
                    assert_memory_equal(sums[1].view.data + 8 * row, &sum, sizeof sum);
                }
                for (int d = 0; d < 3; d++)
                    stria_array_release(&sums[d]);
            }
    stria_array_release(&a);
}

/* A reduction over dim 0 of a C-order array has the bits of the same reduction of its F-order copy,
 * whose columns are rows. */
static void expect_columns_as_rows(stria_reduction op, const stria_view *a, const stria_view *f)
{
    RELEASED stria_array columns = {0}, rows = {0};
    const int dim = 0;
    ok(stria_reduce_dims_new(&columns, op, a, 1, &dim, NULL, NULL));
    ok(stria_reduce_dims_new(&rows, op, f, 1, &dim, NULL, NULL));
    assert_int_equal(stria_nbytes(&columns.view), stria_nbytes(&rows.view));
    assert_memory_equal(columns.view.data, rows.view.data, (size_t)stria_nbytes(&rows.view));
}

/* Columns wider than a tile, of widths that no tile divides. */
TEST(test_wide_columns)
{
    static const stria_reduction ops[] = {STRIA_SUM, STRIA_VAR, STRIA_MAX, STRIA_ARGMIN};
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_U8, STRIA_BOOL};
    const int64_t shapes[][2] = {{270, 2999}, {17, 9003}};
    uint64_t seed = 24;
    for (int i = 0; i < 8; i++) {
        RELEASED stria_array a = {0}, turned = {0};
        ok(stria_empty(&a, stria_dtype_of(kinds[i / 2]), 2, shapes[i % 2]));
        fill_finite(&seed, &a.view);
        ok(stria_clone_ordered_new(&turned, &a.view, STRIA_ORDER_F, NULL));
        for (int level = 0; next_level(&level);)
            for (int op = 0; op < 4; op++)
                expect_columns_as_rows(ops[op], &a.view, &turned.view);
    }
}

/* Elements of an output lie in runs of n, between those of other outputs: the same bits as in one
 * run. */
TEST(test_runs)
{
    static const int64_t runs[] = {16, 48, 64, 256, 528, 1024, 4112};
    uint64_t seed = 37;
    for (int i = 0; i < 7; i++) {
        const int64_t n = runs[i], shape[] = {2, 5, 3, n};
        RELEASED stria_array a = {0}, lined = {0};
        stria_view turned;
        double got[6], expected[6];
        const stria_view out = OF(got, F64, 2, 3), alone = OF(expected, F64, 2, 3);
        ok(stria_empty(&a, stria_dtype_of(STRIA_F64), 4, shape));
        fill_finite(&seed, &a.view);
        ok(stria_permute(&turned, &a.view, 4, (int[]){0, 2, 1, 3}));
        ok(stria_clone_new(&lined, &turned, NULL));
        for (int level = 0; next_level(&level);) {
            ok(stria_reduce_dims(&out, STRIA_SUM, &a.view, 2, (int[]){1, 3}, NULL, NULL));
            ok(stria_reduce_dims(&alone, STRIA_SUM, &lined.view, 2, (int[]){2, 3}, NULL, NULL));
            assert_memory_equal(got, expected, sizeof got);
        }
    }
}

/* Columns of whole leaves, several side by side, and of incomplete ones have the same bits. */
TEST(test_whole_columns)
{
    static const stria_reduction ops[] = {STRIA_SUM, STRIA_PROD, STRIA_VAR};
    const int64_t shapes[][2] = {{256, 300}, {768, 17}, {1024, 16}, {512, 1}, {272, 40}};
    uint64_t seed = 41;
    for (int i = 0; i < 5; i++) {
        RELEASED stria_array a = {0}, turned = {0};
        stria_view view;
        ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 2, shapes[i]));
        fill_finite(&seed, &a.view);
        ok(stria_permute(&view, &a.view, 2, (int[]){1, 0}));
        ok(stria_clone_new(&turned, &view, NULL));
        for (int level = 0; next_level(&level);)
            for (int k = 0; k < 3; k++) {
                double got, expected;
                const stria_view out = OF(&got, F64, 1, 1), alone = OF(&expected, F64, 1, 1);
                const stria_reduction op = ops[k];
                ok(stria_reduce_dims(&out, op, &view, STRIA_ALL_DIMS, NULL, NULL, NULL));
                ok(stria_reduce_dims(&alone, op, &turned.view, STRIA_ALL_DIMS, NULL, NULL, NULL));
                assert_memory_equal(&got, &expected, sizeof got);
            }
    }
}

/* So many results that they are streamed past the caches, which must leave bytes around them
 * alone. */
TEST(test_streamed)
{
    enum { N = 3000001 };
    RELEASED stria_array a = {0}, out = {0};
    ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 2, (int64_t[]){N, 2}));
    ok(stria_empty(&out, stria_dtype_of(STRIA_F32), 1, (int64_t[]){N + 4}));
    float *const x = (float *)(void *)a.view.data, *const y = (float *)(void *)out.view.data;
    for (int64_t i = 0; i < 2 * N; i++)
        x[i] = (float)(i % 4099) / 7;
    for (int threads = 1; threads < 4; threads++) {
        struct pool pool = {0};
        const stria_exec exec = {.threads = threads, .run = pool_run, .context = &pool};
        const stria_view inner = OF(y + threads, F32, N);
        y[threads - 1] = y[threads + N] = -1;
        ok(stria_reduce_dims(&inner, STRIA_SUM, &a.view, 1, (int[]){1}, NULL, &exec));
        int64_t wrong = y[threads - 1] != -1 || y[threads + N] != -1;
        for (int64_t i = 0; i < N; i++)
            wrong += y[threads + i] != (float)((double)x[2 * i] + (double)x[2 * i + 1]);
        assert_int_equal(wrong, 0);
    }
}

/* Deviations are divided once the mean is known; calls with two results have the bits of two
 * calls. */
TEST(test_pairs)
{
    enum { N = 700001 };
    RELEASED stria_array a = {0};
    uint64_t seed = 29;
    ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 1, (int64_t[]){N}));
    float *const x = (float *)(void *)a.view.data;
    for (int i = 0; i < N; i++)
        x[i] = (float)ldexp((double)(int64_t)random_bits(&seed), -62) + 3;
    float alone[4];
    const stria_reduction op[] = {STRIA_MEAN, STRIA_VAR, STRIA_MIN, STRIA_MAX};
    for (int i = 0; i < 4; i++) {
        const stria_view out = OF(&alone[i], F32, 1);
        const stria_exec exec = {.threads = 1};
        ok(stria_reduce_dims(&out, op[i], &a.view, STRIA_ALL_DIMS, NULL, NULL, &exec));
    }
    for (int threads = 1; threads < 7; threads++) {
        float got[4], var;
        struct pool pool = {0};
        const stria_exec exec = {.threads = threads, .run = pool_run, .context = &pool};
        const stria_view each[] = {OF(got, F32, 1), OF(got + 1, F32, 1), OF(got + 2, F32, 1),
                                   OF(got + 3, F32, 1)},
                         one = OF(&var, F32, 1);
        ok(stria_var(&one, &a.view, STRIA_ALL_DIMS, NULL, 0, &exec));
        assert_memory_equal(&var, &alone[1], sizeof var);
        assert_true(threads == 1 ? pool.calls == 0 : pool.calls == 2);
        ok(stria_mean_var(&each[0], &each[1], &a.view, STRIA_ALL_DIMS, NULL, 0, &exec));
        ok(stria_minmax(&each[2], &each[3], &a.view, STRIA_ALL_DIMS, NULL, &exec));
        assert_memory_equal(got, alone, sizeof got);
    }
}

/* Minima and maxima in one call, of every dtype and over every dim, are those of two calls. */
TEST(test_pairs_of_dtypes)
{
    enum { N = 8 * 37 * 23 };
    _Alignas(8) uint8_t in[N], out[4][8 * 37 * 23];
    uint64_t seed = 31;
    for (int kind = STRIA_BOOL; kind <= STRIA_F64; kind++) {
        for (size_t i = 0; i < N; i++)
            in[i] = kind == STRIA_BOOL ? random_bits(&seed) & 1 : (uint8_t)random_bits(&seed);
        for (int d = 0; d < 3; d++) {
            stria_view a, to[4];
            const stria_dtype dtype = stria_dtype_of((stria_kind)kind);
            const int64_t shape[] = {37, 23}, kept = d < 2 ? shape[!d] : 1;
            ok(stria_view_foreign(&a, in, dtype, 2, shape, NULL, 0));
            for (int i = 0; i < 4; i++)
                ok(stria_view_foreign(&to[i], out[i], dtype, d < 2, &kept, NULL, 0));
            const int count = d < 2 ? 1 : STRIA_ALL_DIMS;
            ok(stria_minmax(&to[0], &to[1], &a, count, &d, NULL));
            ok(stria_min(&to[2], &a, count, &d, NULL));
            ok(stria_max(&to[3], &a, count, &d, NULL));
            assert_memory_equal(out[0], out[2], (size_t)(kept * dtype.itemsize));
            assert_memory_equal(out[1], out[3], (size_t)(kept * dtype.itemsize));
        }
    }
}

/* Sizes of blocks and tiles depend on the caches, results do not. */
TEST(test_caches)
{
    enum { N = 300, OPS = 4 };
    static const stria_reduction ops[] = {STRIA_SUM, STRIA_VAR, STRIA_MAX, STRIA_ARGMAX};
    static const int64_t l2[] = {0, 64 << 10, 512 << 10, 3 << 20, 64 << 20};
    RELEASED stria_array a = {0}, small = {0};
    uint64_t seed = 43;
    ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 3, (int64_t[]){N, 5, N}));
    for (int i = 0; i < 5 * N * N; i++)
        ((float *)(void *)a.view.data)[i] = (float)ldexp((double)(int64_t)random_bits(&seed), -62);
    ok(stria_empty(&small, stria_dtype_of(STRIA_F16), 3, a.view.shape));
    ok(stria_copy(&small.view, &a.view, NULL));
    for (int d = 0; d < 3; d++)
        for (int op = 0; op < OPS; op++)
            for (int narrow = 0; narrow < 2; narrow++) {
                RELEASED stria_array expected = {0}, got = {0};
                for (size_t i = 0; i < sizeof l2 / sizeof *l2; i++) {
                    stria__machine_set_l2(l2[i]);
                    ok(stria_reduce_dims_new(i ? &got : &expected, ops[op],
                                             narrow ? &small.view : &a.view, 1, &d, NULL, NULL));
                    if (i)
                        assert_memory_equal(got.view.data, expected.view.data,
                                            (size_t)stria_nbytes(&got.view));
                }
            }
    stria__machine_set_l2(0);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Operands lie beside inaccessible pages, in both forms, with every length around a leaf. */
TEST(test_guards)
{
    enum { ROOM = 1 << 17 };
    struct guard in = guard_new(ROOM), to = guard_new(ROOM);
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_U8, STRIA_I32, STRIA_F16};
    for (int level = 0; next_level(&level);)
        for (int k = 0; k < 5; k++)
            for (int64_t n = 1; n < 530; n += n < 40 ? 1 : 61)
                for (int64_t w = 1; w < 20; w += 6)
                    for (int form = 0; form < 2; form++) {
                        const stria_dtype dtype = stria_dtype_of(kinds[k]);
                        const int64_t shape[] = {form ? n : w, form ? w : n};
                        stria_view a, out;
                        char *const data = guard_high(&in, (size_t)(n * w * dtype.itemsize));
                        memset(data, 1, (size_t)(n * w * dtype.itemsize));
                        ok(stria_view_foreign(&a, data, dtype, 2, shape, NULL, STRIA_READONLY));
                        ok(stria_view_foreign(&out, guard_high(&to, (size_t)w * 8),
                                              stria_dtype_of(STRIA_F64), 1, &w, NULL, 0));
                        const int dim = !form;
                        ok(stria_mean(&out, &a, 1, &dim, NULL));
                        double first, mean;
                        convert(data, kinds[k], &first, STRIA_F64);
                        for (int64_t i = 0; i < w; i++) {
                            memcpy(&mean, out.data + 8 * i, sizeof mean);
                            assert_true(fabs(mean - first) <= 1e-12 * fabs(first));
                        }
                        ok(stria_max(&out, &a, 1, &dim, NULL));
                        memcpy(&mean, out.data, sizeof mean);
                        assert_true(mean == first);
                    }
    guard_free(&in);
    guard_free(&to);
}

/* Without scratch memory, and with each allocation refused, results have the same bits or the
 * status is MEMORY. */
TEST(test_little_memory)
{
    enum { N = 2000 };
    static float x[N][3];
    float sums[3], again[3];
    double means[N];
    uint64_t seed = 24;
    for (int i = 0; i < N * 3; i++)
        x[i / 3][i % 3] = (float)ldexp((double)(int64_t)random_bits(&seed), -60);
    const stria_view a = OF(x, F32, N, 3), out = OF(sums, F32, 3), more = OF(again, F32, 3),
                     mean = OF(means, F64, N);
    ok(stria_sum(&out, &a, 1, (int[]){0}, NULL));
    ok(stria_set_scratch_limit(0));
    ok(stria_sum(&more, &a, 1, (int[]){0}, NULL));
    assert_memory_equal(sums, again, sizeof sums);
    ok(stria_mean(&mean, &a, 1, (int[]){1}, NULL));
    ok(stria_set_scratch_limit(STRIA_SCRATCH));
    for (int64_t fail_at = 1; fail_at < 4; fail_at++) {
        stria_array made = {0};
        counting_begin(fail_at);
        const stria_status status =
            stria_reduce_dims_new(&made, STRIA_SUM, &a, 1, (int[]){0}, NULL, NULL);
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        if (status == STRIA_OK) {
            assert_memory_equal(made.view.data, sums, sizeof sums);
            stria_array_release(&made);
        }
        counting_end();
    }
}

/* A parallel-for that makes another call, under another limit, while the reduction waits for it. */
static void run_and_call(void (*task)(void *data, int64_t i), void *data, int64_t count,
                         void *context)
{
    RELEASED stria_array sums = {0};
    for (int64_t i = 0; i < count; i++)
        task(data, i);
    ok(stria_set_scratch_limit(0));
    ok(stria_reduce_dims_new(&sums, STRIA_SUM, context, 1, (int[]){0}, NULL, NULL));
}

/* Scratch memory of a reduction does not depend on other calls of its thread in a callback. */
TEST(test_calls_between)
{
    enum { ROWS = 3000, N = 1000 };
    RELEASED stria_array a = {0};
    uint64_t seed = 25;
    const stria_exec exec = {.threads = 2, .run = run_and_call, .context = &a.view};
    ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 2, (int64_t[]){ROWS, N}));
    fill_numbers(&seed, &a.view);
    for (int d = -1; d < 2; d++) {
        RELEASED stria_array alone = {0}, between = {0};
        const int ndim = d < 0 ? STRIA_ALL_DIMS : 1;
        ok(stria_reduce_dims_new(&alone, STRIA_SUM, &a.view, ndim, &d, NULL, NULL));
        ok(stria_reduce_dims_new(&between, STRIA_SUM, &a.view, ndim, &d, NULL, &exec));
        ok(stria_set_scratch_limit(STRIA_SCRATCH));
        assert_memory_equal(alone.view.data, between.view.data,
                            (size_t)(stria_numel(&alone.view) * alone.view.dtype.itemsize));
    }
}

TEST_MAIN(NULL, NULL)
