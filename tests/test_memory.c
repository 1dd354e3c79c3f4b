/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New arrays and their layouts: orders taken from other arrays, given strides, clones, compact.
 * Expected strides are those that PyTorch 2.13 and NumPy 2.4 gave for the same shapes and strides.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/test.h"

enum { ROOM = 4096 };

static char memory[ROOM];

static stria_dtype i32(void)
{
    return stria_dtype_of(STRIA_I32);
}

/* Makes a view with strides in elements of i32, whose first one is at the middle of the memory. */
static stria_view view_of(int ndim, const int64_t *shape, const int64_t *strides)
{
    stria_view v;
    int64_t bytes[STRIA_MAX_NDIM];
    for (int d = 0; d < ndim; d++)
        bytes[d] = 4 * strides[d];
    ok(stria_view_foreign(&v, memory + ROOM / 2, i32(), ndim, shape, bytes, 0));
    return v;
}

/* Asserts strides in elements of i32. */
static void assert_strides(const stria_view *a, const int64_t *strides)
{
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != 1) assert_int_equal(a->strides[d], 4 * strides[d]);
}

/* ---- orders of other arrays ----------------------------------------------------------------- */

static const struct like {
    int ndim;
    int64_t shape[5], strides[5]; /* counted in elements */
    int64_t k[5], preserve[5];    /* strides of numpy.empty_like, of torch.empty_like */
} likes[] = {
    {3, {3, 5, 6}, {60, 12, 2}, {30, 6, 1}, {30, 6, 1}},
    {3, {6, 5, 3}, {2, 12, 60}, {1, 6, 30}, {1, 6, 30}},
    {4, {2, 3, 4, 5}, {60, 1, 15, 3}, {60, 1, 15, 3}, {60, 1, 15, 3}},
    {3, {3, 1, 4}, {8, 99, 2}, {4, 0, 1}, {4, 0, 1}},
    {3, {4, 2, 2}, {1, 1, 1}, {4, 2, 1}, {4, 2, 1}},
    {3, {5, 3, 2}, {1, 1, 3}, {3, 1, 15}, {3, 1, 15}},
    {2, {4, 3}, {1, 1}, {3, 1}, {3, 1}},
    /* NumPy and PyTorch differ: equal strides, and strides of 0. */
    {2, {3, 4}, {1, 1}, {4, 1}, {1, 3}},
    {3, {2, 4, 2}, {1, 1, 1}, {8, 2, 1}, {2, 4, 1}},
    {2, {2, 3}, {0, 1}, {1, 2}, {3, 1}},
    {3, {3, 2, 4}, {0, 8, 0}, {4, 12, 1}, {8, 4, 1}},
    {3, {2, 2, 3}, {3, 0, 1}, {6, 1, 2}, {6, 3, 1}},
    {5, {6, 5, 4, 3, 2}, {6, 0, 120, 0, 1}, {30, 3, 180, 1, 15}, {6, 36, 180, 2, 1}},
};

TEST(test_like)
{
    for (size_t i = 0; i < sizeof likes / sizeof likes[0]; i++) {
        const struct like *c = &likes[i];
        const stria_view v = view_of(c->ndim, c->shape, c->strides);
        stria_array a = {0};
        ok(stria_empty_like(&a, &v, i32(), STRIA_ORDER_K));
        assert_strides(&a.view, c->k);
        stria_array_release(&a);
        ok(stria_empty_like(&a, &v, i32(), STRIA_ORDER_PRESERVE));
        assert_strides(&a.view, c->preserve);
        assert_int_equal(stria_buffer_size(a.owned), stria_nbytes(&a.view));
        stria_array_release(&a);
    }
}

/* Backwards arrays give forwards ones; another item size scales the strides. */
TEST(test_like_reversed)
{
    const stria_view v = view_of(2, (int64_t[]){3, 5}, (int64_t[]){-5, 1});
    const stria_view t = view_of(2, (int64_t[]){5, 3}, (int64_t[]){-1, -5});
    stria_array a = {0};
    for (int order = STRIA_ORDER_K; order <= STRIA_ORDER_PRESERVE; order++) {
        ok(stria_empty_like(&a, &v, i32(), (stria_order)order));
        assert_strides(&a.view, (int64_t[]){5, 1});
        stria_array_release(&a);
        ok(stria_zeros_like(&a, &t, stria_dtype_of(STRIA_F64), (stria_order)order));
        assert_strides(&a.view, (int64_t[]){2, 10});
        for (int i = 0; i < 120; i++)
            assert_int_equal(a.view.data[i], 0);
        stria_array_release(&a);
    }
}

/* NumPy's order 'A': F where the array is dense in F order only. */
TEST(test_like_any)
{
    const stria_view in_c = view_of(2, (int64_t[]){3, 5}, (int64_t[]){5, 1});
    const stria_view in_f = view_of(2, (int64_t[]){3, 5}, (int64_t[]){1, 3});
    const stria_view in_none = view_of(2, (int64_t[]){3, 5}, (int64_t[]){1, 4});
    const stria_view in_both = view_of(2, (int64_t[]){1, 5}, (int64_t[]){9, 1});
    stria_array a = {0};
    ok(stria_empty_like(&a, &in_c, i32(), STRIA_ORDER_A));
    assert_strides(&a.view, (int64_t[]){5, 1});
    stria_array_release(&a);
    ok(stria_empty_like(&a, &in_f, i32(), STRIA_ORDER_A));
    assert_strides(&a.view, (int64_t[]){1, 3});
    stria_array_release(&a);
    ok(stria_empty_like(&a, &in_none, i32(), STRIA_ORDER_A));
    assert_strides(&a.view, (int64_t[]){5, 1});
    stria_array_release(&a);
    ok(stria_empty_like(&a, &in_both, i32(), STRIA_ORDER_A));
    assert_int_equal(a.view.strides[0], 20);
    stria_array_release(&a);
}

/* Orders that need an array are refused where none is given, with a message that says so. */
TEST(test_order_refusals)
{
    const stria_view v = view_of(2, (int64_t[]){3, 5}, (int64_t[]){1, 3});
    stria_array a = {.owned = NULL};
    for (int order = STRIA_ORDER_A; order <= STRIA_ORDER_PRESERVE; order++) {
        assert_int_equal(stria_empty_ordered(&a, i32(), 1, (int64_t[]){3}, (stria_order)order),
                         STRIA_ERR_ARGUMENT);
        assert_non_null(strstr(stria_last_error(), "none here"));
    }
    assert_int_equal(stria_empty_like(&a, &v, i32(), STRIA_ORDER_CHANNELS_LAST), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "empty_like"));
    assert_int_equal(stria_clone_ordered_new(&a, &v, (stria_order)77, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "77"));
    assert_int_equal(stria_empty_like(NULL, &v, i32(), STRIA_ORDER_C), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_empty_like(&a, NULL, i32(), STRIA_ORDER_C), STRIA_ERR_ARGUMENT);
    assert_null(a.owned);
}

/* ---- strides of one's own ------------------------------------------------------------------- */

TEST(test_empty_strided)
{
    static const struct {
        int ndim;
        int64_t shape[3], strides[3]; /* counted in elements */
        int64_t nbytes;               /* bytes of torch's storage */
    } cases[] = {
        {3, {5, 5, 5}, {2, 0, 1}, 52},
        {3, {3, 2, 2}, {1, 2, 3}, 32},
        {3, {1, 1, 12}, {5, 20, 10}, 444},
        {2, {2, 0}, {3, 4}, 0},
        {0, {0}, {0}, 4},
        {1, {5}, {4}, 68},
    };
    stria_array a = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t bytes[3];
        for (int d = 0; d < 3; d++)
            bytes[d] = 4 * cases[i].strides[d];
        ok(stria_empty_strided(&a, i32(), cases[i].ndim, cases[i].shape, bytes));
        assert_int_equal(stria_buffer_size(a.owned), cases[i].nbytes);
        assert_int_equal(stria_offset(&a.view), 0);
        assert_memory_equal(a.view.strides, bytes, (size_t)cases[i].ndim * 8);
        stria_array_release(&a);
    }
}

/* Bytes before element [0, ..., 0] are part of the memory. */
TEST(test_empty_strided_negative)
{
    stria_array a = {0};
    const int32_t seven = 7;
    ok(stria_empty_strided(&a, i32(), 2, (int64_t[]){3, 4}, (int64_t[]){16, -4}));
    assert_int_equal(stria_buffer_size(a.owned), 48);
    assert_int_equal(stria_offset(&a.view), 12);
    ok(stria_fill_item(&a.view, &seven, NULL));
    stria_array_release(&a);
    ok(stria_empty_strided(&a, stria_dtype_of(STRIA_U8), 1, (int64_t[]){3}, (int64_t[]){-1000}));
    assert_int_equal(stria_buffer_size(a.owned), 2001);
    assert_int_equal(stria_offset(&a.view), 2000);
    stria_array_release(&a);
}

TEST(test_empty_strided_refusals)
{
    stria_array a = {.owned = NULL};
    const int64_t huge = INT64_C(1) << 62;
    assert_int_equal(stria_empty_strided(&a, i32(), 1, (int64_t[]){3}, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_empty_strided(&a, i32(), 1, (int64_t[]){-3}, &huge), STRIA_ERR_SHAPE);
    assert_int_equal(stria_empty_strided(&a, i32(), 1, (int64_t[]){4}, &huge), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_empty_strided(&a, i32(), 2, (int64_t[]){2, 2},
                                         (int64_t[]){-huge - huge / 2, huge + huge / 2}),
                     STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_empty_strided(&a, i32(), 65, (int64_t[65]){0}, (int64_t[65]){0}),
                     STRIA_ERR_SHAPE);
    assert_null(a.owned);
}

TEST(test_new_empty_strided)
{
    if (sizeof(void *) < 8) skip(); /* larger than the address space */
    stria_buffer *meta;
    stria_view near;
    stria_array a = {0};
    const int64_t huge = INT64_C(1) << 50;
    ok(stria_buffer_meta(&meta, 4));
    ok(stria_view_make(&near, meta, i32(), 0, NULL, NULL, 0));
    ok(stria_new_empty_strided(&a, &near, i32(), 1, &huge, (int64_t[]){8}));
    assert_true(stria_buffer_is_meta(a.owned));
    assert_int_equal(stria_buffer_size(a.owned), huge * 8 - 4);
    stria_array_release(&a);
    ok(stria_full_like_item(&a, &near, i32(), STRIA_ORDER_C, &(int32_t){3}, NULL));
    assert_true(stria_buffer_is_meta(a.owned));
    stria_array_release(&a);
    ok(stria_zeros_like(&a, &near, i32(), STRIA_ORDER_C));
    assert_true(stria_buffer_is_meta(a.owned));
    stria_array_release(&a);
    stria_buffer_release(meta);
}

TEST(test_empty_permuted)
{
    static const struct {
        int ndim, dims[4];
        int64_t shape[4], strides[4]; /* strides of torch.empty_permuted, in elements */
    } cases[] = {
        {3, {1, 2, 0}, {1, 3, 5}, {1, 5, 1}},
        {3, {2, 0, 1}, {5, 3, 1}, {3, 1, 15}},
        {4, {3, 1, 0, 2}, {2, 3, 4, 5}, {4, 8, 1, 24}},
        {4, {-1, 1, 0, -2}, {2, 3, 4, 5}, {4, 8, 1, 24}},
        {0, {0}, {0}, {0}},
    };
    stria_array a = {.owned = NULL};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ok(stria_empty_permuted(&a, i32(), cases[i].ndim, cases[i].shape, cases[i].dims));
        assert_strides(&a.view, cases[i].strides);
        assert_int_equal(stria_buffer_size(a.owned), stria_nbytes(&a.view));
        stria_array_release(&a);
    }
    assert_int_equal(stria_empty_permuted(&a, i32(), 2, (int64_t[]){2, 3}, (int[]){0, 0}),
                     STRIA_ERR_DIM);
    assert_int_equal(stria_empty_permuted(&a, i32(), 2, (int64_t[]){2, 3}, (int[]){0, 2}),
                     STRIA_ERR_DIM);
    assert_int_equal(stria_empty_permuted(&a, i32(), 2, (int64_t[]){2, 3}, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_null(a.owned);
}

TEST(test_full)
{
    const stria_view v = view_of(2, (int64_t[]){2, 3}, (int64_t[]){1, 2});
    const int32_t item = -5;
    int32_t got[6];
    stria_array a = {.owned = NULL};
    ok(stria_full_item(&a, i32(), 2, (int64_t[]){2, 3}, &item, NULL));
    memcpy(got, a.view.data, sizeof got);
    for (int i = 0; i < 6; i++)
        assert_int_equal(got[i], -5);
    stria_array_release(&a);
    ok(stria_full_like_item(&a, &v, i32(), STRIA_ORDER_K, &item, NULL));
    assert_strides(&a.view, (int64_t[]){1, 2});
    memcpy(got, a.view.data, sizeof got);
    for (int i = 0; i < 6; i++)
        assert_int_equal(got[i], -5);
    stria_array_release(&a);
    counting_begin(0);
    assert_int_equal(stria_full_item(&a, i32(), 0, NULL, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
}

/* ---- clone and compact ---------------------------------------------------------------------- */

TEST(test_clone_ordered)
{
    stria_array a = {0}, b = {0};
    stria_view t;
    ok(stria_empty(&a, i32(), 4, (int64_t[]){2, 3, 4, 5}));
    for (int32_t i = 0; i < 120; i++)
        memcpy(a.view.data + 4 * (size_t)i, &i, 4);
    ok(stria_permute(&t, &a.view, 4, (int[]){3, 0, 2, 1}));
    static const struct {
        stria_order order;
        int64_t strides[4]; /* strides of torch.clone(memory_format=), numpy.copy(order=) */
    } cases[] = {
        {STRIA_ORDER_C, {24, 12, 3, 1}}, {STRIA_ORDER_F, {1, 5, 10, 40}},
        {STRIA_ORDER_K, {1, 60, 5, 20}}, {STRIA_ORDER_PRESERVE, {1, 60, 5, 20}},
        {STRIA_ORDER_A, {24, 12, 3, 1}}, {STRIA_ORDER_CHANNELS_LAST, {24, 1, 6, 2}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        ok(stria_clone_ordered_new(&b, &t, cases[c].order, NULL));
        assert_strides(&b.view, cases[c].strides);
        assert_int_equal(stria_buffer_references(b.owned), 1);
        for (int64_t i = 0; i < 120; i++) {
            const int64_t at[4] = {i / 24, i / 12 % 2, i / 3 % 4, i % 3};
            int64_t from = 0, to = 0;
            for (int d = 0; d < 4; d++) {
                from += at[d] * t.strides[d];
                to += at[d] * b.view.strides[d];
            }
            assert_memory_equal(a.view.data + from, b.view.data + to, 4);
        }
        stria_array_release(&b);
    }
    assert_int_equal(stria_clone_ordered_new(&b, &t, STRIA_ORDER_CHANNELS_LAST_3D, NULL),
                     STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "clone"));
    stria_array_release(&a);
}

TEST(test_compact)
{
    stria_array big = {0}, small = {0}, out = {0};
    stria_view v;
    stria_outcome outcome;
    ok(stria_zeros(&big, i32(), 2, (int64_t[]){100, 100}));
    memcpy(big.view.data + 4 * 302, &(int32_t){42}, 4);
    /* A view of 2 x 5 of 10000 elements: 40 of 40000 bytes. */
    ok(stria_slice(&v, &big.view, 0, 3, 5, 1));
    ok(stria_slice(&v, &v, 1, 0, 10, 2));
    ok(stria_reverse_dims(&v, &v));
    ok(stria_compact(&out, &v, 0.001, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_SAME);
    assert_true(stria_same_view(&out.view, &v));
    assert_int_equal(stria_buffer_references(big.owned), 2);
    stria_array_release(&out);
    ok(stria_compact(&small, &v, 0.0011, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_int_equal(stria_buffer_references(big.owned), 1);
    assert_int_equal(stria_buffer_size(small.owned), 40);
    assert_strides(&small.view, (int64_t[]){1, 5});
    int32_t value;
    memcpy(&value, small.view.data + 4, 4);
    assert_int_equal(value, 42);
    /* A view that is all of its memory stays, whatever the ratio. */
    ok(stria_compact(&out, &small.view, 1, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_SAME);
    stria_array_release(&out);
    stria_array_release(&small);
    stria_array_release(&big);
}

TEST(test_compact_edges)
{
    stria_array big = {0}, out = {.owned = NULL};
    stria_view v;
    stria_outcome outcome = STRIA_IS_VIEW;
    const stria_view foreign = view_of(1, (int64_t[]){3}, (int64_t[]){7});
    ok(stria_compact(&out, &foreign, 1, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_SAME);
    ok(stria_zeros(&big, i32(), 1, (int64_t[]){100}));
    /* One element repeated needs more memory as a copy than it keeps alive. */
    ok(stria_narrow(&v, &big.view, 0, 0, 1));
    ok(stria_expand(&v, &v, 1, (int64_t[]){101}));
    ok(stria_compact(&out, &v, 1, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_SAME);
    stria_array_release(&out);
    /* An empty view releases all the memory. */
    ok(stria_narrow(&v, &big.view, 0, 7, 0));
    ok(stria_compact(&out, &v, 0.5, NULL, NULL));
    assert_int_equal(stria_buffer_size(out.owned), 0);
    stria_array_release(&out);
    const double ratios[] = {-0.1, 1.5, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        assert_int_equal(stria_compact(&out, &v, ratios[i], NULL, NULL), STRIA_ERR_ARGUMENT);
    counting_begin(1);
    assert_int_equal(stria_compact(&out, &v, 0.5, &outcome, NULL), STRIA_ERR_MEMORY);
    assert_int_equal(outcome, STRIA_IS_SAME);
    counting_end();
    assert_null(out.owned);
    stria_array_release(&big);
}

TEST_MAIN(NULL, NULL)
