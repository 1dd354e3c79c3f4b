/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order in which contractions sum is the defined one, for every layout, level and number of
 * threads, and beside a BLAS of the host.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/guard.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/scattered.h"
#include "support/test.h"

/* ---- the defined order ----------------------------------------------------------------------- */

/* Rounds once per operation; volatile, so that nothing is fused. */
static float sum_f32(const float *a, const float *b, int64_t n, int64_t sa, int64_t sb)
{
    volatile float sum = 0;
    for (int64_t k = 0; k < n; k++) {
        const volatile float product = a[k * sa] * b[k * sb];
        sum = sum + product;
    }
    return sum;
}

/* Every layout, level and number of threads gives the sums in the defined order. */
TEST(test_defined)
{
    enum { M = 21, K = 600, N = 70 };
    uint64_t seed = 8;
    static float a[M * K], b[K * N], expected[M * N];
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(int64_t)random_bits(&seed);
    for (int i = 0; i < K * N; i++)
        b[i] = (float)(int32_t)random_bits(&seed) * 0x1p-40F;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            expected[i * N + j] = sum_f32(a + i * K, b + j, K, 1, N);
    const stria_view wanted = OF(expected, F32, M, N), va = OF(a, F32, M, K), vb = OF(b, F32, K, N);
    int level = 0;
    while (next_level(&level))
        for (int round = 0; round < 8; round++) {
            const int64_t shapes[3][2] = {{M, K}, {K, N}, {M, N}};
            stria_array x = scattered(&seed, stria_dtype_of(STRIA_F32), 2, shapes[0], true),
                        y = scattered(&seed, stria_dtype_of(STRIA_F32), 2, shapes[1], true),
                        z = scattered(&seed, stria_dtype_of(STRIA_F32), 2, shapes[2], true);
            ok(stria_copy(&x.view, &va, NULL));
            ok(stria_copy(&y.view, &vb, NULL));
            struct pool pool = {0};
            const stria_exec exec = {.hints = STRIA_REPRODUCIBLE,
                                     .threads = 1 + round % 3,
                                     .run = pool_run,
                                     .context = &pool};
            ok(stria_matmul(&z.view, &x.view, &y.view, &exec));
            assert_true(same_elements(&z.view, &wanted));
            stria_array_release(&x);
            stria_array_release(&y);
            stria_array_release(&z);
        }
}

/* The dims that are summed are ordered by the first operand, whichever of them is nearest in
 * memory. */
TEST(test_defined_dims)
{
    uint64_t seed = 13;
    const stria_exec exec = {.hints = STRIA_REPRODUCIBLE};
    stria_array a[2], far[2] = {{0}}, made[2] = {{0}};
    stria_view turned[2];
    for (int i = 0; i < 2; i++) {
        a[i] = WHOLE(&seed, STRIA_F32, 40, 60, 10);
        float *const items = (float *)(void *)a[i].view.data;
        for (int k = 0; k < 40 * 60 * 10; k++)
            items[k] = (float)(int32_t)random_bits(&seed) * 0x1p-30F;
        ok(stria_transpose(&turned[i], &a[i].view, 1, 2));
        ok(stria_clone_ordered_new(&far[i], &turned[i], STRIA_ORDER_C, NULL));
        ok(stria_transpose(&turned[i], &far[i].view, 1, 2));
    }
    ok(stria_einsum_new(&made[0], "ifx,nfx->in", 2, (const stria_view *[]){&a[0].view, &a[1].view},
                        &exec));
    ok(stria_einsum_new(&made[1], "ifx,nfx->in", 2, (const stria_view *[]){&turned[0], &turned[1]},
                        &exec));
    assert_true(same_elements(&made[0].view, &made[1].view));
    for (int i = 0; i < 2; i++) {
        stria_array_release(&a[i]);
        stria_array_release(&far[i]);
        stria_array_release(&made[i]);
    }
}

/* Dense operands of any size lie between inaccessible pages: no kernel reads or writes beyond
 * them. */
TEST(test_bounds)
{
    enum { SIZES = 5 };
    static const int64_t sizes[SIZES][3] = {
        {9, 9, 9}, {1, 7, 35}, {17, 3, 5}, {33, 40, 1}, {5, 70, 67}};
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_I32, STRIA_U64};
    struct guard guards[3];
    guards_new(guards, 3, 5 * 70 * 67 * 8);
    int level = 0;
    while (next_level(&level))
        for (int i = 0; i < SIZES; i++)
            for (int k = 0; k < 4; k++) {
                const int64_t m = sizes[i][0], s = sizes[i][1], n = sizes[i][2];
                const int64_t shapes[3][2] = {{m, s}, {s, n}, {m, n}};
                stria_view v[3], turned;
                uint64_t seed = 1;
                for (int o = 0; o < 3; o++) {
                    const size_t item = k % 2 ? 8 : 4;
                    char *const at =
                        guard_high(&guards[o], (size_t)(shapes[o][0] * shapes[o][1]) * item);
                    v[o] = of(at, kinds[k], 2, shapes[o]);
                    fill_whole(&seed, &v[o]);
                }
                const stria_exec exec = {.hints = STRIA_REPRODUCIBLE};
                ok(stria_matmul(&v[2], &v[0], &v[1], &exec));
                v[1] = of(v[1].data, kinds[k], 2, (int64_t[]){n, s});
                ok(stria_reverse_dims(&turned, &v[1]));
                ok(stria_matmul(&v[2], &v[0], &turned, &exec));
            }
    guards_free(guards, 3);
}

/* ---- a BLAS of the host ---------------------------------------------------------------------- */

static int blas_calls;

/* Computes cblas_sgemm by its definition row by row, with 64-bit integers. */
static void host_sgemm(int order, int how_a, int how_b, int64_t m, int64_t n, int64_t k,
                       float alpha, const float *a, int64_t lda, const float *b, int64_t ldb,
                       float beta, float *c, int64_t ldc)
{
    assert_int_equal(order, 101);
    assert_true(lda >= (how_a == 111 ? k : m) && ldb >= (how_b == 111 ? n : k) && ldc >= n);
    blas_calls++;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += (how_a == 111 ? a[i * lda + l] : a[l * lda + i]) *
                       (how_b == 111 ? b[l * ldb + j] : b[j * ldb + l]);
            c[i * ldc + j] = alpha * sum + (beta != 0 ? beta * c[i * ldc + j] : 0);
        }
}

/* Computes cblas_sgemv by its definition. */
static void host_sgemv(int order, int how, int64_t m, int64_t n, float alpha, const float *a,
                       int64_t lda, const float *x, int64_t step_x, float beta, float *y,
                       int64_t step_y)
{
    const bool plain = how == 111;
    assert_true(order == 101 && lda >= n && step_x > 0 && step_y > 0 && beta == 0);
    blas_calls++;
    for (int64_t i = 0; i < (plain ? m : n); i++) {
        float sum = 0;
        for (int64_t j = 0; j < (plain ? n : m); j++)
            sum += (plain ? a[i * lda + j] : a[j * lda + i]) * x[j * step_x];
        y[i * step_y] = alpha * sum;
    }
}

/* Parts of threads that are cut to larger blocks than the whole is: 12 of 25, which is cut to 9. */
TEST(test_uneven_parts)
{
    uint64_t seed = 12;
    const stria_exec two = {.threads = 2, .run = pool_run};
    stria_array a = WHOLE(&seed, STRIA_I16, 25, 64, 40), b = WHOLE(&seed, STRIA_I16, 64, 80);
    const stria_view *const ab[] = {&a.view, &b.view};
    RELEASED stria_array one = {0}, made = {0};
    ok(stria_einsum_new(&one, "akb,kc->acb", 2, ab, NULL));
    ok(stria_einsum_new(&made, "akb,kc->acb", 2, ab, &two));
    assert_true(same_elements(&one.view, &made.view));
    stria_array_release(&a);
    stria_array_release(&b);
}

/* Thin products of several dims, in every order of them, are those of the defined order. */
static void check_thin(stria_kind kind)
{
    static const struct {
        const char *text;
        int64_t a[4], b[4], c[6];
        int dims[3];
    } cases[] = {
        {"dega,gfbc->abcdef", {5, 7, 9, 4}, {9, 18, 3, 6}, {4, 3, 6, 5, 7, 18}, {4, 4, 6}},
        {"ebad,ce->abcd", {12, 9, 16, 40}, {6, 12}, {16, 9, 6, 40}, {4, 2, 4}},
        {"dbea,ec->abcd", {30, 9, 12, 16}, {12, 6}, {16, 9, 6, 30}, {4, 2, 4}},
        {"bda,dc->abc", {3, 100, 50}, {100, 20}, {50, 3, 20}, {3, 2, 3}},
        {"acd,db->abc", {3, 50, 100}, {100, 20}, {3, 20, 50}, {3, 2, 3}},
    };
    uint64_t seed = 10;
    const stria_exec exec = {.hints = STRIA_REPRODUCIBLE};
    for (int round = 0; round < 40; round++) {
        const int i = round % 5;
        const stria_dtype dtype = stria_dtype_of(kind);
        stria_array a = scattered(&seed, dtype, cases[i].dims[0], cases[i].a, false),
                    b = scattered(&seed, dtype, cases[i].dims[1], cases[i].b, false),
                    c = scattered(&seed, dtype, cases[i].dims[2], cases[i].c, true), defined = {0};
        const stria_view *const ab[] = {&a.view, &b.view};
        fill_whole(&seed, &a.view);
        fill_whole(&seed, &b.view);
        ok(stria_einsum(&c.view, cases[i].text, 2, ab, NULL));
        ok(stria_einsum_new(&defined, cases[i].text, 2, ab, &exec));
        assert_true(same_elements(&c.view, &defined.view));
        stria_array_release(&a);
        stria_array_release(&b);
        stria_array_release(&c);
        stria_array_release(&defined);
    }
}

TEST(test_blas_of_the_host)
{
    uint64_t seed = 9;
    char text[256];
    const stria_blas host = {.sgemm = (stria_blas_function *)host_sgemm,
                             .sgemv = (stria_blas_function *)host_sgemv,
                             .int_bits = 64,
                             .name = "mine"};
    ok(stria_set_blas(&host));
    ok(stria_blas_describe(text, sizeof text, NULL));
    assert_string_equal(text, "mine, 64-bit integers");
    check_thin(STRIA_F32);
    check_thin(STRIA_F64);
    for (int round = 0; round < 40; round++) {
        const bool thin = round % 2; /* the library's kernels may be faster for these */
        const int64_t m = thin ? 40 : 70, k = thin ? 1500 : 500, n = thin ? 30 : 66;
        const int64_t shapes[3][2] = {{m, k}, {k, n}, {m, n}};
        stria_array a = scattered(&seed, stria_dtype_of(STRIA_F32), 2, shapes[0], false),
                    b = scattered(&seed, stria_dtype_of(STRIA_F32), 2, shapes[1], false),
                    c = scattered(&seed, stria_dtype_of(STRIA_F32), 2, shapes[2], true),
                    defined = {0};
        fill_whole(&seed, &a.view);
        fill_whole(&seed, &b.view);
        const int calls = blas_calls;
        ok(stria_matmul(&c.view, &a.view, &b.view, NULL));
        assert_true(thin || blas_calls > calls);
        const stria_exec exec = {.hints = STRIA_REPRODUCIBLE};
        const int then = blas_calls;
        ok(stria_matmul_new(&defined, &a.view, &b.view, &exec));
        assert_int_equal(blas_calls, then);
        assert_true(same_elements(&c.view, &defined.view));
        stria_view column, into; /* a BLAS may or may not take their layouts */
        ok(stria_select(&column, &b.view, 1, round % 30));
        ok(stria_select(&into, &c.view, 1, 3));
        ok(stria_matmul(&into, &a.view, &column, NULL));
        ok(stria_matmul_new(&defined, &a.view, &column, &exec));
        assert_true(same_elements(&into, &defined.view));
        stria_array_release(&a);
        stria_array_release(&b);
        stria_array_release(&c);
        stria_array_release(&defined);
    }
    stria_array a = WHOLE(&seed, STRIA_F32, 80, 90), v = WHOLE(&seed, STRIA_F32, 90), made = {0};
    const int calls = blas_calls;
    ok(stria_matmul_new(&made, &a.view, &v.view, NULL));
    assert_int_equal(blas_calls, calls + 1);
    stria_array_release(&a);
    stria_array_release(&v);
    stria_array_release(&made);
    assert_int_equal(stria_set_blas(&(stria_blas){.int_bits = 16}), STRIA_ERR_ARGUMENT);
    ok(stria_set_blas(&(stria_blas){.int_bits = 32}));
    ok(stria_blas_describe(text, sizeof text, NULL));
    assert_string_equal(text, "none");
    assert_int_equal(stria_blas_describe(NULL, 5, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_set_blas(NULL));
}

TEST_MAIN(NULL, NULL)
