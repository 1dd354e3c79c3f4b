/* SPDX-License-Identifier: BSD-3-Clause */
/* The same bytes under another dtype: byte by byte, along any dim. */
#include <string.h>

#include "stria/record.h"
#include "stria/reinterpret.h"
#include "support/any_view.h"
#include "support/enumerate.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 4000 };

/* Returns the address of a byte along dim k, whose items are adjacent. */
static intptr_t byte_address(const stria_view *a, int k, int64_t *index, int64_t byte)
{
    const int64_t w = a->dtype.itemsize, kept = index[k];
    index[k] = byte / w;
    const intptr_t at = address_at(a, index) + (intptr_t)(byte % w);
    index[k] = kept;
    return at;
}

/* Checks that the bytes along dim k are the same, in the same order, whatever the item sizes. */
static void check_same_bytes(const stria_view *out, const stria_view *a, int k)
{
    const int64_t w = a->dtype.itemsize, v = out->dtype.itemsize;
    assert_int_equal(out->shape[k] * v, a->shape[k] * w);
    if (stria_numel(a) == 0) return;
    int64_t index[STRIA_MAX_NDIM] = {0}, lines[STRIA_MAX_NDIM];
    for (int d = 0; d < a->ndim; d++)
        lines[d] = d == k ? 1 : a->shape[d];
    do {
        for (int64_t byte = 0; byte < a->shape[k] * w; byte++)
            assert_int_equal(byte_address(out, k, index, byte), byte_address(a, k, index, byte));
    } while (next_index(index, a->ndim, lines));
}

TEST(test_view_dtype)
{
    uint64_t seed = 36;
    int made = 0, strides = 0, sizes = 0;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        stria_view a, out;
        any_view(&a, meta_memory, &seed, 4, 6);
        stria_dtype dtype;
        ok(stria_dtype_sized(&dtype, STRIA_VOID, random_between(&seed, 1, 24)));
        const int64_t w = a.dtype.itemsize, v = dtype.itemsize;
        const int k = a.ndim ? (int)random_between(&seed, 0, a.ndim - 1) : 0;
        const int64_t n = a.ndim ? a.shape[k] : 0;
        if (v != w && a.ndim == 0) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "0 dims", to, stria_view_dtype_dim(to, &a, dtype, k));
        } else if (v != w && n != 1 && stria_numel(&a) && a.strides[k] != w) {
            CHECK_REFUSED(STRIA_ERR_STRIDE, "would have to be", to,
                          stria_view_dtype_dim(to, &a, dtype, k));
            strides++;
        } else if (v != w && (n * w % v || (v < w && w % v))) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "whole number", to,
                          stria_view_dtype_dim(to, &a, dtype, k));
            sizes++;
        } else {
            ok(stria_view_dtype_dim(&out, &a, dtype, k - a.ndim));
            assert_true(stria_dtype_equal(out.dtype, dtype));
            assert_ptr_equal(out.data, a.data);
            assert_int_equal(out.ndim, a.ndim);
            if (a.ndim > 0) check_same_bytes(&out, &a, k);
            CHECK_IN_PLACE(&out, &a, stria_view_dtype_dim(to, from, dtype, k));
            if (k == a.ndim - 1) CHECK_IN_PLACE(&out, &a, stria_view_dtype(to, from, dtype));
            made++;
        }
    }
    assert_true(made > ROUNDS / 4 && strides > ROUNDS / 4 && sizes > ROUNDS / 4);
}

TEST(test_view_dtype_rules)
{
    stria_view a, out;
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_C64), 1, (int64_t[]){4}, NULL, 0));
    a.flags = STRIA_CONJ;
    CHECK_REFUSED(STRIA_ERR_DTYPE, "conjugated", to,
                  stria_view_dtype(to, &a, stria_dtype_of(STRIA_F32)));
    ok(stria_view_dtype(&out, &a, a.dtype));
    assert_int_equal(out.flags, STRIA_CONJ);
    a.flags = STRIA_NEG | STRIA_READONLY;
    CHECK_REFUSED(STRIA_ERR_DTYPE, "negated", to,
                  stria_view_dtype(to, &a, stria_dtype_of(STRIA_U64)));
    /* Views of another shape keep all flags. */
    ok(stria_view_shape(&out, &a, 2, (int64_t[]){2, 2}));
    assert_int_equal(out.flags, STRIA_NEG | STRIA_READONLY);
    a.flags = 0;
    stria_dtype none = stria_dtype_of(STRIA_VOID), wrong = a.dtype;
    CHECK_REFUSED(STRIA_ERR_SHAPE, "items of 0 bytes", to, stria_view_dtype(to, &a, none));
    wrong.itemsize = -8;
    CHECK_REFUSED(STRIA_ERR_DTYPE, "-8 bytes", to, stria_view_dtype(to, &a, wrong));
    /* An unaligned view is allowed, and reports that it is. */
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_I32), 1, (int64_t[]){4}, NULL, 4));
    ok(stria_view_dtype(&out, &a, stria_dtype_of(STRIA_I64)));
    assert_false(stria_is_aligned(&out));
    assert_true(stria_is_aligned(&a));
}

static void same_index(int64_t *source, const int64_t *index, const void *args)
{
    const int *ndim = args;
    memcpy(source, index, (size_t)*ndim * sizeof *source);
}

TEST(test_getfield)
{
    uint64_t seed = 37;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        any_view(&a, meta_memory, &seed, 4, 4);
        stria_dtype dtype;
        ok(stria_dtype_sized(&dtype, STRIA_VOID, random_between(&seed, 0, 16)));
        const int64_t offset = random_between(&seed, -1, a.dtype.itemsize);
        if (offset < 0 || offset + dtype.itemsize > a.dtype.itemsize) {
            CHECK_REFUSED(STRIA_ERR_BOUNDS, "not within an item", to,
                          stria_getfield(to, &a, dtype, offset));
            continue;
        }
        ok(stria_getfield(&out, &a, dtype, offset));
        CHECK_IN_PLACE(&out, &a, stria_getfield(to, from, dtype, offset));
        assert_true(stria_dtype_equal(out.dtype, dtype));
        if (stria_numel(&a) > 0) out.data -= offset;
        out.dtype = a.dtype;
        check_mapping(&out, &a, a.ndim, a.shape, same_index, &a.ndim);
    }
    stria_view a;
    const stria_dtype c64 = stria_dtype_of(STRIA_C64);
    ok(stria_view_make(&a, meta_memory, c64, 0, NULL, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "9223372036854775807", to,
                  stria_getfield(to, &a, c64, INT64_MAX));
    a.flags = STRIA_CONJ;
    CHECK_REFUSED(STRIA_ERR_DTYPE, "conjugated", to,
                  stria_getfield(to, &a, stria_dtype_of(STRIA_F32), 4));
}

TEST(test_newbyteorder)
{
    int32_t number = 1;
    stria_view a, swapped, back;
    ok(stria_view_foreign(&a, &number, stria_dtype_of(STRIA_I32), 0, NULL, NULL, 0));
    ok(stria_newbyteorder(&swapped, &a));
    assert_true(swapped.dtype.swapped);
    assert_ptr_equal(swapped.data, a.data);
    ok(stria_newbyteorder(&back, &swapped));
    check_identical(&back, &a);
    CHECK_IN_PLACE(&swapped, &a, stria_newbyteorder(to, from));
    a.flags = STRIA_NEG;
    CHECK_REFUSED(STRIA_ERR_DTYPE, "negated", to, stria_newbyteorder(to, &a));
    a.flags = 0;
    a.dtype = stria_dtype_of(STRIA_U8);
    ok(stria_newbyteorder(&swapped, &a));
    assert_false(swapped.dtype.swapped);
    const stria_field byte = {.name = "x", .dtype = stria_dtype_of(STRIA_U8)};
    ok(stria_record_make(&a.dtype, 1, &byte, 0, false));
    CHECK_REFUSED(STRIA_ERR_DTYPE, "stria_record_swap", to, stria_newbyteorder(to, &a));
    stria_dtype_release(a.dtype);
}

TEST_MAIN(make_meta_memory, free_meta_memory)
