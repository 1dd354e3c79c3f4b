/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forty calls that were written from docs/api.md alone, before a look at any header: they compile,
 * and do what somebody who guesses them expects.
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

static const int64_t shape[] = {2, 3};
static double six[] = {1, 2, 3, 4, 5, 6}, other_six[] = {6, 5, 4, 3, 2, 1};
static const int rows[] = {0}, columns[] = {1};

static double at(const stria_view *a, int64_t i, int64_t j)
{
    double x;
    ok(stria_get_f64(&x, a, a->ndim, (const int64_t[]){i, j}));
    return x;
}

static void views_of(stria_view *a, stria_view *b)
{
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    ok(stria_view_foreign(a, six, f64, 2, shape, NULL, 0));
    ok(stria_view_foreign(b, other_six, f64, 2, shape, NULL, 0));
}

TEST(by_element)
{
    stria_view a, b, five;
    RELEASED stria_array x = {0}, y = {0}, z = {0};
    const double number = 5;
    views_of(&a, &b);
    ok(stria_scalar(&five, STRIA_F64, &number));
    ok(stria_add_new(&x, &a, &b, NULL));
    assert_true(at(&x.view, 1, 2) == 7);
    ok(stria_multiply(&x.view, &x.view, &five, NULL));
    assert_true(at(&x.view, 0, 0) == 35);
    ok(stria_sqrt_new(&y, &a, NULL));
    assert_true(at(&y.view, 1, 0) == 2);
    ok(stria_less_new(&z, &a, &b, NULL));
    ok(stria_where_new(&y, &z.view, &a, &b, NULL));
    assert_true(at(&y.view, 0, 0) == 1 && at(&y.view, 1, 2) == 1);
    ok(stria_clip_new(&y, &a, &five, &five, NULL));
    assert_true(at(&y.view, 0, 0) == 5);
    ok(stria_isclose_new(&y, &a, &a, NULL, NULL));
    ok(stria_divmod_new(&y, &z, &a, &five, NULL));
    assert_true(at(&y.view, 1, 2) == 1 && at(&z.view, 1, 2) == 1);
    ok(stria_sincos(&y.view, &z.view, &a, NULL));
    ok(stria_elementwise(&y.view, STRIA_SUBTRACT, 2, (const stria_view *[]){&a, &b}, NULL));
    assert_true(at(&y.view, 0, 0) == -5);
    ok(stria_nan_to_num(&y.view, &a, &five, NULL, NULL, NULL));
}

TEST(reduced)
{
    stria_view a, b;
    RELEASED stria_array x = {0}, y = {0};
    const double q[] = {0.5};
    views_of(&a, &b);
    ok(stria_sum_new(&x, &a, 1, rows, false, NULL));
    assert_true(x.view.ndim == 1 && at(&x.view, 0, 0) == 5);
    ok(stria_sum(&x.view, &b, 1, rows, NULL));
    assert_true(at(&x.view, 0, 0) == 9);
    ok(stria_mean_new(&x, &a, STRIA_ALL_DIMS, NULL, true, NULL));
    assert_true(x.view.ndim == 2 && at(&x.view, 0, 0) == 3.5);
    ok(stria_var_new(&x, &a, 1, columns, 1, false, NULL));
    assert_true(at(&x.view, 0, 0) == 1);
    ok(stria_argmax_new(&x, &b, 1, columns, false, NULL));
    ok(stria_minmax_new(&x, &y, &a, 1, columns, false, NULL));
    assert_true(at(&x.view, 1, 0) == 4 && at(&y.view, 1, 0) == 6);
    ok(stria_median_new(&x, &a, 1, columns, false, NULL));
    assert_true(at(&x.view, 0, 0) == 2);
    ok(stria_quantile_new(&x, &a, 1, q, 1, columns, NULL, NULL));
    ok(stria_cumsum_new(&x, &a, 1, NULL));
    assert_true(at(&x.view, 1, 2) == 15);
    ok(stria_vecdot_new(&x, &a, &b, 1, columns, false, NULL));
    ok(stria_reduce_dims(&x.view, STRIA_MAX, &a, 1, columns, NULL, NULL));
    assert_true(at(&x.view, 0, 0) == 3);
}

TEST(moved)
{
    stria_view a, b, turned, value;
    RELEASED stria_array x = {0}, y = {0}, index = {0};
    stria_outcome outcome;
    const double seven = 7;
    views_of(&a, &b);
    ok(stria_scalar(&value, STRIA_F64, &seven));
    ok(stria_permute(&turned, &a, 2, (const int[]){1, 0}));
    ok(stria_contiguous(&x, &turned, STRIA_ORDER_C, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    ok(stria_clone_new(&x, &a, NULL));
    ok(stria_copy(&x.view, &b, NULL));
    ok(stria_fill(&x.view, &value, NULL));
    assert_true(at(&x.view, 1, 1) == 7);
    ok(stria_reshape(&y, &a, 1, (const int64_t[]){6}, STRIA_COPY_IF_NEEDED, &outcome, NULL));
    ok(stria_full(&y, stria_dtype_of(STRIA_F32), 2, shape, &value, NULL));
    ok(stria_argsort_new(&index, &b, 1, false, NULL));
    ok(stria_gather_new(&y, &b, &index.view, 1, NULL));
    assert_true(at(&y.view, 0, 0) == 4);
    ok(stria_scatter(&y.view, &index.view, &a, 1, STRIA_REDUCE_SUM, NULL));
    ok(stria_take_dim_new(&y, &a, &index.view, 1, STRIA_INDEX_CLIP, NULL));
    ok(stria_cat_new(&y, 2, (const stria_view *[]){&a, &b}, 0, NULL));
    assert_int_equal(y.view.shape[0], 4);
    ok(stria_roll_new(&y, &a, 1, (const int64_t[]){1}, columns, NULL));
    ok(stria_unique_new(&y, NULL, NULL, NULL, &a, true, NULL));
    ok(stria_topk_new(&y, &index, &a, 2, 1, true, NULL));
    assert_true(at(&y.view, 0, 0) == 3);
    ok(stria_pad_new(&y, &a, 2, (const int64_t[]){1, 1}, (const int64_t[]){1, 1},
                     &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL));
    assert_int_equal(y.view.shape[1], 5);
}

TEST(told)
{
    stria_view a, b;
    stria_array x = {0};
    stria_results r = {0};
    stria_hash128 hash;
    char text[200];
    size_t length;
    const stria_exec one = {.threads = 1};
    views_of(&a, &b);
    ok(stria_format(text, sizeof text, &length, &a, NULL, NULL));
    assert_int_equal(length, strlen(text));
    ok(stria_dtype_format(text, sizeof text, &length, a.dtype));
    assert_string_equal(text, "f64");
    ok(stria_hash(&hash, &a, NULL));
    ok(stria_hash_format(text, sizeof text, NULL, hash));
    ok(stria_npy_write("first_guess.npy", &a, NULL));
    ok(stria_npy_read(&x, "first_guess.npy", STRIA_NPY_READ, &one));
    assert_true(at(&x.view, 1, 2) == 6);
    ok(stria_eval(&r, "x + 1", 1, &(const stria_named){"x", &a}, NULL));
    assert_true(at(&stria_results_at(&r, 0)->view, 0, 0) == 2);
    assert_true(stria_op_count() > 100);
    stria_results_release(&r);
    stria_array_release(&x);
    assert_int_equal(remove("first_guess.npy"), 0);
}

TEST_MAIN(NULL, NULL)
