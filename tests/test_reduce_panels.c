/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions whose order of elements goes across memory: the bits are those of the same elements in
 * order, for columns of any length, dims between, any scratch memory and number of threads.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/test.h"

/* Makes numbers between -2 and 2 of that dtype in C order. */
static void make_numbers(stria_array *out, stria_kind kind, int ndim, const int64_t *shape)
{
    static uint64_t seed = 5;
    RELEASED stria_array wide = {0};
    ok(stria_empty(&wide, stria_dtype_of(STRIA_F64), ndim, shape));
    for (int64_t i = 0; i < stria_numel(&wide.view); i++) {
        const double number = ldexp((double)(int64_t)random_bits(&seed), -62);
        memcpy(wide.view.data + i * (int64_t)sizeof number, &number, sizeof number);
    }
    ok(stria_empty(out, stria_dtype_of(kind), ndim, shape));
    ok(stria_copy(&out->view, &wide.view, NULL));
}

/* Makes the same array with dims in that order in memory. */
static void turn(stria_array *out, const stria_view *a, const int *order)
{
    ok(stria_empty_permuted(out, a->dtype, a->ndim, a->shape, order));
    ok(stria_copy(&out->view, a, NULL));
}

static void expect_same(const stria_view *a, const stria_view *turned, stria_reduction op,
                        const stria_exec *exec)
{
    RELEASED stria_array wanted = {0}, got = {0};
    ok(stria_reduce_dims_new(&wanted, op, a, STRIA_ALL_DIMS, NULL, NULL, NULL));
    ok(stria_reduce_dims_new(&got, op, turned, STRIA_ALL_DIMS, NULL, NULL, exec));
    assert_memory_equal(got.view.data, wanted.view.data, (size_t)stria_nbytes(&wanted.view));
}

static const struct {
    int ndim, order[4];
    int64_t shape[4];
} layouts[] = {
    {2, {1, 0}, {17, 5003}},
    {2, {1, 0}, {3, 7001}},
    {2, {1, 0}, {90, 768}},
    {2, {1, 0}, {65, 769}},
    {2, {1, 0}, {33, 1024}},
    {3, {2, 1, 0}, {5, 7, 1500}},
    {3, {1, 2, 0}, {50, 40, 61}},
    {3, {2, 0, 1}, {4, 150, 131}},
    {3, {0, 2, 1}, {2, 9, 1999}},
    {4, {2, 3, 1, 0}, {2, 33, 5, 301}},
    {4, {3, 0, 2, 1}, {3, 3, 41, 97}},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static void check(int layout, stria_kind kind, const stria_reduction *ops, int count,
                  const stria_exec *exec)
{
    RELEASED stria_array a = {0}, turned = {0};
    make_numbers(&a, kind, layouts[layout].ndim, layouts[layout].shape);
    turn(&turned, &a.view, layouts[layout].order);
    for (int i = 0; i < count; i++)
        expect_same(&a.view, &turned.view, ops[i], exec);
}

static const stria_reduction ordered[] = {STRIA_SUM,    STRIA_MEAN, STRIA_VAR,       STRIA_ARGMAX,
                                          STRIA_ARGMIN, STRIA_NORM, STRIA_LOGSUMEXP, STRIA_NANSUM};

TEST(test_dtypes)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_F16, STRIA_BF16, STRIA_I16};
    for (int level = 0, turn = 0; next_level(&level); turn += 2)
        for (int l = 0; l < LAYOUTS; l++) {
            const stria_kind kind = kinds[(l + turn) % 5];
            check(l, kind, ordered, kind == STRIA_I16 ? 5 : 8, &(stria_exec){.threads = 1});
        }
}

/* A product of many numbers below 2 stays finite. */
TEST(test_products_and_complex)
{
    static const stria_reduction product[] = {STRIA_PROD, STRIA_SUM};
    for (int l = 0; l < LAYOUTS; l++) {
        check(l, STRIA_F64, product, 1, &(stria_exec){.threads = 1});
        check(l, STRIA_C64, product + 1, 1, &(stria_exec){.threads = 1});
        check(l, STRIA_C128, product + 1, 1, &(stria_exec){.threads = 1});
    }
}

TEST(test_threads)
{
    for (int threads = 2; threads < 6; threads += 3)
        for (int l = 0; l < LAYOUTS; l++)
            check(l, STRIA_F32, ordered, 4,
                  &(stria_exec){.threads = threads, .run = pool_run_backwards});
}

/* Scratch memory of every size, and refused allocations. */
TEST(test_little_memory)
{
    const stria_exec alone = {.threads = 1};
    for (int64_t limit = 0; limit <= STRIA_SCRATCH; limit = limit ? 4 * limit : 16 << 10) {
        ok(stria_set_scratch_limit(limit));
        check(0, STRIA_F32, ordered, 4, &alone);
        check(8, STRIA_F16, ordered, 4, &alone);
    }
    RELEASED stria_array a = {0}, turned = {0};
    make_numbers(&a, STRIA_F32, 2, layouts[0].shape);
    turn(&turned, &a.view, layouts[0].order);
    double wanted, got;
    stria_view out;
    ok(stria_view_foreign(&out, &wanted, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    ok(stria_sum(&out, &a.view, STRIA_ALL_DIMS, NULL, &alone));
    out.data = (char *)&got;
    counting_begin(1);
    ok(stria_sum(&out, &turned.view, STRIA_ALL_DIMS, NULL, &alone));
    counting_end();
    assert_memory_equal(&got, &wanted, sizeof got);
}

/* Reduces an expression whose operands differ in order, so that it is computed box by box. */
TEST(test_expressions)
{
    for (int l = 0; l < LAYOUTS; l++)
        for (int op = 0; op < 3; op++) {
            const stria_reduction ops[] = {STRIA_SUM, STRIA_VAR, STRIA_MAX};
            stria_array a = {0}, b = {0}, turned = {0}, sums = {0}, wanted = {0}, got = {0};
            stria_expr *expr;
            int nodes[3];
            make_numbers(&a, STRIA_F32, layouts[l].ndim, layouts[l].shape);
            make_numbers(&b, STRIA_F32, layouts[l].ndim, layouts[l].shape);
            turn(&turned, &b.view, layouts[l].order);
            ok(stria_expr_make(&expr));
            ok(stria_expr_input(expr, &nodes[0], 0));
            ok(stria_expr_input(expr, &nodes[1], 1));
            ok(stria_expr_op(expr, &nodes[2], STRIA_SUBTRACT, 2, nodes));
            const stria_view *const in_order[] = {&a.view, &b.view}, *const across[] = {
                                                                         &a.view, &turned.view};
            ok(stria_expr_evaluate_new(&sums, expr, 2, in_order, NULL));
            ok(stria_reduce_dims_new(&wanted, ops[op], &sums.view, STRIA_ALL_DIMS, NULL, NULL,
                                     NULL));
            ok(stria_expr_reduce_new(&got, expr, ops[op], 2, across, STRIA_ALL_DIMS, NULL, NULL,
                                     NULL));
            assert_memory_equal(got.view.data, wanted.view.data,
                                (size_t)stria_nbytes(&wanted.view));
            stria_expr_release(expr);
            for (int i = 0; i < 6; i++)
                stria_array_release((stria_array *[]){&a, &b, &turned, &sums, &wanted, &got}[i]);
        }
}

TEST_MAIN(NULL, NULL)
