/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that are compositions, into views with gaps and in place of their inputs, of bad input,
 * and of arrays without memory. bindings/python/tests/test_composed.py compares values with NumPy's
 * and PyTorch's.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/sparse.h"
#include "support/counting_allocator.h"
#include "support/test.h"

static stria_view doubles_of(double *data, int ndim, const int64_t *shape)
{
    return view_of(data, STRIA_F64, ndim, shape);
}

/* A view of memory of which every second element is a result's. */
static double room[64];
static stria_view spaced(stria_kind kind, int ndim, const int64_t *shape)
{
    int64_t strides[4], step = 16;
    stria_view out;
    memset(room, 0, sizeof room);
    for (int d = ndim; d-- > 0; step *= shape[d])
        strides[d] = step;
    ok(stria_view_foreign(&out, room, stria_dtype_of(kind), ndim, shape, strides, 0));
    return out;
}

/* Asserts that the numbers are those of the array and that nothing lies between them. */
static void assert_spaced(const stria_view *out, const stria_array *made)
{
    bool same;
    ok(stria_array_equal(&same, out, &made->view, true, NULL));
    assert_true(same);
    for (int i = 1; i < 64; i += 2)
        assert_true(room[i] == 0);
}

TEST(test_into_views)
{
    double x[6] = {1, 4, 9, 16, 25, 36}, y[3] = {1, -1, 2}, p[3] = {0, 10, 40};
    int64_t numbers[3] = {0, 5, 3};
    const stria_view a = doubles_of(x, 1, (int64_t[]){6}), b = doubles_of(y, 1, (int64_t[]){3}),
                     m = doubles_of(x, 2, (int64_t[]){2, 3}),
                     points = doubles_of(p, 1, (int64_t[]){3}), n = list_of(numbers, 3);
    RELEASED stria_array made = {0};
    const int64_t shape[] = {2, 3};
#define BOTH(name, kind, ...)                                                                      \
    do {                                                                                           \
        ok(stria_##name##_new(&made, __VA_ARGS__, NULL));                                          \
        const stria_view out = spaced(kind, made.view.ndim, made.view.shape);                      \
        ok(stria_##name(&out, __VA_ARGS__, NULL));                                                 \
        assert_spaced(&out, &made);                                                                \
    } while (0)
    BOTH(convolve, STRIA_F64, &a, &b, STRIA_CONVOLVE_FULL);
    BOTH(convolve, STRIA_F64, &b, &a, STRIA_CONVOLVE_VALID);
    BOTH(interp, STRIA_F64, &a, &points, &b, NULL);
    BOTH(gradient, STRIA_F64, &m, NULL, 1, 1);
    BOTH(gradient, STRIA_F64, &m, NULL, 0, 1);
    BOTH(cov, STRIA_F64, &m, NULL, NULL, 1);
    BOTH(cov, STRIA_F64, &a, NULL, NULL, 0);
    BOTH(corrcoef, STRIA_F64, &m);
    BOTH(digitize, STRIA_I64, &a, &points, true);
    BOTH(unravel_index, STRIA_I64, &n, 2, shape, STRIA_ORDER_F);
    BOTH(index_of, STRIA_I64, &a, &b, -1);
    BOTH(quotient, STRIA_F64, &b, &points);
    BOTH(count_leading_zeros, STRIA_I64, &n);
    stria_view few = spaced(STRIA_F64, 2, shape);
    ok(stria_resize_cyclic(&few, &b, NULL));
    ok(stria_resize_cyclic_new(&made, &b, 2, shape, NULL));
    assert_spaced(&few, &made);
}

TEST(test_in_place)
{
    double x[4] = {1, 4, 9, 16}, w[2] = {1, 1};
    const stria_view a = doubles_of(x, 1, (int64_t[]){4}), b = doubles_of(w, 1, (int64_t[]){2});
    ok(stria_convolve(&a, &a, &b, STRIA_CONVOLVE_SAME, NULL));
    assert_memory_equal(x, ((double[]){1, 5, 13, 25}), sizeof x);
    ok(stria_gradient(&a, &a, NULL, 0, 1, NULL));
    assert_memory_equal(x, ((double[]){4, 6, 10, 12}), sizeof x);
    refused(stria_convolve(&b, &a, &b, STRIA_CONVOLVE_FULL, NULL), STRIA_ERR_SHAPE,
            "out has shape (2,), the result has (5,)");
    assert_true(w[0] == 1 && w[1] == 1);
}

TEST(test_conv_options)
{
    double x[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, w[4] = {1, 1, 1, 1},
           more[2] = {100, 200}, result[8] = {0};
    const stria_view a = doubles_of(x, 3, (int64_t[]){1, 2, 6}),
                     weights = doubles_of(w, 3, (int64_t[]){2, 1, 2}),
                     bias = doubles_of(more, 1, (int64_t[]){2}),
                     out = doubles_of(result, 3, (int64_t[]){1, 2, 4});
    stria_conv_options o = {.count = 1,
                            .stride = (int64_t[]){2},
                            .padding = (int64_t[]){1},
                            .groups = 2,
                            .bias = &bias};
    ok(stria_conv(&out, &a, &weights, &o, NULL));
    assert_memory_equal(result, ((double[]){101, 105, 109, 106, 207, 217, 221, 212}),
                        sizeof result);
    RELEASED stria_array made = {0};
    o.dilation = (int64_t[]){7};
    ok(stria_conv_new(&made, &a, &weights, &o, NULL));
    assert_int_equal(made.view.shape[2], 1);
    o.dilation = (int64_t[]){8};
    refused(stria_conv(&out, &a, &weights, &o, NULL), STRIA_ERR_SHAPE, "does not fit in 6");
    o.dilation = (int64_t[]){0};
    refused(stria_conv(&out, &a, &weights, &o, NULL), STRIA_ERR_ARGUMENT, "dilation is 0");
    o = (stria_conv_options){.count = 2, .stride = (int64_t[]){1, 1}};
    refused(stria_conv(&out, &a, &weights, &o, NULL), STRIA_ERR_SHAPE, "2 numbers of stride");
    o = (stria_conv_options){.groups = 3};
    refused(stria_conv(&out, &a, &weights, &o, NULL), STRIA_ERR_SHAPE, "3 groups");
    o = (stria_conv_options){.reserved = {1}};
    refused(stria_conv(&out, &a, &weights, &o, NULL), STRIA_ERR_ARGUMENT, "reserved");
    refused(stria_conv(&out, &bias, &weights, NULL, NULL), STRIA_ERR_SHAPE, "a has 1 dims");
}

TEST(test_bad_input)
{
    double x[6] = {1, 2, 3, 4, 5, 6};
    int64_t numbers[2] = {0, 6};
    const stria_view a = doubles_of(x, 1, (int64_t[]){6}), m = doubles_of(x, 2, (int64_t[]){2, 3}),
                     n = list_of(numbers, 2), none = doubles_of(x, 1, (int64_t[]){0});
    const int64_t shape[] = {2, 3}, huge[] = {INT64_MAX / 2, 3};
    const stria_view *const indices[] = {&n, &n};
    stria_array made = {0};
    refused(stria_convolve_new(&made, &a, &none, STRIA_CONVOLVE_SAME, NULL), STRIA_ERR_SHAPE,
            "one dim of an element");
    refused(stria_convolve_new(&made, &a, &a, (stria_convolve_mode)9, NULL), STRIA_ERR_ARGUMENT,
            "no mode 9");
    refused(stria_interp_new(&made, &a, &none, &none, NULL, NULL), STRIA_ERR_SHAPE, "one or more");
    stria_view falls;
    ok(stria_flip(&falls, &a, 1, (int[]){0}));
    refused(stria_interp_new(&made, &a, &falls, &a, NULL, NULL), STRIA_ERR_ARGUMENT, "not sorted");
    refused(stria_interp_new(&made, &a, &a, &a, &(stria_interp_options){.period = -1}, NULL),
            STRIA_ERR_ARGUMENT, "period");
    refused(stria_interp_new(&made, &a, &a, &a, &(stria_interp_options){.reserved = {1}}, NULL),
            STRIA_ERR_ARGUMENT, "reserved");
    refused(stria_gradient_new(&made, &a, NULL, 1, 1, NULL), STRIA_ERR_DIM, "gradient");
    refused(stria_gradient_new(&made, &a, NULL, 0, 0, NULL), STRIA_ERR_ARGUMENT, "edge_order");
    refused(stria_gradient_new(&made, &m, &m, 0, 1, NULL), STRIA_ERR_SHAPE, "spacing");
    refused(stria_cov_new(&made, &m, &a, NULL, 1, NULL), STRIA_ERR_SHAPE,
            "frequencies of shape (6,)");
    refused(stria_digitize_new(&made, &a, &m, false, NULL), STRIA_ERR_SHAPE, "edges have 2 dims");
    refused(stria_unravel_index_new(&made, &n, 2, shape, STRIA_ORDER_C, NULL), STRIA_ERR_INDEX,
            "0 .. 5");
    refused(stria_unravel_index_new(&made, &a, 2, shape, STRIA_ORDER_C, NULL), STRIA_ERR_DTYPE,
            "integer");
    refused(stria_unravel_index_new(&made, &n, 2, shape, STRIA_ORDER_PRESERVE, NULL),
            STRIA_ERR_ARGUMENT, "order");
    refused(stria_unravel_index_new(&made, &n, 2, huge, STRIA_ORDER_C, NULL), STRIA_ERR_OVERFLOW,
            "2^63");
    refused(
        stria_ravel_index_new(&made, 2, indices, 2, shape, STRIA_INDEX_RAISE, STRIA_ORDER_C, NULL),
        STRIA_ERR_INDEX, "0 .. 1");
    refused(
        stria_ravel_index_new(&made, 1, indices, 2, shape, STRIA_INDEX_RAISE, STRIA_ORDER_C, NULL),
        STRIA_ERR_ARGUMENT, "1 arrays");
    refused(stria_count_leading_zeros_new(&made, &a, NULL), STRIA_ERR_DTYPE, "integer");
    refused(stria_quotient_new(NULL, &a, &a, NULL), STRIA_ERR_ARGUMENT, "out is NULL");
    refused(stria_unique_in_order_new(NULL, NULL, NULL, NULL, &a, true, NULL), STRIA_ERR_ARGUMENT,
            "values is NULL");
    refused(stria_index_of_new(NULL, &a, &a, -1, NULL), STRIA_ERR_ARGUMENT, "out is NULL");
    refused(stria_corrcoef_new(NULL, &a, NULL), STRIA_ERR_ARGUMENT, "out is NULL");
    refused(stria_resize_cyclic_new(&made, &a, -1, NULL, NULL), STRIA_ERR_SHAPE, "");
    assert_null(made.owned);
}

/* The stride of a dim of one element may be any number, which nothing multiplies. */
TEST(test_far_strides)
{
    double x = 3, y = 5;
    const int64_t far = INT64_C(1) << 61, thousand = 1000;
    const stria_view weights = doubles_of(&y, 3, (int64_t[]){1, 1, 1});
    stria_view a;
    RELEASED stria_array made = {0};
    ok(stria_view_foreign(&a, &x, stria_dtype_of(STRIA_F64), 3, (int64_t[]){1, 1, 1},
                          (int64_t[]){far, far, far}, 0));
    const stria_conv_options o = {.count = 1, .stride = &thousand, .dilation = &thousand};
    ok(stria_conv_new(&made, &a, &weights, &o, NULL));
    memcpy(&x, made.view.data, sizeof x);
    assert_true(x == 15);
}

/* A table that is refused is named. */
TEST(test_refused_table)
{
    double x[3] = {1, 2, 3};
    int64_t found[3] = {7, 7, 7};
    const stria_view a = doubles_of(x, 1, (int64_t[]){3}), out = list_of(found, 3);
    for (int64_t at = 1; at < 3; at++) {
        counting_begin(at);
        const stria_status status = stria_index_of(&out, &a, &a, -1, NULL);
        counting_end();
        refused(status, STRIA_ERR_MEMORY, at == 2 ? "index_of: no memory for a table of 3" : "");
        assert_int_equal(found[0], 7);
    }
}

/* A comparison for which there is no memory has no answer. */
TEST(refused_comparisons_say_nothing)
{
    double x[3] = {1, 2, 3};
    const stria_view a = doubles_of(x, 1, (int64_t[]){3});
    stria_status status = STRIA_ERR_MEMORY;
    for (int64_t at = 1; status != STRIA_OK; at++) {
        bool same = false;
        counting_begin(at);
        status = stria_array_equal(&same, &a, &a, false, NULL);
        counting_end();
        assert_int_equal(same, status == STRIA_OK);
    }
}

/* Arrays without memory give shapes and dtypes. */
TEST(test_meta)
{
    double x[6] = {1, 2, 3, 4, 5, 6};
    const stria_view a = doubles_of(x, 1, (int64_t[]){6}),
                     weights = doubles_of(x, 3, (int64_t[]){1, 1, 2});
    stria_buffer *nothing = NULL;
    stria_view m;
    stria_array made = {0};
    ok(stria_buffer_meta(&nothing, 96));
    ok(stria_view_make(&m, nothing, stria_dtype_of(STRIA_F64), 3, (int64_t[]){2, 1, 6}, NULL, 0));
    ok(stria_conv_new(&made, &m, &weights, NULL, NULL));
    assert_int_equal(made.view.shape[2], 5);
    ok(stria_interp_new(&made, &m, &a, &a, NULL, NULL));
    assert_int_equal(made.view.ndim, 3);
    ok(stria_gradient_new(&made, &m, NULL, 2, 2, NULL));
    assert_true(stria_buffer_is_meta(made.view.buffer));
    ok(stria_resize_cyclic_new(&made, &m, 1, (int64_t[]){50}, NULL));
    assert_true(stria_buffer_is_meta(made.view.buffer));
    stria_array_release(&made);
    stria_buffer_release(nothing);
}

/* Values that are read backwards: no element behind the first one in memory is looked at. */
TEST(test_interp_backwards)
{
    double x[3] = {0.5, 1.5, 3}, at[4] = {0, 1, 2, 3}, y[4] = {7, 4, 1, 0};
    const stria_view a = doubles_of(x, 1, (int64_t[]){3}),
                     points = doubles_of(at, 1, (int64_t[]){4}),
                     values = doubles_of(y, 1, (int64_t[]){4});
    stria_array made = {0};
    stria_view falls;
    ok(stria_flip(&falls, &values, 1, (int[]){0}));
    ok(stria_interp_new(&made, &a, &points, &falls, NULL, NULL));
    assert_memory_equal(made.view.data, ((double[]){0.5, 2.5, 7}), sizeof x);
    stria_array_release(&made);
}

/* Options that are NULL: zeros around, the tolerance of isclose. */
TEST(test_defaults)
{
    double x[2] = {1, 2}, near[2] = {1, 2 + 1e-5}, result[4] = {9, 9, 9, 9};
    const int64_t one[] = {1};
    const stria_view a = doubles_of(x, 1, (int64_t[]){2}), b = doubles_of(near, 1, (int64_t[]){2}),
                     out = doubles_of(result, 1, (int64_t[]){4});
    stria_array made = {0};
    bool close;
    ok(stria_pad(&out, &a, 1, one, NULL, NULL));
    assert_memory_equal(result, ((double[]){0, 1, 2, 0}), sizeof result);
    ok(stria_pad_new(&made, &a, 1, one, one, NULL, NULL));
    assert_int_equal(made.view.shape[0], 4);
    ok(stria_allclose(&close, &a, &b, NULL, NULL));
    assert_true(close);
    near[1] = 2.1;
    ok(stria_allclose(&close, &a, &b, NULL, NULL));
    assert_false(close);
    stria_array_release(&made);
    refused(stria_histogram_new(&made, &a, -1, 0, 1, NULL), STRIA_ERR_ARGUMENT, "-1 bins");
}

TEST(test_tensordot_batch)
{
    double x[12], y[24];
    for (int i = 0; i < 24; i++)
        y[i] = x[i % 12] = i % 12 - 5;
    const stria_view a = doubles_of(x, 3, (int64_t[]){2, 3, 2}),
                     b = doubles_of(y, 4, (int64_t[]){3, 2, 2, 2});
    RELEASED stria_array made = {0}, wanted = {0};
    bool same;
    const int third[] = {-1}, second[] = {1}, batch_a[] = {1, 0}, batch_b[] = {0, 3};
    ok(stria_tensordot_batch_new(&made, &a, &b, 1, third, second, 2, batch_a, batch_b, NULL));
    ok(stria_einsum_new(&wanted, "xyk,ykmx->yxm", 2, (const stria_view *[]){&a, &b}, NULL));
    ok(stria_array_equal(&same, &made.view, &wanted.view, false, NULL));
    assert_true(same);
    refused(stria_tensordot_batch_new(&made, &a, &b, 1, third, second, 1, third, batch_b, NULL),
            STRIA_ERR_DIM, "dim");
    refused(stria_tensordot_batch_new(&made, &a, &b, 1, third, second, 1, batch_a, second, NULL),
            STRIA_ERR_DIM, "dim");
    refused(stria_tensordot_batch_new(&made, &a, &b, 0, NULL, NULL, 1, batch_b, batch_b, NULL),
            STRIA_ERR_SHAPE, "elements");
    refused(stria_tensordot_batch_new(&made, &a, &b, 0, NULL, NULL, 1, NULL, batch_b, NULL),
            STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_tensordot_batch_new(&made, &a, &b, -1, NULL, NULL, 1, batch_a, batch_b, NULL),
            STRIA_ERR_DIM, "-1");
}

TEST_MAIN(NULL, NULL)
