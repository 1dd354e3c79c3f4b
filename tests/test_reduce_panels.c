/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions whose order of elements goes across memory: the bits are those of the same elements in
 * order, for columns of any length, dims between, any scratch memory and number of threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"

/* Makes numbers between -2 and 2 of that dtype in C order. */
static void make_numbers(stria_array *out, stria_kind kind, int ndim, const int64_t *shape)
{
    static uint64_t seed = 5;
    stria_array wide = {0};
    assert_int_equal(stria_empty(&wide, stria_dtype_of(STRIA_F64), ndim, shape), STRIA_OK);
    for (int64_t i = 0; i < stria_numel(&wide.view); i++) {
        const double number = ldexp((double)(int64_t)random_bits(&seed), -62);
        memcpy(wide.view.data + i * (int64_t)sizeof number, &number, sizeof number);
    }
    assert_int_equal(stria_empty(out, stria_dtype_of(kind), ndim, shape), STRIA_OK);
    assert_int_equal(stria_copy(&out->view, &wide.view, NULL), STRIA_OK);
    stria_array_release(&wide);
}

/* Makes the same array with dims in that order in memory. */
static void turn(stria_array *out, const stria_view *a, const int *order)
{
    assert_int_equal(stria_empty_permuted(out, a->dtype, a->ndim, a->shape, order), STRIA_OK);
    assert_int_equal(stria_copy(&out->view, a, NULL), STRIA_OK);
}

static void expect_same(const stria_view *a, const stria_view *turned, stria_reduction op,
                        const stria_exec *exec)
{
    stria_array wanted = {0}, got = {0};
    assert_int_equal(stria_reduce_dims_new(&wanted, op, a, STRIA_ALL_DIMS, NULL, NULL, NULL),
                     STRIA_OK);
    assert_int_equal(stria_reduce_dims_new(&got, op, turned, STRIA_ALL_DIMS, NULL, NULL, exec),
                     STRIA_OK);
    assert_memory_equal(got.view.data, wanted.view.data, (size_t)stria_nbytes(&wanted.view));
    stria_array_release(&wanted);
    stria_array_release(&got);
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
    stria_array a = {0}, turned = {0};
    make_numbers(&a, kind, layouts[layout].ndim, layouts[layout].shape);
    turn(&turned, &a.view, layouts[layout].order);
    for (int i = 0; i < count; i++)
        expect_same(&a.view, &turned.view, ops[i], exec);
    stria_array_release(&a);
    stria_array_release(&turned);
}

static const stria_reduction ordered[] = {STRIA_SUM,    STRIA_MEAN, STRIA_VAR,       STRIA_ARGMAX,
                                          STRIA_ARGMIN, STRIA_NORM, STRIA_LOGSUMEXP, STRIA_NANSUM};

static void test_dtypes(void **state)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_F16, STRIA_BF16, STRIA_I16};
    (void)state;
    for (int level = 0, turn = 0; next_level(&level); turn += 2)
        for (int l = 0; l < LAYOUTS; l++) {
            const stria_kind kind = kinds[(l + turn) % 5];
            check(l, kind, ordered, kind == STRIA_I16 ? 5 : 8, &(stria_exec){.threads = 1});
        }
}

/* A product of many numbers below 2 stays finite. */
static void test_products_and_complex(void **state)
{
    static const stria_reduction product[] = {STRIA_PROD, STRIA_SUM};
    (void)state;
    for (int l = 0; l < LAYOUTS; l++) {
        check(l, STRIA_F64, product, 1, &(stria_exec){.threads = 1});
        check(l, STRIA_C64, product + 1, 1, &(stria_exec){.threads = 1});
        check(l, STRIA_C128, product + 1, 1, &(stria_exec){.threads = 1});
    }
}

static void test_threads(void **state)
{
    (void)state;
    for (int threads = 2; threads < 6; threads += 3)
        for (int l = 0; l < LAYOUTS; l++)
            check(l, STRIA_F32, ordered, 4,
                  &(stria_exec){.threads = threads, .run = pool_run_backwards});
}

/* Scratch memory of every size, and refused allocations. */
static void test_little_memory(void **state)
{
    const stria_exec alone = {.threads = 1};
    (void)state;
    for (int64_t limit = 0; limit <= STRIA_SCRATCH; limit = limit ? 4 * limit : 16 << 10) {
        assert_int_equal(stria_set_scratch_limit(limit), STRIA_OK);
        check(0, STRIA_F32, ordered, 4, &alone);
        check(8, STRIA_F16, ordered, 4, &alone);
    }
    stria_array a = {0}, turned = {0};
    make_numbers(&a, STRIA_F32, 2, layouts[0].shape);
    turn(&turned, &a.view, layouts[0].order);
    double wanted, got;
    stria_view out;
    assert_int_equal(stria_view_foreign(&out, &wanted, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0),
                     STRIA_OK);
    assert_int_equal(stria_sum(&out, &a.view, STRIA_ALL_DIMS, NULL, &alone), STRIA_OK);
    out.data = (char *)&got;
    counting_begin(1);
    assert_int_equal(stria_sum(&out, &turned.view, STRIA_ALL_DIMS, NULL, &alone), STRIA_OK);
    counting_end();
    assert_memory_equal(&got, &wanted, sizeof got);
    stria_array_release(&a);
    stria_array_release(&turned);
}

/* Reduces an expression whose operands differ in order, so that it is computed box by box. */
static void test_expressions(void **state)
{
    (void)state;
    for (int l = 0; l < LAYOUTS; l++)
        for (int op = 0; op < 3; op++) {
            const stria_reduction ops[] = {STRIA_SUM, STRIA_VAR, STRIA_MAX};
            stria_array a = {0}, b = {0}, turned = {0}, sums = {0}, wanted = {0}, got = {0};
            stria_expr *expr;
            int nodes[3];
            make_numbers(&a, STRIA_F32, layouts[l].ndim, layouts[l].shape);
            make_numbers(&b, STRIA_F32, layouts[l].ndim, layouts[l].shape);
            turn(&turned, &b.view, layouts[l].order);
            assert_int_equal(stria_expr_make(&expr), STRIA_OK);
            assert_int_equal(stria_expr_input(expr, &nodes[0], 0), STRIA_OK);
            assert_int_equal(stria_expr_input(expr, &nodes[1], 1), STRIA_OK);
            assert_int_equal(stria_expr_op(expr, &nodes[2], STRIA_SUBTRACT, 2, nodes), STRIA_OK);
            const stria_view *const in_order[] = {&a.view, &b.view}, *const across[] = {
                                                                         &a.view, &turned.view};
            assert_int_equal(stria_expr_evaluate_new(&sums, expr, 2, in_order, NULL), STRIA_OK);
            assert_int_equal(stria_reduce_dims_new(&wanted, ops[op], &sums.view, STRIA_ALL_DIMS,
                                                   NULL, NULL, NULL),
                             STRIA_OK);
            assert_int_equal(stria_expr_reduce_new(&got, expr, ops[op], 2, across, STRIA_ALL_DIMS,
                                                   NULL, NULL, NULL),
                             STRIA_OK);
            assert_memory_equal(got.view.data, wanted.view.data,
                                (size_t)stria_nbytes(&wanted.view));
            stria_expr_release(expr);
            for (int i = 0; i < 6; i++)
                stria_array_release((stria_array *[]){&a, &b, &turned, &sums, &wanted, &got}[i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dtypes),      cmocka_unit_test(test_products_and_complex),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
