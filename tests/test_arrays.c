/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that own memory: how they are made, shared and released, and which views are refused. */
#include <string.h>

#include "view/array.h"
#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/test.h"

static const stria_kind f32 = STRIA_F32;

TEST(test_arrays)
{
    stria_array a = {0}, shared = {0};
    const int64_t shape[] = {2, 3, 4, 5};
    ok(stria_zeros(&a, stria_dtype_of(f32), 4, shape));
    assert_int_equal(stria_buffer_size(a.owned), 480);
    assert_ptr_equal(a.view.buffer, a.owned);
    assert_int_equal((uintptr_t)a.view.data % 64, 0);
    for (int i = 0; i < 480; i++)
        assert_int_equal(a.view.data[i], 0);
    assert_true(stria_is_contiguous(&a.view, STRIA_ORDER_C));
    stria_view part;
    ok(stria_select(&part, &a.view, 0, 1));
    ok(stria_array_share(&shared, &part));
    check_identical(&shared.view, &part);
    assert_int_equal(stria_buffer_references(a.owned), 2);
    stria_array_release(&a);
    assert_null(a.owned);
    assert_null(a.view.data);
    stria_array_release(&a);
    stria_array_release(NULL);
    assert_int_equal(stria_buffer_references(shared.owned), 1);
    stria_array_release(&shared);

    for (int order = 0; order < 4; order++) {
        const int64_t five[] = {2, 3, 4, 5, 2};
        ok(stria_empty_ordered(&a, stria_dtype_of(f32), order == 3 ? 5 : 4, five,
                               (stria_order)order));
        assert_true(stria_is_contiguous(&a.view, (stria_order)order));
        stria_array_release(&a);
    }
}

TEST(test_array_refusals)
{
    stria_array a = {0}, fresh = {0};
    memset(&a, 0xA5, sizeof a);
    a.owned = NULL;
    fresh = a;
    const stria_dtype dtype = stria_dtype_of(f32);
    refused(stria_empty(&a, dtype, 2, (int64_t[]){2, -1}), STRIA_ERR_SHAPE, "shape[1] = -1");
    refused(stria_empty(&a, dtype, 2, (int64_t[]){INT64_C(1) << 61, 2}), STRIA_ERR_OVERFLOW,
            "4 bytes");
    refused(stria_empty(&a, dtype, 65, NULL), STRIA_ERR_SHAPE, "ndim 65");
    refused(stria_empty(&a, dtype, 2, NULL), STRIA_ERR_ARGUMENT, "shape is NULL");
    refused(stria_empty_ordered(&a, dtype, 3, (int64_t[]){1, 2, 3}, STRIA_ORDER_CHANNELS_LAST),
            STRIA_ERR_SHAPE, "needs 4");
    refused(stria_empty_ordered(&a, dtype, 3, (int64_t[]){1, 2, 3}, (stria_order)9),
            STRIA_ERR_ARGUMENT, "order 9");
    counting_begin(1); /* the allocator refuses */
    refused(stria_empty(&a, dtype, 1, (int64_t[]){INT64_C(1) << 60}), BEYOND_MEMORY,
            "4611686018427387904");
    counting_end();
    assert_memory_equal(&a, &fresh, sizeof a);
    refused(stria_empty(NULL, dtype, 0, NULL), STRIA_ERR_ARGUMENT, "out is NULL");
}

/* Views that callers may put together themselves: no kernel must believe them. */
TEST(test_dtypes_that_are_none)
{
    const stria_dtype bad[] = {{.kind = STRIA_F32, .itemsize = 3},
                               {.kind = STRIA_BOOL, .itemsize = 0},
                               {.kind = STRIA_C128, .itemsize = -8},
                               {.kind = STRIA_VOID, .itemsize = -1},
                               {.kind = STRIA_UNICODE, .itemsize = 6},
                               {.kind = STRIA_RECORD, .itemsize = 4},
                               {.kind = STRIA_RECORD + 1, .itemsize = 4},
                               {.kind = STRIA_U8, .itemsize = 1, .swapped = true},
                               {.kind = STRIA_BYTES, .itemsize = 2, .swapped = true}};
    char memory[64];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        stria_array a = {0};
        stria_view v;
        const int64_t one = 1;
        refused(stria_empty(&a, bad[i], 1, &one), STRIA_ERR_DTYPE, "is no dtype");
        refused(stria_view_foreign(&v, memory, bad[i], 1, &one, NULL, 0), STRIA_ERR_DTYPE,
                "is no dtype");
    }
}

/* Arrays made near a meta view have no memory either. */
TEST(test_meta_arrays)
{
    if (sizeof(void *) < 8) skip(); /* larger than the address space */
    stria_view near;
    stria_array a = {0};
    const int64_t shape[] = {INT64_C(1) << 40, 1024};
    ok(stria_view_make(&near, meta_memory, stria_dtype_of(f32), 0, NULL, NULL, 0));
    ok(stria__empty_like_memory(&a, &near, stria_dtype_of(f32), 2, shape, STRIA_ORDER_F));
    assert_true(stria_buffer_is_meta(a.owned));
    assert_int_equal(a.view.strides[1], INT64_C(1) << 42);
    stria_array_release(&a);
    ok(stria_view_foreign(&near, &a, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 0));
    ok(stria__empty_like_memory(&a, &near, stria_dtype_of(f32), 0, NULL, STRIA_ORDER_C));
    assert_false(stria_buffer_is_meta(a.owned));
    stria_array_release(&a);
}

TEST_MAIN(make_meta_memory, free_meta_memory)
