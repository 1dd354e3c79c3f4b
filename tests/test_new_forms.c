/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms of functions that make arrays: they give what the same functions write into views that
 * exist, and refuse what those refuse; out stays as it was then.
 */
#include <string.h>

#include "simd/ops.h"
#include "stria/stria.h"
#include "support/test.h"

enum { ROWS = 4, COLUMNS = 5, N = ROWS * COLUMNS };
static const int64_t shape[] = {ROWS, COLUMNS};
static double values[N], others[N];
static int64_t wholes[N];
static const int columns[] = {1};
static stria_view a, b, w, truth;
static bool truths[N];

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        values[i] = (i * 7 % 11) + 0.25;
        others[i] = (i * 5 % 7) + 0.5;
        wholes[i] = i * 3 % 8 + 1;
        truths[i] = i % 3 == 0;
    }
    ok(stria_view_foreign(&a, values, stria_dtype_of(STRIA_F64), 2, shape, NULL, 0));
    ok(stria_view_foreign(&b, others, stria_dtype_of(STRIA_F64), 2, shape, NULL, 0));
    ok(stria_view_foreign(&truth, truths, stria_dtype_of(STRIA_BOOL), 2, shape, NULL, 0));
    ok(stria_view_foreign(&w, wholes, stria_dtype_of(STRIA_I64), 2, shape, NULL, 0));
    return 0;
}

static void same(const stria_array *x, const stria_array *y, const char *name)
{
    bool equal = false;
    ok(stria_array_equal(&equal, &x->view, &y->view, true, NULL));
    if (!equal || !stria_dtype_equal(x->view.dtype, y->view.dtype)) fail_msg("%s differs", name);
}

/* Room for what a function writes, of the shape and dtype of what it made. */
static stria_array room_for(const stria_array *made)
{
    stria_array room = {0};
    ok(stria_zeros_like(&room, &made->view, made->view.dtype, STRIA_ORDER_C));
    return room;
}

static void release(stria_array *x, int count)
{
    for (int i = 0; i < count; i++)
        stria_array_release(&x[i]);
}

/* Operands of an operation by its dtypes and result, as the table has them. */
static const stria_view *operand_of(int i, int dtypes, int result)
{
    if (i == 0 && result == OP_CHOICE) return &truth;
    if (i == 1 && result == OP_SCALED) return &w;
    return dtypes & OP_FLOATS ? &a : &w;
}

#define GIVEN_1 all[0]
#define GIVEN_2 all[0], all[1]
#define GIVEN_3 all[0], all[1], all[2]
#define ONE_OP(constant, name, inputs, dtypes, result, cycles)                                     \
    {                                                                                              \
        const stria_view *const all[] = {operand_of(0, (int)(dtypes), result),                     \
                                         operand_of(1, (int)(dtypes), result),                     \
                                         operand_of(2, (int)(dtypes), result)};                    \
        stria_array x[2] = {{0}, {0}};                                                             \
        if (stria_##name##_new(&x[0], GIVEN_##inputs, NULL)) fail_msg("%s", stria_last_error());   \
        ok(stria_elementwise_new(&x[1], constant, inputs, all, NULL));                             \
        same(&x[0], &x[1], #name);                                                                 \
        release(x, 2);                                                                             \
    }

TEST(test_operations){STRIA_OP_LIST(ONE_OP)}

#define MORE_plain
#define MORE_ddof 0,
#define MORE_p    2,
#define ONE_REDUCTION(constant, name, option)                                                      \
    for (int keep = 0; keep < 2; keep++) {                                                         \
        const bool bits = constant >= STRIA_BITS_AND && constant <= STRIA_BITS_XOR;                \
        const stria_view *const of = bits ? &w : &a;                                               \
        stria_array x[2] = {{0}, {0}};                                                             \
        ok(stria_##name##_new(&x[0], of, 1, columns, MORE_##option keep, NULL));                   \
        assert_int_equal(x[0].view.ndim, 1 + keep);                                                \
        x[1] = room_for(&x[0]);                                                                    \
        ok(stria_##name(&x[1].view, of, 1, columns, MORE_##option NULL));                          \
        same(&x[0], &x[1], #name);                                                                 \
        release(x, 2);                                                                             \
    }

TEST(test_reductions){STRIA_REDUCTION_LIST(ONE_REDUCTION)}

#define ONE_SCAN(constant, name)                                                                   \
    {                                                                                              \
        stria_array x[2] = {{0}, {0}};                                                             \
        ok(stria_##name##_new(&x[0], &a, 1, NULL));                                                \
        x[1] = room_for(&x[0]);                                                                    \
        ok(stria_##name(&x[1].view, &a, 1, NULL));                                                 \
        same(&x[0], &x[1], #name);                                                                 \
        release(x, 2);                                                                             \
    }

TEST(test_scans){STRIA_SCAN_LIST(ONE_SCAN)}

/* x[0] and x[1] are made, x[2] and x[3] written. */
#define TWO(name, ...)                                                                             \
    {                                                                                              \
        stria_array x[4] = {{0}, {0}, {0}, {0}};                                                   \
        ok(stria_##name##_new(&x[0], &x[1], __VA_ARGS__));                                         \
        x[2] = room_for(&x[0]);                                                                    \
        x[3] = room_for(&x[1]);                                                                    \
        ok(WRITTEN);                                                                               \
        same(&x[0], &x[2], #name);                                                                 \
        same(&x[1], &x[3], #name);                                                                 \
        release(x, 4);                                                                             \
    }

TEST(test_two_results){
#define WRITTEN stria_divmod(&x[2].view, &x[3].view, &a, &b, NULL)
    TWO(divmod, &a, &b, NULL)
#undef WRITTEN
#define WRITTEN stria_modf(&x[2].view, &x[3].view, &a, NULL)
        TWO(modf, &a, NULL)
#undef WRITTEN
#define WRITTEN stria_frexp(&x[2].view, &x[3].view, &w, NULL)
            TWO(frexp, &w, NULL)
#undef WRITTEN
#define WRITTEN stria_sincos(&x[2].view, &x[3].view, &a, NULL)
                TWO(sincos, &a, NULL)
#undef WRITTEN
#define WRITTEN stria_minmax(&x[2].view, &x[3].view, &a, 1, columns, NULL)
                    TWO(minmax, &a, 1, columns, true, NULL)
#undef WRITTEN
#define WRITTEN stria_mean_var(&x[2].view, &x[3].view, &a, 1, columns, 1, NULL)
                        TWO(mean_var, &a, 1, columns, 1, false, NULL)
#undef WRITTEN
#define WRITTEN stria_topk(&x[2].view, &x[3].view, &a, 2, 1, false, NULL)
                            TWO(topk, &a, 2, 1, false, NULL)
#undef WRITTEN
}

#define ONE(name, written, ...)                                                                    \
    {                                                                                              \
        stria_array x[2] = {{0}, {0}};                                                             \
        ok(stria_##name##_new(&x[0], __VA_ARGS__));                                                \
        x[1] = room_for(&x[0]);                                                                    \
        ok(written);                                                                               \
        same(&x[0], &x[1], #name);                                                                 \
        release(x, 2);                                                                             \
    }

TEST(test_others)
{
    stria_view row, sorted;
    double edges[] = {0, 2, 5, 20};
    stria_view bounds;
    ok(stria_view_foreign(&bounds, edges, stria_dtype_of(STRIA_F64), 1, (const int64_t[]){4}, NULL,
                          0));
    ok(stria_select(&row, &a, 0, 0));
    sorted = bounds;
    ONE(median, stria_median(&x[1].view, &a, 1, columns, NULL), &a, 1, columns, false, NULL)
    ONE(histogram, stria_histogram(&x[1].view, &a, 0, 12, NULL), &a, 6, 0, 12, NULL)
    ONE(histogram_edges, stria_histogram_edges(&x[1].view, &a, &bounds, NULL), &a, &bounds, NULL)
    ONE(searchsorted, stria_searchsorted(&x[1].view, &sorted, NULL, &a, true, NULL), &sorted, NULL,
        &a, true, NULL)
    ONE(isin, stria_isin(&x[1].view, &a, &row, false, NULL), &a, &row, false, NULL)
    ONE(isclose, stria_isclose(&x[1].view, &a, &b, NULL, NULL), &a, &b, NULL, NULL)
    ONE(nan_to_num, stria_nan_to_num(&x[1].view, &a, NULL, NULL, NULL, NULL), &a, NULL, NULL, NULL,
        NULL)
    ONE(add_checked, stria_add_checked(&x[1].view, &w, &w, NULL), &w, &w, NULL)
    ONE(negative_checked, stria_negative_checked(&x[1].view, &w, NULL), &w, NULL)
}

/* Elements that a mask leaves out are 0, and on failure out is as it was. */
TEST(test_masks_and_refusals)
{
    static bool some[N] = {true, false, true};
    static int64_t large[] = {INT64_MAX};
    RELEASED stria_array x = {0}, y = {0};
    stria_view mask, one;
    double number = -1;
    ok(stria_view_foreign(&mask, some, stria_dtype_of(STRIA_BOOL), 2, shape, NULL, 0));
    const stria_exec exec = {.mask = &mask};
    ok(stria_sincos_new(&x, &y, &a, &exec));
    ok(stria_get_f64(&number, &y.view, 2, (const int64_t[]){0, 1}));
    assert_true(number == 0);
    ok(stria_get_f64(&number, &y.view, 2, (const int64_t[]){0, 2}));
    assert_true(number != 0);
    const void *const before = x.view.data;
    ok(stria_view_foreign(&one, large, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    assert_int_equal(stria_add_checked_new(&x, &one, &one, NULL), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_topk_new(&x, &y, &a, 9, 1, true, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_divmod_new(&x, NULL, &a, &b, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_minmax_new(&x, &y, &a, 1, (const int[]){7}, false, NULL), STRIA_ERR_DIM);
    assert_ptr_equal(x.view.data, before);
}

/* Words of options that later versions may give a meaning are 0. */
TEST(test_reserved_words)
{
    const double half = 0.5;
    const int64_t ones[] = {1, 1};
    stria_array x = {0};
    const stria_quantile_options quantile = {.reserved = {0, 1}};
    const stria_window_options window = {.mode = STRIA_PAD_EDGE, .reserved = {0, 1}};
    assert_int_equal(stria_quantile_new(&x, &a, 1, &half, 1, columns, &quantile, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_pad_new(&x, &a, 2, ones, ones, &window, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_correlate_new(&x, &a, &a, &window, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_window_reduce_new(&x, STRIA_SUM, &a, 2, ones, &window, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_pad_new(&x, &a, 1, ones, ones, NULL, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_window_reduce_new(&x, STRIA_SUM, &a, 1, ones, NULL, NULL),
                     STRIA_ERR_SHAPE);
    assert_null(x.owned);
}

TEST(test_counts)
{
    assert_non_null(stria_op_name((stria_op)(stria_op_count() - 1)));
    assert_non_null(stria_reduction_name((stria_reduction)(stria_reduction_count() - 1)));
    assert_null(stria_reduction_name((stria_reduction)stria_reduction_count()));
    assert_non_null(stria_scan_name((stria_scan)(stria_scan_count() - 1)));
    assert_null(stria_scan_name((stria_scan)stria_scan_count()));
}

TEST_MAIN(set_up, NULL)
