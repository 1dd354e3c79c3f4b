/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays that change: resize as in torch.Tensor.resize_, resize_zeroed as in numpy.ndarray.resize,
 * set as in torch.Tensor.set_. Values and strides in the comments are what those two gave.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/by_value.h"
#include "support/test.h"

static stria_dtype i32(void)
{
    return stria_dtype_of(STRIA_I32);
}

/* Makes 0, 1, 2, ... of shape (2, 3). */
static stria_array counted(void)
{
    stria_array a = {0};
    ok(stria_empty(&a, i32(), 2, (int64_t[]){2, 3}));
    for (int32_t i = 0; i < 6; i++)
        memcpy(a.view.data + 4 * (size_t)i, &i, 4);
    return a;
}

static void assert_values(const char *data, int n, const int32_t *expected)
{
    assert_memory_equal(data, expected, (size_t)n * 4);
}

static void assert_geometry(const stria_view *a, int ndim, const int64_t *shape,
                            const int64_t *strides)
{
    assert_int_equal(a->ndim, ndim);
    for (int d = 0; d < ndim; d++) {
        assert_int_equal(a->shape[d], shape[d]);
        assert_int_equal(a->strides[d], strides[d]);
    }
}

/* ---- resize --------------------------------------------------------------------------------- */

TEST(test_resize_within)
{
    stria_array a = counted();
    const char *const data = a.view.data;
    stria_outcome outcome;
    ok(stria_resize(&a, 1, (int64_t[]){4}, &outcome));
    assert_int_equal(outcome, STRIA_IS_VIEW);
    assert_geometry(&a.view, 1, (int64_t[]){4}, (int64_t[]){4});
    assert_int_equal(stria_buffer_size(a.owned), 24); /* memory is never given back */
    ok(stria_resize(&a, 2, (int64_t[]){3, 2}, &outcome));
    assert_geometry(&a.view, 2, (int64_t[]){3, 2}, (int64_t[]){8, 4});
    assert_ptr_equal(a.view.data, data);
    assert_values(data, 6, (int32_t[]){0, 1, 2, 3, 4, 5});
    ok(stria_resize(&a, 3, (int64_t[]){9, 0, 9}, NULL));
    ok(stria_resize(&a, 0, NULL, &outcome));
    assert_int_equal(a.view.ndim, 0);
    stria_array_release(&a);
}

/* x.t().resize_(3, 2) keeps strides (1, 3): nothing changes when the shape is the same. */
TEST(test_resize_same_shape)
{
    stria_array a = counted();
    stria_outcome outcome;
    ok(stria_reverse_dims(&a.view, &a.view));
    ok(stria_resize(&a, 2, (int64_t[]){3, 2}, &outcome));
    assert_int_equal(outcome, STRIA_IS_SAME);
    assert_geometry(&a.view, 2, (int64_t[]){3, 2}, (int64_t[]){4, 12});
    ok(stria_resize(&a, 2, (int64_t[]){2, 2}, &outcome));
    assert_geometry(&a.view, 2, (int64_t[]){2, 2}, (int64_t[]){8, 4});
    stria_array_release(&a);
}

/* y = x.view(6)[1:4]; y.resize_(2, 4): offset 1, a storage of 36 bytes, elements 1, 2, 3, 4, 5. */
TEST(test_resize_grows)
{
    stria_array a = counted(), part = {0};
    stria_view v;
    stria_outcome outcome;
    ok(stria_view_shape(&v, &a.view, 1, (int64_t[]){6}));
    ok(stria_narrow(&v, &v, 0, 1, 3));
    part = shared_of(&v);
    ok(stria_resize(&part, 2, (int64_t[]){2, 4}, &outcome));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_geometry(&part.view, 2, (int64_t[]){2, 4}, (int64_t[]){16, 4});
    assert_int_equal(stria_offset(&part.view), 4);
    assert_int_equal(stria_buffer_size(part.owned), 36);
    assert_values(part.view.data, 5, (int32_t[]){1, 2, 3, 4, 5});
    assert_values(stria_buffer_data(part.owned), 6, (int32_t[]){0, 1, 2, 3, 4, 5});
    /* The other views keep the old memory, which was not moved. */
    assert_false(stria_may_share_memory(&part.view, &a.view));
    assert_int_equal(stria_buffer_references(a.owned), 1);
    assert_values(a.view.data, 6, (int32_t[]){0, 1, 2, 3, 4, 5});
    stria_array_release(&part);
    stria_array_release(&a);
}

/* Neighbours within the buffer may become visible, as in torch; nothing beyond the buffer can. */
TEST(test_resize_over_neighbours)
{
    stria_array a = counted(), part = {0};
    stria_view v;
    stria_outcome outcome;
    ok(stria_select(&v, &a.view, 0, 0));
    part = shared_of(&v);
    ok(stria_resize(&part, 1, (int64_t[]){6}, &outcome));
    assert_int_equal(outcome, STRIA_IS_VIEW);
    assert_values(part.view.data, 6, (int32_t[]){0, 1, 2, 3, 4, 5});
    stria_array_release(&part);
    stria_array_release(&a);
}

TEST(test_resize_meta)
{
    if (sizeof(void *) < 8) skip(); /* larger than the address space */
    stria_buffer *meta;
    stria_view v;
    stria_outcome outcome;
    const int64_t huge = INT64_C(1) << 55;
    ok(stria_buffer_meta(&meta, 24));
    ok(stria_view_make(&v, meta, i32(), 1, (int64_t[]){4}, NULL, 8));
    stria_array a = shared_of(&v);
    ok(stria_resize(&a, 1, &huge, &outcome));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_true(stria_buffer_is_meta(a.owned));
    assert_int_equal(stria_buffer_size(a.owned), 4 * huge + 8);
    assert_int_equal(stria_offset(&a.view), 8);
    stria_array_release(&a);
    stria_buffer_release(meta);
}

TEST(test_resize_refusals)
{
    int32_t lent[6] = {0};
    stria_array a = counted(), view_only = {.view = a.view};
    stria_buffer *wrapped;
    stria_view v;
    assert_int_equal(stria_resize(NULL, 0, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_resize(&view_only, 1, (int64_t[]){2}, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "owns no memory"));
    assert_int_equal(stria_resize(&a, 1, (int64_t[]){-1}, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_resize(&a, 1, (int64_t[]){INT64_MAX}, NULL), STRIA_ERR_OVERFLOW);
    counting_begin(1);
    assert_int_equal(stria_resize(&a, 1, (int64_t[]){7}, NULL), STRIA_ERR_MEMORY);
    counting_end();
    a.view.flags |= STRIA_READONLY;
    assert_int_equal(stria_resize(&a, 1, (int64_t[]){7}, NULL), STRIA_ERR_READONLY);
    assert_geometry(&a.view, 2, (int64_t[]){2, 3}, (int64_t[]){12, 4});
    ok(stria_resize(&a, 1, (int64_t[]){5}, NULL));
    assert_false(stria_is_writable(&a.view));
    stria_array_release(&a);

    ok(stria_buffer_wrap(&wrapped, lent, sizeof lent, false, NULL, NULL));
    ok(stria_view_make(&v, wrapped, i32(), 1, (int64_t[]){6}, NULL, 0));
    a = shared_of(&v);
    assert_int_equal(stria_resize(&a, 1, (int64_t[]){7}, NULL), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "from 24 to 28 bytes"));
    ok(stria_resize(&a, 1, (int64_t[]){5}, NULL));
    assert_ptr_equal(a.view.data, lent);
    stria_array_release(&a);
    stria_buffer_release(wrapped);
}

/* A record's description stays alive with the array that was reallocated. */
TEST(test_resize_record)
{
    const stria_field fields[] = {{.name = "x", .dtype = i32(), .offset = STRIA_OFFSET_NEXT},
                                  {.name = "y", .dtype = i32(), .offset = STRIA_OFFSET_NEXT}};
    stria_dtype point;
    RELEASED stria_array a = {0};
    stria_view y;
    ok(stria_record_make(&point, 2, fields, 0, false));
    ok(stria_zeros(&a, point, 1, (int64_t[]){2}));
    stria_dtype_release(point);
    memcpy(a.view.data + 12, &(int32_t){9}, 4);
    ok(stria_resize(&a, 1, (int64_t[]){50}, NULL));
    ok(stria_view_field(&y, &a.view, "y"));
    assert_values(y.data + y.strides[0], 1, (int32_t[]){9});
}

/* ---- resize_zeroed -------------------------------------------------------------------------- */

TEST(test_zeroed)
{
    stria_array a = counted();
    ok(stria_resize_zeroed(&a, 2, (int64_t[]){3, 3}));
    assert_geometry(&a.view, 2, (int64_t[]){3, 3}, (int64_t[]){12, 4});
    assert_values(a.view.data, 9, (int32_t[]){0, 1, 2, 3, 4, 5, 0, 0, 0});
    ok(stria_resize_zeroed(&a, 1, (int64_t[]){4}));
    assert_int_equal(stria_buffer_size(a.owned), 16);
    assert_values(a.view.data, 4, (int32_t[]){0, 1, 2, 3});
    ok(stria_resize_zeroed(&a, 2, (int64_t[]){0, 7}));
    assert_int_equal(stria_buffer_size(a.owned), 0);
    ok(stria_resize_zeroed(&a, 0, NULL));
    assert_values(a.view.data, 1, (int32_t[]){0});
    stria_array_release(&a);
}

/* arange(6).reshape(2, 3).copy('F').resize(3, 3): strides (4, 12), memory 0 3 1 4 2 5 0 0 0. */
TEST(test_zeroed_fortran)
{
    stria_array a = counted(), f = {0};
    ok(stria_clone_ordered_new(&f, &a.view, STRIA_ORDER_F, NULL));
    ok(stria_resize_zeroed(&f, 2, (int64_t[]){3, 3}));
    assert_geometry(&f.view, 2, (int64_t[]){3, 3}, (int64_t[]){4, 12});
    assert_values(f.view.data, 9, (int32_t[]){0, 3, 1, 4, 2, 5, 0, 0, 0});
    stria_array_release(&f);
    stria_array_release(&a);
}

TEST(test_zeroed_refusals)
{
    stria_array a = counted(), other = shared_of(&a.view);
    assert_int_equal(stria_resize_zeroed(&a, 1, (int64_t[]){7}), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "1 others"));
    /* The number of bytes stays: only the shape changes, which is allowed while others share the
     * memory. */
    ok(stria_resize_zeroed(&a, 1, (int64_t[]){6}));
    stria_array_release(&other);
    ok(stria_narrow(&a.view, &a.view, 0, 2, 4));
    assert_int_equal(stria_resize_zeroed(&a, 1, (int64_t[]){7}), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "8 bytes into"));
    ok(stria_slice(&a.view, &a.view, 0, 0, 4, 2));
    assert_int_equal(stria_resize_zeroed(&a, 1, (int64_t[]){7}), STRIA_ERR_STRIDE);
    assert_values(stria_buffer_data(a.owned), 6, (int32_t[]){0, 1, 2, 3, 4, 5});
    stria_array_release(&a);
    a = counted();
    ok(stria_narrow(&a.view, &a.view, 0, 0, 1));
    assert_int_equal(stria_resize_zeroed(&a, 1, (int64_t[]){7}), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "12 of the 24 bytes"));
    assert_values(stria_buffer_data(a.owned), 6, (int32_t[]){0, 1, 2, 3, 4, 5});
    stria_array_release(&a);
    a = counted();
    stria_buffer_freeze(a.owned);
    assert_int_equal(stria_resize_zeroed(&a, 1, (int64_t[]){7}), STRIA_ERR_READONLY);
    stria_array_release(&a);
    a = counted();
    counting_begin(1);
    assert_int_equal(stria_resize_zeroed(&a, 1, (int64_t[]){7}), STRIA_ERR_MEMORY);
    counting_end();
    assert_geometry(&a.view, 2, (int64_t[]){2, 3}, (int64_t[]){12, 4});
    stria_array_release(&a);
}

/* ---- set ------------------------------------------------------------------------------------ */

TEST(test_set)
{
    stria_array a = counted(), b = counted();
    stria_view v;
    /* set_(storage, 1, (2, 2), (2, 1)) */
    ok(stria_view_make(&v, b.owned, i32(), 2, (int64_t[]){2, 2}, (int64_t[]){8, 4}, 4));
    ok(stria_set(&a, &v));
    assert_true(stria_same_view(&a.view, &v));
    assert_ptr_equal(a.owned, b.owned);
    assert_int_equal(stria_buffer_references(b.owned), 2);
    stria_array_release(&b);
    assert_values(a.view.data, 2, (int32_t[]){1, 2});
    /* Sets an array to itself, and to a part of itself. */
    ok(stria_set(&a, &a.view));
    assert_int_equal(stria_buffer_references(a.owned), 1);
    ok(stria_select(&v, &a.view, 0, 1));
    ok(stria_set(&a, &v));
    assert_values(a.view.data, 2, (int32_t[]){3, 4});
    stria_array_release(&a);
}

TEST(test_set_refusals)
{
    stria_array a = counted();
    stria_view v;
    assert_int_equal(stria_view_make(&v, a.owned, i32(), 1, (int64_t[]){7}, NULL, 0),
                     STRIA_ERR_BOUNDS);
    ok(stria_view_dtype(&v, &a.view, stria_dtype_of(STRIA_F32)));
    assert_int_equal(stria_set(&a, &v), STRIA_ERR_DTYPE);
    assert_non_null(strstr(stria_last_error(), "f32"));
    assert_int_equal(stria_set(&a, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_set(NULL, &v), STRIA_ERR_ARGUMENT);
    assert_geometry(&a.view, 2, (int64_t[]){2, 3}, (int64_t[]){12, 4});
    stria_array_release(&a);
}

TEST_MAIN(NULL, NULL)
