/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bad strides and offsets, each under the name it has in bug reports: refused with the field named,
 * nothing allocated, nothing written; and the strange but legal ones, which must work.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/mapping.h"
#include "support/test.h"

enum { SIZE = 4096 };

static stria_buffer *room; /* SIZE bytes of addresses without memory */

static int make_room(void **state)
{
    (void)state;
    return stria_buffer_meta(&room, SIZE);
}

static int free_room(void **state)
{
    (void)state;
    stria_buffer_release(room);
    return 0;
}

struct stride_case {
    const char *name;
    int ndim;
    int64_t shape[3], strides[3], offset;
    stria_kind kind;
    stria_status status;
    const char *text;
};

#define HALF (INT64_MAX / 2 + 1)

static const struct stride_case refused[] = {
    {"stride INT64_MIN",
     1,
     {2},
     {INT64_MIN},
     0,
     STRIA_U8,
     STRIA_ERR_BOUNDS,
     "-9223372036854775808"},
    {"stride INT64_MIN from inside",
     1,
     {2},
     {INT64_MIN},
     SIZE - 1,
     STRIA_U8,
     STRIA_ERR_BOUNDS,
     "offset 4095"},
    {"stride 2^63 - 1",
     1,
     {2},
     {INT64_MAX},
     0,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "9223372036854775807"},
    {"stride -(2^63 - 1)", 1, {2}, {-INT64_MAX}, 0, STRIA_U8, STRIA_ERR_BOUNDS, "0 .. 4096"},
    {"stride x (dim - 1) wraps",
     1,
     {5},
     {INT64_C(1) << 62},
     0,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "4611686018427387904"},
    {"stride x (dim - 1) wraps to 0",
     1,
     {5},
     {INT64_C(1) << 62},
     0,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "spans more"},
    {"stride x (dim - 1) wraps downwards",
     1,
     {4},
     {INT64_MIN / 2 - 1},
     0,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "spans more"},
    {"sum wraps although each fits",
     2,
     {2, 2},
     {HALF, HALF},
     0,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "spans more"},
    {"sum wraps back into the buffer",
     3,
     {2, 2, 3},
     {HALF, HALF, HALF},
     0,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "spans more"},
    {"sum of negative ones wraps",
     2,
     {2, 2},
     {INT64_MIN, INT64_MIN},
     0,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "spans more"},
    {"item beyond a stride that fits",
     1,
     {2},
     {INT64_MAX - 3},
     0,
     STRIA_F32,
     STRIA_ERR_OVERFLOW,
     "spans more"},
    {"offset and stride wrap together",
     1,
     {2},
     {INT64_MAX - 100},
     200,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "offset 200"},
    {"positive and negative do not cancel",
     2,
     {2, 2},
     {8192, -8192},
     2048,
     STRIA_U8,
     STRIA_ERR_BOUNDS,
     "-6144 .. 10241"},
    {"1 byte before", 2, {3, 2}, {-4, 1}, 7, STRIA_U8, STRIA_ERR_BOUNDS, "-1 .. 9"},
    {"1 byte past", 1, {4}, {4}, SIZE - 15, STRIA_F32, STRIA_ERR_BOUNDS, "4081 .. 4097"},
    {"offset -1", 1, {1}, {4}, -1, STRIA_F32, STRIA_ERR_BOUNDS, "offset -1"},
    {"offset -1 of nothing", 1, {0}, {4}, -1, STRIA_F32, STRIA_ERR_BOUNDS, "offset -1"},
    {"offset = size", 1, {1}, {1}, SIZE, STRIA_U8, STRIA_ERR_BOUNDS, "offset 4096"},
    {"offset 2^63 - 1",
     1,
     {1},
     {1},
     INT64_MAX,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "offset 9223372036854775807"},
    {"offset -2^63", 1, {1}, {1}, INT64_MIN, STRIA_U8, STRIA_ERR_BOUNDS, "-9223372036854775808"},
};

TEST(test_refused)
{
    stria_view any;
    ok(stria_view_make(&any, room, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 0));
    counting_begin(0);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct stride_case *c = &refused[i];
        stria_view near = any;
        near.dtype = stria_dtype_of(c->kind);
        CHECK_REFUSED(
            c->status, c->text, to,
            stria_view_make(to, room, near.dtype, c->ndim, c->shape, c->strides, c->offset));
        CHECK_REFUSED(c->status, c->text, to,
                      stria_as_strided(to, &near, c->ndim, c->shape, c->strides, c->offset));
    }
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
}

/* Memory that wraps around the address space, or is NULL. */
TEST(test_foreign_addresses)
{
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    char *const top = (char *)(UINTPTR_MAX - 10), *const bottom = (char *)(uintptr_t)10;
    stria_view a;
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "address space", to,
                  stria_view_foreign(to, top, u8, 1, (int64_t[]){11}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "address space", to,
                  stria_view_foreign(to, bottom, u8, 1, (int64_t[]){12}, (int64_t[]){-1}, 0));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "address space", to,
                  stria_view_foreign(to, bottom, u8, 2, (int64_t[]){2, 2},
                                     (int64_t[]){INT64_MAX - 9, -10}, 0));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "spans more", to,
                  stria_view_foreign(to, bottom, u8, 1, (int64_t[]){2}, (int64_t[]){INT64_MAX}, 0));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "data is NULL", to,
                  stria_view_foreign(to, NULL, u8, 1, (int64_t[]){1}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "address space", to,
                  stria_view_foreign(to, NULL, u8, 2, (int64_t[]){2, 2},
                                     (int64_t[]){INT64_MAX - 1, INT64_MIN + 1}, 0));
    ok(stria_view_foreign(&a, top, u8, 1, (int64_t[]){10}, NULL, 0));
    ok(stria_view_foreign(&a, bottom, u8, 1, (int64_t[]){11}, (int64_t[]){-1}, 0));
    ok(stria_view_foreign(&a, NULL, u8, 1, (int64_t[]){0}, NULL, 0));
    stria_view b;
    ok(stria_flip(&b, &a, 1, (int[]){0}));
    assert_null(b.data);
    ok(stria_slice(&b, &a, 0, 1, 2, 1));
    assert_null(b.data);
}

TEST(test_null_strides)
{
    stria_view a;
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    ok(stria_view_make(&a, room, f32, 2, (int64_t[]){3, 4}, NULL, 0));
    assert_int_equal(a.strides[0], 16);
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "strides are NULL", to,
                  stria_as_strided(to, &a, 2, a.shape, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "the buffer is NULL", to,
                  stria_view_make(to, NULL, f32, 2, a.shape, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "4097", to,
                  stria_view_make(to, room, f32, 1, (int64_t[]){0}, NULL, SIZE + 1));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "9223372036854775807", to,
                  stria_view_make(to, room, f32, 1, (int64_t[]){0}, NULL, INT64_MAX));
    ok(stria_as_strided(&a, &a, 0, NULL, NULL, 4));
}

/* A step too large for its stride (NumPy's slice of a slice that crashed): nothing wraps. */
TEST(test_stride_times_step)
{
    stria_view a, b;
    ok(stria_view_make(&a, room, stria_dtype_of(STRIA_U8), 1, (int64_t[]){1},
                       (int64_t[]){INT64_C(1) << 62}, 5));
    ok(stria_slice(&b, &a, 0, STRIA_NONE, STRIA_NONE, 3));
    assert_int_equal(b.shape[0], 1);
    assert_ptr_equal(b.data, a.data);
    CHECK_REFUSED(STRIA_ERR_INDEX, "index 1", to, stria_select(to, &b, 0, 1));
    ok(stria_view_make(&a, room, stria_dtype_of(STRIA_U8), 1, (int64_t[]){9}, NULL, 0));
    ok(stria_slice(&b, &a, 0, 2, STRIA_NONE, INT64_MAX));
    assert_int_equal(b.shape[0], 1);
    assert_ptr_equal(b.data, a.data + 2);
    ok(stria_slice(&b, &a, 0, STRIA_NONE, STRIA_NONE, INT64_MIN + 1));
    assert_int_equal(b.shape[0], 1);
    assert_ptr_equal(b.data, a.data + 8);
}

/* Strides of dims of size 1 and of empty views, which nobody may look at, are garbage in every op
 * that computes. */
TEST(test_garbage_is_ignored)
{
    const int64_t garbage[] = {INT64_MIN, INT64_MAX, -1, 77};
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            stria_view one, empty, out;
            const int64_t g = garbage[i], h = garbage[j];
            ok(stria_view_make(&one, room, f32, 3, (int64_t[]){1, 5, 1}, (int64_t[]){g, 4, h}, 40));
            ok(stria_view_make(&empty, room, f32, 3, (int64_t[]){7, 0, 5}, (int64_t[]){g, h, g},
                               40));
            assert_true(stria_is_contiguous(&one, STRIA_ORDER_C));
            assert_true(stria_is_contiguous(&empty, STRIA_ORDER_F));
            assert_true(stria_is_aligned(&one) && stria_is_aligned(&empty));
            const stria_view *views[] = {&one, &empty};
            for (int k = 0; k < 2; k++) {
                const stria_view *a = views[k];
                ok(stria_flip(&out, a, 3, (int[]){0, 1, 2}));
                ok(stria_diagonal(&out, a, 0, 0, 2));
                ok(stria_diagonal(&out, a, 0, 2, 1));
                ok(stria_unfold(&out, a, 2, 1, INT64_MAX));
                ok(stria_unsqueeze(&out, a, 0));
                ok(stria_select(&out, a, 0, -1));
                ok(stria_slice(&out, a, 0, STRIA_NONE, STRIA_NONE, -2));
                ok(stria_view_shape(&out, a, 1, (int64_t[]){-1}));
                ok(stria_expand(&out, a, 4, (int64_t[]){1, -1, -1, -1}));
                assert_int_equal(stria_overlaps_itself(a, -1), STRIA_OVERLAP_NO);
            }
            ok(stria_as_strided(&out, &one, 3, one.shape, one.strides, 40));
            ok(stria_flip(&out, &one, 2, (int[]){0, 2}));
            assert_true(stria_same_view(&out, &one));
        }
}

TEST(test_legal)
{
    stria_view a;
    const stria_dtype f64 = stria_dtype_of(STRIA_F64), f32 = stria_dtype_of(STRIA_F32);
    /* stride 0 of an input */
    ok(stria_view_make(&a, room, f64, 1, (int64_t[]){INT64_MAX}, (int64_t[]){0}, 0));
    assert_int_equal(stria_nbytes(&a), INT64_MAX);
    /* stride no multiple of the item size */
    ok(stria_view_make(&a, room, f32, 1, (int64_t[]){5}, (int64_t[]){7}, 1));
    assert_false(stria_is_aligned(&a));
    /* misaligned by 1 .. 7 */
    for (int64_t offset = 1; offset < 8; offset++) {
        ok(stria_view_make(&a, room, f64, 1, (int64_t[]){2}, NULL, offset));
        assert_false(stria_is_aligned(&a));
    }
    /* offset: the size for an empty view; exactly the last byte of an element; backwards from
     * there */
    ok(stria_view_make(&a, room, f64, 1, (int64_t[]){0}, NULL, SIZE));
    ok(stria_view_make(&a, room, f64, 1, (int64_t[]){1}, NULL, SIZE - 8));
    ok(stria_view_make(&a, room, f64, 1, (int64_t[]){SIZE / 8}, (int64_t[]){-8}, SIZE - 8));
    /* elements that overlap */
    ok(stria_view_make(&a, room, f64, 1, (int64_t[]){9}, (int64_t[]){1}, 0));
    assert_int_equal(stria_overlaps_itself(&a, -1), STRIA_OVERLAP_YES);
    ok(stria_view_make(&a, room, stria_dtype_of(STRIA_U8), 2, (int64_t[]){4, 3}, (int64_t[]){2, 3},
                       0));
    assert_int_equal(stria_overlaps_itself(&a, -1), STRIA_OVERLAP_YES);
}

/* ---- writes -------------------------------------------------------------------------------- */

static void check_write_refused(const stria_view *dst, stria_status status, const void *memory,
                                size_t size)
{
    unsigned char before[64];
    static const double item = 3;
    stria_view src;
    assert_true(size <= sizeof before);
    memcpy(before, memory, size);
    ok(stria_view_foreign(&src, (void *)(uintptr_t)&item, dst->dtype, 0, NULL, NULL,
                          STRIA_READONLY));
    refused(stria_copy(dst, &src, NULL), status, "");
    assert_memory_equal(memory, before, size);
}

TEST(test_writes)
{
    double memory[8] = {0};
    unsigned char bytes[16] = {0};
    stria_view a;
    const stria_dtype f64 = stria_dtype_of(STRIA_F64), u8 = stria_dtype_of(STRIA_U8);
    ok(stria_view_foreign(&a, memory, f64, 1, (int64_t[]){3}, (int64_t[]){0}, 0));
    check_write_refused(&a, STRIA_ERR_OVERLAP, memory, sizeof memory);
    ok(stria_view_foreign(&a, memory, f64, 1, (int64_t[]){9}, (int64_t[]){1}, 0));
    check_write_refused(&a, STRIA_ERR_OVERLAP, memory, sizeof memory);
    /* strides 2 x 3 = 3 x 2: only both dims together overlap */
    ok(stria_view_foreign(&a, bytes, u8, 2, (int64_t[]){4, 3}, (int64_t[]){2, 3}, 0));
    check_write_refused(&a, STRIA_ERR_OVERLAP, bytes, sizeof bytes);
    ok(stria_view_foreign(&a, memory, f64, 1, (int64_t[]){8}, NULL, STRIA_READONLY));
    check_write_refused(&a, STRIA_ERR_READONLY, memory, sizeof memory);
}

/* The output overlaps its own input: one element further, one before, transposed. */
TEST(test_overlapping_copies)
{
    int32_t memory[17], expected[17];
    const stria_dtype i32 = stria_dtype_of(STRIA_I32);
    for (int shift = -1; shift <= 1; shift += 2) {
        stria_view src, dst;
        for (int i = 0; i < 17; i++)
            memory[i] = expected[i] = i;
        memmove(expected + 1 + shift, expected + 1, 15 * sizeof *expected);
        ok(stria_view_foreign(&src, memory + 1, i32, 1, (int64_t[]){15}, NULL, 0));
        ok(stria_view_foreign(&dst, memory + 1 + shift, i32, 1, (int64_t[]){15}, NULL, 0));
        assert_int_equal(stria_shares_memory(&dst, &src, -1), STRIA_OVERLAP_YES);
        ok(stria_copy(&dst, &src, NULL));
        assert_memory_equal(memory, expected, sizeof memory);
    }
    stria_view square, transposed;
    for (int i = 0; i < 16; i++)
        memory[i] = expected[i / 4 + i % 4 * 4] = i;
    ok(stria_view_foreign(&square, memory, i32, 2, (int64_t[]){4, 4}, NULL, 0));
    ok(stria_reverse_dims(&transposed, &square));
    ok(stria_copy(&square, &transposed, NULL));
    assert_memory_equal(memory, expected, 16 * sizeof *memory);
}

TEST_MAIN(make_room, free_room)
