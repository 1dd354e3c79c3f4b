/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions divided among threads: the same bits for any number of them, and each thread has
 * work. */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/items.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/reference_tree.h"
#include "support/test.h"

/* Rows long enough that blocks are divided among threads. */
TEST(test_threads)
{
    enum { N = 3000001 };
    RELEASED stria_array a = {0};
    uint64_t seed = 23;
    ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 1, (int64_t[]){N}));
    float *const x = (float *)(void *)a.view.data;
    double *const wide = test_malloc(N * sizeof *wide);
    for (int i = 0; i < N; i++)
        wide[i] = x[i] = (float)ldexp((double)(int64_t)random_bits(&seed), -62);
    const double expected = tree_of(false, wide, N) + 0.0;
    for (int threads = 1; threads < 9; threads++) {
        double sum;
        struct pool pool = {0};
        const stria_view out = OF(&sum, F64, 1);
        const stria_exec exec = {.threads = threads, .run = pool_run, .context = &pool};
        ok(stria_reduce_dims(&out, STRIA_SUM, &a.view, STRIA_ALL_DIMS, NULL, NULL, &exec));
        assert_memory_equal(&sum, &expected, sizeof sum);
        assert_true(threads == 1 ? pool.calls == 0 : pool.calls == 1);
    }
    test_free(wide);
}

/* Sizes that no number of threads divides: tiles become narrower and blocks smaller. */
TEST(test_shares)
{
    enum { LONG = 1030 };
    static const stria_reduction ops[] = {STRIA_SUM, STRIA_MAX, STRIA_VAR};
    const int64_t shapes[][2] = {{LONG, 600}, {300, LONG}, {5, 130001}};
    uint64_t seed = 31;
    stria_array a = {0};
    for (int i = 0; i < 18; i++) {
        const int64_t *const shape = shapes[i / 6];
        const int dim = i % 2;
        const int64_t n = shape[1 - dim];
        if (i % 6 == 0) {
            stria_array_release(&a);
            ok(stria_empty(&a, stria_dtype_of(STRIA_F32), 2, shape));
            fill_finite(&seed, &a.view);
        }
        float *const got = test_malloc((size_t)n * 2 * sizeof *got);
        for (int threads = 1; threads < 6; threads++) {
            struct pool pool = {0};
            const stria_exec exec = {.threads = threads, .run = pool_run, .context = &pool};
            const stria_view out = OF(threads == 1 ? got : got + n, F32, n);
            ok(stria_reduce_dims(&out, ops[i / 2 % 3], &a.view, 1, &dim, NULL, &exec));
            assert_true(threads == 1 || pool.calls > 0);
            assert_memory_equal(got, out.data, (size_t)n * sizeof *got);
        }
        test_free(got);
    }
    stria_array_release(&a);
}

/* So many threads that blocks become small and many: scratch memory suffices for all levels. */
TEST(test_many_threads)
{
    enum { THREADS = 64 };
    const int64_t shape[] = {2100, 7000}, n = shape[1];
    const int dim = 0;
    uint64_t seed = 43;
    RELEASED stria_array a = {0}, wanted = {0}, got = {0};
    struct pool pool = {0};
    const stria_exec exec = {.threads = THREADS, .run = pool_run, .context = &pool};
    ok(stria_empty(&a, stria_dtype_of(STRIA_U8), 2, shape));
    ok(stria_empty(&got, stria_dtype_of(STRIA_I64), 1, &n));
    fill_finite(&seed, &a.view);
    ok(stria_reduce_dims_new(&wanted, STRIA_ARGMAX, &a.view, 1, &dim, NULL, NULL));
    ok(stria_reduce_dims(&got.view, STRIA_ARGMAX, &a.view, 1, &dim, NULL, &exec));
    assert_true(pool.calls > 0);
    assert_memory_equal(got.view.data, wanted.view.data, (size_t)stria_nbytes(&got.view));
}

TEST_MAIN(NULL, NULL)
