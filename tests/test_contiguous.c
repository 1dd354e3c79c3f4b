/* SPDX-License-Identifier: BSD-3-Clause */
/* contiguous, clone and reshape: what they return, who owns the memory, and what policies
 * forbid. */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/by_value.h"
#include "support/test.h"

/* 0, 1, 2, ... of shape (2, 3, 4). */
static stria_array counted(void)
{
    stria_array a = {0};
    ok(stria_empty(&a, stria_dtype_of(STRIA_I32), 3, (int64_t[]){2, 3, 4}));
    for (int32_t i = 0; i < 24; i++)
        memcpy(a.view.data + 4 * (size_t)i, &i, 4);
    return a;
}

static int32_t at(const stria_view *a, int64_t i, int64_t j, int64_t k)
{
    int32_t value;
    memcpy(&value, a->data + i * a->strides[0] + j * a->strides[1] + k * a->strides[2], 4);
    return value;
}

TEST(test_contiguous_same)
{
    stria_array a = counted(), b = {0};
    stria_outcome outcome;
    counting_begin(0);
    ok(stria_contiguous(&b, &a.view, STRIA_ORDER_C, &outcome, NULL));
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
    assert_int_equal(outcome, STRIA_IS_SAME);
    assert_true(stria_same_view(&a.view, &b.view));
    assert_int_equal(stria_buffer_references(a.owned), 2);
    stria_array_release(&a);
    stria_array_release(&b);
}

TEST(test_contiguous_copy)
{
    stria_array a = counted(), b = {0};
    stria_view t;
    stria_outcome outcome;
    ok(stria_permute(&t, &a.view, 3, (int[]){2, 0, 1}));
    ok(stria_contiguous(&b, &t, STRIA_ORDER_C, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_true(stria_is_contiguous(&b.view, STRIA_ORDER_C));
    assert_false(stria_may_share_memory(&a.view, &b.view));
    assert_int_equal(stria_buffer_references(b.owned), 1);
    for (int64_t i = 0; i < 4; i++)
        for (int64_t j = 0; j < 2; j++)
            for (int64_t k = 0; k < 3; k++)
                assert_int_equal(at(&b.view, i, j, k), (j * 3 + k) * 4 + i);
    stria_array_release(&a);
    stria_array_release(&b);
}

TEST(test_contiguous_orders)
{
    stria_array a = counted(), b = {0};
    stria_outcome outcome;
    ok(stria_contiguous(&b, &a.view, STRIA_ORDER_F, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_int_equal(b.view.strides[0], 4);
    assert_int_equal(at(&b.view, 1, 2, 3), 23);
    stria_array_release(&b);
    assert_int_equal(stria_contiguous(&b, &a.view, STRIA_ORDER_CHANNELS_LAST, NULL, NULL),
                     STRIA_ERR_SHAPE);
    assert_int_equal(stria_contiguous(&b, &a.view, STRIA_ORDER_K, NULL, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_contiguous(&b, &a.view, STRIA_ORDER_PRESERVE, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_SAME);
    stria_array_release(&b);
    stria_view turned;
    ok(stria_reverse_dims(&turned, &a.view));
    assert_int_equal(stria_contiguous(&b, &turned, STRIA_ORDER_PRESERVE, NULL, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_contiguous(NULL, &a.view, STRIA_ORDER_C, NULL, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_contiguous(&b, NULL, STRIA_ORDER_C, NULL, NULL), STRIA_ERR_ARGUMENT);
    stria_array_release(&a);
}

TEST(test_clone)
{
    stria_array a = counted(), b = {0};
    const stria_view readonly = readonly_of(&a.view);
    ok(stria_clone_new(&b, &readonly, NULL));
    assert_true(stria_is_writable(&b.view));
    assert_false(stria_may_share_memory(&a.view, &b.view));
    assert_memory_equal(a.view.data, b.view.data, 96);
    assert_int_equal(stria_clone_new(NULL, &a.view, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_clone_new(&b, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_clone_ordered_new(NULL, &a.view, STRIA_ORDER_K, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_clone_ordered_new(&b, NULL, STRIA_ORDER_K, NULL), STRIA_ERR_ARGUMENT);
    stria_array_release(&a);
    stria_array_release(&b);
}

/* A conj view and a neg view of an imaginary part become plain numbers in a copy. */
TEST(test_clone_resolves_flags)
{
    float x[4] = {1, 2, -3, 4};
    const float conjugated[4] = {1, -2, -3, -4}, negated[4] = {-1, -2, 3, -4};
    stria_view v;
    RELEASED stria_array b = {0};
    ok(stria_view_foreign(&v, x, stria_dtype_of(STRIA_C64), 1, (int64_t[]){2}, NULL, 0));
    v.flags = STRIA_CONJ;
    ok(stria_clone_new(&b, &v, NULL));
    assert_int_equal(b.view.flags, 0);
    assert_memory_equal(b.view.data, conjugated, sizeof x);
    v.flags = STRIA_NEG;
    ok(stria_copy(&b.view, &v, NULL));
    assert_memory_equal(b.view.data, negated, sizeof x);
    /* Equal flags on both sides: the bytes are right as they are. */
    b.view.flags = STRIA_NEG;
    ok(stria_copy(&b.view, &v, NULL));
    assert_memory_equal(b.view.data, x, sizeof x);
}

TEST(test_swapped)
{
    const uint8_t bytes[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    uint8_t in[12], out[12];
    const stria_dtype native = stria_dtype_of(STRIA_U32);
    stria_view src, dst;
    memcpy(in, bytes, sizeof in);
    ok(stria_view_foreign(&src, in, stria_dtype_swap(native), 1, (int64_t[]){3}, NULL, 0));
    ok(stria_view_foreign(&dst, out, native, 1, (int64_t[]){3}, (int64_t[]){4}, 0));
    ok(stria_copy(&dst, &src, NULL));
    for (int i = 0; i < 12; i++)
        assert_int_equal(out[i], bytes[i / 4 * 4 + 3 - i % 4]);
    /* In place: the very same elements in another order. */
    dst.data = (char *)in;
    ok(stria_copy(&dst, &src, NULL));
    assert_memory_equal(in, out, 12);
}

TEST(test_reshape_view)
{
    stria_array a = counted(), b = {0};
    stria_outcome outcome;
    counting_begin(0);
    ok(stria_reshape(&b, &a.view, 2, (int64_t[]){6, -1}, STRIA_COPY_NEVER, &outcome, NULL));
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
    assert_int_equal(outcome, STRIA_IS_VIEW);
    assert_int_equal(b.view.shape[1], 4);
    assert_ptr_equal(b.view.data, a.view.data);
    stria_array_release(&b);
    ok(stria_reshape(&b, &a.view, 3, (int64_t[]){2, 3, 4}, STRIA_COPY_IF_NEEDED, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_SAME);
    stria_array_release(&b);
    ok(stria_reshape(&b, &a.view, 1, (int64_t[]){24}, STRIA_COPY_ALWAYS, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_false(stria_may_share_memory(&a.view, &b.view));
    stria_array_release(&a);
    stria_array_release(&b);
}

TEST(test_reshape_copy)
{
    stria_array a = counted(), b = {0};
    stria_view t;
    stria_outcome outcome = STRIA_IS_SAME;
    ok(stria_reverse_dims(&t, &a.view));
    assert_int_equal(stria_reshape(&b, &t, 1, (int64_t[]){-1}, STRIA_COPY_NEVER, &outcome, NULL),
                     STRIA_ERR_STRIDE);
    assert_int_equal(outcome, STRIA_IS_SAME);
    ok(stria_reshape(&b, &t, 1, (int64_t[]){-1}, STRIA_COPY_IF_NEEDED, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    for (int i = 0; i < 24; i++) {
        int32_t value;
        memcpy(&value, b.view.data + 4 * (size_t)i, 4);
        assert_int_equal(value, i % 2 * 12 + i / 2 % 3 * 4 + i / 6);
    }
    assert_int_equal(stria_buffer_references(b.owned), 1);
    assert_int_equal(stria_reshape(&b, &t, 1, (int64_t[]){25}, STRIA_COPY_IF_NEEDED, NULL, NULL),
                     STRIA_ERR_SHAPE);
    stria_array_release(&a);
    stria_array_release(&b);
}

TEST(test_out_of_memory)
{
    stria_array a = counted(), b = {.owned = NULL};
    stria_view t;
    stria_outcome outcome;
    ok(stria_reverse_dims(&t, &a.view));
    counting_begin(1);
    assert_int_equal(stria_contiguous(&b, &t, STRIA_ORDER_C, &outcome, NULL), STRIA_ERR_MEMORY);
    assert_int_equal(allocation_counts.live, 0);
    assert_null(b.owned);
    counting_end();
    stria_array_release(&a);
}

TEST_MAIN(NULL, NULL)
