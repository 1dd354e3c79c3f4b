/* SPDX-License-Identifier: BSD-3-Clause */
/* The constructor of views: its bounds, and what a view tells about itself and its memory. */
#include <string.h>

#include "stria/stria.h"
#include "support/any_view.h"
#include "support/enumerate.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

static const stria_kind f32 = STRIA_F32;

/* The constructor accepts exactly the views that stay inside, for every small geometry around the
 * edges. */
TEST(test_bounds)
{
    uint64_t seed = 41;
    int made = 0, refused = 0;
    stria_buffer *small;
    ok(stria_buffer_meta(&small, 40));
    for (int i = 0; i < 40000; i++) {
        int64_t shape[3], strides[3], index[3] = {0};
        const int ndim = (int)random_between(&seed, 0, 3);
        const int64_t offset = random_between(&seed, -3, 43);
        bool empty = false, inside = true;
        for (int d = 0; d < ndim; d++) {
            shape[d] = random_between(&seed, random_once(&seed, 9) ? 0 : 1, 4);
            strides[d] = random_between(&seed, -9, 9);
            empty |= shape[d] == 0;
        }
        if (empty) {
            inside = offset >= 0 && offset <= 40;
        } else {
            do {
                const int64_t at = offset + offset_of(index, ndim, strides);
                inside &= at >= 0 && at + 4 <= 40;
            } while (next_index(index, ndim, shape));
        }
        stria_view out;
        const stria_dtype dtype = stria_dtype_of(f32);
        if (inside) {
            ok(stria_view_make(&out, small, dtype, ndim, shape, strides, offset));
            assert_int_equal(stria_offset(&out), offset);
            assert_ptr_equal(out.buffer, small);
            assert_int_equal(out.flags, 0);
            made++;
        } else {
            CHECK_REFUSED(STRIA_ERR_BOUNDS, "0 .. 40", to,
                          stria_view_make(to, small, dtype, ndim, shape, strides, offset));
            refused++;
        }
    }
    assert_true(made > 5000 && refused > 5000);
    stria_buffer_release(small);
}

TEST(test_dense_strides)
{
    stria_view a;
    const stria_dtype dtype = stria_dtype_of(f32);
    ok(stria_view_make(&a, meta_memory, dtype, 3, (int64_t[]){2, 3, 4}, NULL, 8));
    assert_memory_equal(a.strides, ((int64_t[]){48, 16, 4}), 3 * sizeof(int64_t));
    ok(stria_view_make(&a, meta_memory, dtype, 3, (int64_t[]){4, 0, 5}, NULL, 0));
    assert_memory_equal(a.strides, ((int64_t[]){20, 20, 4}), 3 * sizeof(int64_t));
    assert_int_equal(stria_numel(&a), 0);
    assert_int_equal(stria_nbytes(&a), 0);
    ok(stria_view_make(&a, meta_memory, dtype, 0, NULL, NULL, 4));
    assert_int_equal(stria_numel(&a), 1);
    assert_int_equal(stria_nbytes(&a), 4);
}

/* Whether a view is dense in an order by definition: elements in that order lie side by side. */
static bool dense_by_definition(const stria_view *a, const int *slowest_first)
{
    int64_t shape[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM], index[STRIA_MAX_NDIM] = {0}, n = 0;
    for (int d = 0; d < a->ndim; d++) {
        shape[d] = a->shape[slowest_first[d]];
        strides[d] = a->strides[slowest_first[d]];
    }
    do {
        if (offset_of(index, a->ndim, strides) != n++ * a->dtype.itemsize) return false;
    } while (next_index(index, a->ndim, shape));
    return true;
}

TEST(test_is_contiguous)
{
    uint64_t seed = 42;
    int found[4] = {0};
    for (int i = 0; i < 60000; i++) {
        stria_view a;
        any_view(&a, meta_memory, &seed, 5, 3);
        const int c[5] = {0, 1, 2, 3, 4};
        const int f[5] = {a.ndim - 1, a.ndim - 2, a.ndim - 3, a.ndim - 4, a.ndim - 5};
        const int nhwc[4] = {0, 2, 3, 1}, ndhwc[5] = {0, 2, 3, 4, 1};
        const int *orders[4] = {c, f, nhwc, ndhwc};
        for (int order = 0; order < 4; order++) {
            const bool contiguous = stria_is_contiguous(&a, (stria_order)order);
            const bool fits = order < 2 || a.ndim == order + 2;
            if (!fits) assert_false(contiguous);
            if (!fits) continue;
            if (stria_numel(&a) == 0 && order < 2) assert_true(contiguous);
            if (stria_numel(&a) == 0) continue;
            assert_int_equal(contiguous, dense_by_definition(&a, orders[order]));
            found[order] += contiguous;
        }
    }
    for (int order = 0; order < 4; order++)
        assert_true(found[order] > 30);
    /* Orders that depend on the array: A is either of C and F, K and PRESERVE are any order. */
    uint64_t again = 77;
    int any = 0;
    for (int i = 0; i < 20000; i++) {
        stria_view a;
        any_view(&a, meta_memory, &again, 3, 3);
        if (stria_numel(&a) == 0) continue;
        static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        bool dense = false;
        for (int k = 0; k < 6; k++) {
            int dims[3], n = 0;
            for (int d = 0; d < 3; d++)
                if (orders[k][d] < a.ndim) dims[n++] = orders[k][d];
            dense |= dense_by_definition(&a, dims);
        }
        const bool c = stria_is_contiguous(&a, STRIA_ORDER_C);
        const bool f = stria_is_contiguous(&a, STRIA_ORDER_F);
        assert_int_equal(stria_is_contiguous(&a, STRIA_ORDER_A), c || f);
        assert_int_equal(stria_is_contiguous(&a, STRIA_ORDER_K), dense);
        assert_int_equal(stria_is_contiguous(&a, STRIA_ORDER_PRESERVE), dense);
        any += dense && !c && !f;
    }
    assert_true(any > 100);
    /* torch.zeros(2, 0, 3, 4) is dense, but not in channels_last. */
    stria_view empty;
    ok(stria_view_make(&empty, meta_memory, stria_dtype_of(f32), 4, (int64_t[]){2, 0, 3, 4}, NULL,
                       0));
    assert_true(stria_is_contiguous(&empty, STRIA_ORDER_C));
    assert_false(stria_is_contiguous(&empty, STRIA_ORDER_CHANNELS_LAST));
}

TEST(test_no_order)
{
    stria_view a;
    for (int ndim = 0; ndim < 8; ndim++) {
        const int64_t shape[8] = {0};
        ok(stria_view_make(&a, meta_memory, stria_dtype_of(f32), ndim, shape, NULL, 0));
        assert_false(stria_is_contiguous(&a, (stria_order)(STRIA_ORDER_PRESERVE + 1)));
        assert_false(stria_is_contiguous(&a, (stria_order)-1));
    }
}

TEST(test_is_aligned)
{
    uint64_t seed = 43;
    int aligned = 0, not = 0;
    for (int i = 0; i < 20000; i++) {
        stria_view a;
        int64_t index[STRIA_MAX_NDIM] = {0};
        any_view(&a, meta_memory, &seed, 4, 4);
        bool expected = true;
        if (stria_numel(&a) > 0) {
            do
                expected &= address_at(&a, index) % a.dtype.alignment == 0;
            while (next_index(index, a.ndim, a.shape));
        }
        assert_int_equal(stria_is_aligned(&a), expected);
        aligned += expected;
        not += !expected;
    }
    assert_true(aligned > 2000 && not > 2000);
}

TEST(test_same_view)
{
    stria_view a, b;
    const stria_dtype dtype = stria_dtype_of(f32);
    int64_t shape[] = {3, 1, 2}, strides[] = {8, 77, 4};
    ok(stria_view_make(&a, meta_memory, dtype, 3, shape, NULL, 8));
    ok(stria_view_make(&b, meta_memory, dtype, 3, shape, strides, 8));
    assert_true(stria_same_view(&a, &b));
    b.data += 4;
    assert_false(stria_same_view(&a, &b));
    b.data -= 4;
    b.strides[0] = 12;
    assert_false(stria_same_view(&a, &b));
    b.strides[0] = 8;
    b.flags = STRIA_READONLY;
    assert_false(stria_same_view(&a, &b));
    b.flags = 0;
    b.dtype = stria_dtype_of(STRIA_I32);
    assert_false(stria_same_view(&a, &b));
    b.dtype = dtype;
    b.shape[0] = 2;
    assert_false(stria_same_view(&a, &b));
    b.shape[0] = 3;
    b.ndim = 2;
    assert_false(stria_same_view(&a, &b));
    /* Meta buffers may have addresses in common, but they share nothing. */
    stria_buffer *other;
    ok(stria_buffer_meta(&other, 64));
    ok(stria_view_make(&b, other, dtype, 3, shape, NULL, 8));
    assert_ptr_equal(a.data, b.data);
    assert_false(stria_same_view(&a, &b));
    assert_int_equal(stria_shares_memory(&a, &b, -1), STRIA_OVERLAP_NO);
    assert_false(stria_may_share_memory(&a, &b));
    assert_int_equal(stria_shares_memory(&a, &a, -1), STRIA_OVERLAP_SAME);
    stria_buffer_release(other);
}

/* ---- memory -------------------------------------------------------------------------------- */

TEST(test_storage)
{
    stria_array a = {0};
    stria_view part, bytes;
    int64_t offset = -7;
    ok(stria_empty(&a, stria_dtype_of(f32), 2, (int64_t[]){4, 6}));
    ok(stria_storage_offset(&offset, &a.view));
    assert_int_equal(offset, 0);
    ok(stria_slice(&part, &a.view, 0, 1, 3, 1));
    ok(stria_storage_offset(&offset, &part));
    assert_int_equal(offset, 6);
    part.data += 2;
    refused(stria_storage_offset(&offset, &part), STRIA_ERR_STRIDE, "26 bytes");
    part.data -= 2;
    assert_int_equal(offset, 6);
    assert_int_equal(stria_retained_bytes(&part), 96);
    ok(stria_storage(&bytes, &part));
    assert_int_equal(bytes.dtype.kind, STRIA_U8);
    assert_int_equal(bytes.ndim, 1);
    assert_int_equal(bytes.shape[0], 96);
    assert_ptr_equal(bytes.data, a.view.data);
    assert_ptr_equal(bytes.buffer, a.owned);
    CHECK_IN_PLACE(&bytes, &part, stria_storage(to, from));
    stria_array_release(&a);

    char memory[100];
    ok(stria_view_foreign(&part, memory + 50, stria_dtype_of(f32), 1, (int64_t[]){4},
                          (int64_t[]){-10}, STRIA_READONLY));
    assert_int_equal(stria_retained_bytes(&part), 0);
    ok(stria_storage(&bytes, &part));
    assert_ptr_equal(bytes.data, memory + 20);
    assert_int_equal(bytes.shape[0], 34);
    assert_int_equal(bytes.flags, STRIA_READONLY);
}

/* is_view: a view that does not cover all of its memory exactly once. */
TEST(test_is_view)
{
    stria_array a = {0};
    stria_view v;
    ok(stria_empty(&a, stria_dtype_of(f32), 3, (int64_t[]){2, 3, 4}));
    assert_false(stria_is_view(&a.view));
    ok(stria_permute(&v, &a.view, 3, (int[]){2, 0, 1}));
    assert_false(stria_is_view(&v));
    ok(stria_view_shape(&v, &a.view, 1, (int64_t[]){24}));
    assert_false(stria_is_view(&v));
    ok(stria_slice(&v, &a.view, 2, 0, 3, 1));
    assert_true(stria_is_view(&v));
    ok(stria_slice(&v, &a.view, 2, STRIA_NONE, STRIA_NONE, -1));
    assert_true(stria_is_view(&v));
    ok(stria_select(&v, &a.view, 0, 1));
    assert_true(stria_is_view(&v));
    ok(stria_as_strided(&v, &a.view, 1, (int64_t[]){24}, (int64_t[]){0}, 0));
    assert_true(stria_is_view(&v)); /* one element, repeated as often as memory has elements */
    ok(stria_view_foreign(&v, a.view.data, a.view.dtype, 0, NULL, NULL, 0));
    assert_true(stria_is_view(&v));
    stria_array_release(&a);
    ok(stria_empty(&a, stria_dtype_of(f32), 1, (int64_t[]){0}));
    assert_false(stria_is_view(&a.view));
    stria_array_release(&a);
}

TEST_MAIN(make_meta_memory, free_meta_memory)
