/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bad shapes, each under the name it has in bug reports. All of them must be refused with the field
 * named, before a byte is allocated and with the output untouched; the odd but legal ones in
 * between must be accepted.
 */
#include <limits.h>
#include <string.h>

#include "stria/stria.h"
#include "support/any_view.h"
#include "support/counting_allocator.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/test.h"

#define P(n) (INT64_C(1) << (n))

struct shape_case {
    const char *name;
    int ndim;
    int64_t shape[6];
    bool null;
    stria_kind kind;
    stria_status status; /* status of making an empty view, and an array, of this shape */
    const char *text;
};

static const struct shape_case cases[] = {
    {"ndim -1", -1, {0}, false, STRIA_F32, STRIA_ERR_SHAPE, "ndim -1"},
    {"ndim 65", 65, {0}, false, STRIA_F32, STRIA_ERR_SHAPE, "ndim 65"},
    {"ndim 2^31 - 1", INT_MAX, {0}, false, STRIA_F32, STRIA_ERR_SHAPE, "ndim 2147483647"},
    {"ndim -2^31", INT_MIN, {0}, false, STRIA_F32, STRIA_ERR_SHAPE, "ndim -2147483648"},
    {"NULL shape", 2, {0}, true, STRIA_F32, STRIA_ERR_ARGUMENT, "shape is NULL"},
    {"dim -1", 3, {2, -1, 2}, false, STRIA_F32, STRIA_ERR_SHAPE, "shape[1] = -1"},
    {"dim -1 beside 0", 3, {2, 0, -1}, false, STRIA_F32, STRIA_ERR_SHAPE, "shape[2] = -1"},
    {"dim INT64_MIN", 1, {INT64_MIN}, false, STRIA_U8, STRIA_ERR_SHAPE, "-9223372036854775808"},
    {"dim 2^63 - 1", 1, {INT64_MAX}, false, STRIA_F32, STRIA_ERR_OVERFLOW, "4 bytes"},
    {"dim 2^63 - 1 twice",
     2,
     {INT64_MAX, INT64_MAX},
     false,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "2^63 - 1"},
    {"product wraps to 0", 2, {P(33), P(31)}, false, STRIA_U8, STRIA_ERR_OVERFLOW, "8589934592"},
    {"product wraps to 4", 2, {P(62) + 1, 4}, false, STRIA_U8, STRIA_ERR_OVERFLOW, "2^63 - 1"},
    {"bytes wrap", 1, {P(62)}, false, STRIA_F32, STRIA_ERR_OVERFLOW, "4 bytes"},
    {"extent fits 64 bits unsigned only",
     2,
     {P(62), 3},
     false,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "2^63 - 1"},
    {"bytes fit 64 bits unsigned only",
     1,
     {P(60)},
     false,
     STRIA_F64,
     STRIA_ERR_OVERFLOW,
     "8 bytes"},
    {"2^21 cubed", 3, {P(21), P(21), P(21)}, false, STRIA_U8, STRIA_ERR_OVERFLOW, "2097152"},
    {"0 x (2^63 - 1)^2",
     3,
     {0, INT64_MAX, INT64_MAX},
     false,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "sizes of 0 left out"},
    {"(2^63 - 1)^2 x 0",
     3,
     {INT64_MAX, INT64_MAX, 0},
     false,
     STRIA_U8,
     STRIA_ERR_OVERFLOW,
     "sizes of 0 left out"},
    {"2^62 x 0 x 4 bytes", 2, {P(62), 0}, false, STRIA_F32, STRIA_ERR_OVERFLOW, "4 bytes"},
};

static const int64_t *shape_of(const struct shape_case *c)
{
    return c->null ? NULL : c->shape;
}

/* Every function that takes a shape for new geometry. */
TEST(test_refused_everywhere)
{
    static char memory[16];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct shape_case *c = &cases[i];
        const stria_dtype dtype = stria_dtype_of(c->kind);
        const int64_t *shape = shape_of(c);
        stria_array array = {0}, fresh = {0};
        memset(&array, 0xA5, sizeof array);
        array.owned = NULL;
        fresh = array;
        counting_begin(0);
        CHECK_REFUSED(c->status, c->text, to,
                      stria_view_make(to, meta_memory, dtype, c->ndim, shape, NULL, 0));
        CHECK_REFUSED(c->status, c->text, to,
                      stria_view_foreign(to, memory, dtype, c->ndim, shape, NULL, 0));
        refused(stria_empty(&array, dtype, c->ndim, shape), c->status, c->text);
        refused(stria_zeros(&array, dtype, c->ndim, shape), c->status, c->text);
        refused(stria_empty_ordered(&array, dtype, c->ndim, shape, STRIA_ORDER_F), c->status,
                c->text);
        assert_memory_equal(&array, &fresh, sizeof array);
        assert_int_equal(allocation_counts.calls, 0);
        counting_end();
    }
}

/* A shape to expand to may stand for more bytes than there are: only the number of elements must
 * fit. */
TEST(test_refused_as_targets)
{
    stria_view one;
    ok(stria_view_make(&one, meta_memory, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 0));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct shape_case *c = &cases[i];
        if (strstr(c->text, "bytes")) continue;
        const int64_t *shape = shape_of(c);
        stria_view out;
        CHECK_REFUSED(c->status, c->text, to, stria_broadcast_to(to, &one, c->ndim, shape));
        assert_int_not_equal(stria_expand(&out, &one, c->ndim, shape), STRIA_OK);
        assert_int_not_equal(stria_view_shape(&out, &one, c->ndim, shape), STRIA_OK);
        const int64_t strides[6] = {0};
        CHECK_REFUSED(c->status, c->text, to,
                      stria_as_strided(to, &one, c->ndim, shape, strides, 0));
    }
}

/* Sizes for which there is no memory: they do not overflow, but nothing is allocated. */
TEST(test_too_large_for_memory)
{
    stria_buffer *small;
    ok(stria_buffer_meta(&small, 1000));
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    counting_begin(0);
    /* product = PTRDIFF_MAX */
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "9223372036854775807", to,
                  stria_view_make(to, small, u8, 1, (int64_t[]){INT64_MAX}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "0 .. 1000", to,
                  stria_view_make(to, small, u8, 1, (int64_t[]){1001}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "2147483648", to,
                  stria_view_make(to, small, u8, 1, (int64_t[]){P(31)}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "4294967296", to,
                  stria_view_make(to, small, u8, 2, (int64_t[]){P(16), P(16)}, NULL, 0));
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
    stria_array array = {0};
    refused(stria_empty(&array, u8, 1, (int64_t[]){INT64_MAX}), STRIA_ERR_OVERFLOW,
            "9223372036854775807 bytes");
    counting_begin(1); /* the allocator refuses, as any would */
    refused(stria_zeros(&array, u8, 1, (int64_t[]){P(62)}), BEYOND_MEMORY,
            "4611686018427387904 bytes");
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    stria_buffer_release(small);
}

TEST(test_legal)
{
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    int64_t ones[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        ones[d] = 1;
    stria_view a;
    const struct {
        int ndim;
        const int64_t *shape;
        int64_t numel;
    } legal[] = {
        {0, NULL, 1},
        {1, (int64_t[]){0}, 0},
        {3, (int64_t[]){0, 3, 4}, 0},
        {3, (int64_t[]){3, 0, 4}, 0},
        {3, (int64_t[]){3, 4, 0}, 0},
        {3, (int64_t[]){0, P(30), P(30)}, 0},
        {32, ones, 1},
        {33, ones, 1},
        {64, ones, 1},
    };
    for (size_t i = 0; i < sizeof legal / sizeof *legal; i++) {
        ok(stria_view_make(&a, meta_memory, f32, legal[i].ndim, legal[i].shape, NULL, 0));
        assert_int_equal(stria_numel(&a), legal[i].numel);
        assert_int_equal(stria_nbytes(&a), legal[i].numel * 4);
        assert_true(stria_is_contiguous(&a, STRIA_ORDER_C));
        assert_true(stria_is_contiguous(&a, STRIA_ORDER_F));
        stria_view flat;
        ok(stria_view_shape(&flat, &a, 1, (int64_t[]){legal[i].numel}));
    }
    RELEASED stria_array array = {0};
    ok(stria_empty(&array, f32, 3, (int64_t[]){0, P(30), P(30)}));
    assert_int_equal(stria_buffer_size(array.owned), 0);
}

TEST(test_reshapes)
{
    stria_view a, empty;
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    ok(stria_view_make(&a, meta_memory, f32, 2, (int64_t[]){4, 6}, NULL, 0));
    ok(stria_view_make(&empty, meta_memory, f32, 2, (int64_t[]){0, 5}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "-1 at dims 0 and 2", to,
                  stria_view_shape(to, &a, 3, (int64_t[]){-1, 2, -1}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "cannot be inferred", to,
                  stria_view_shape(to, &empty, 2, (int64_t[]){0, -1}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "cannot be inferred", to,
                  stria_view_shape(to, &a, 2, (int64_t[]){-1, 0}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "shape[1] = -2", to,
                  stria_view_shape(to, &a, 2, (int64_t[]){12, -2}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "does not divide", to,
                  stria_view_shape(to, &a, 2, (int64_t[]){-1, 5}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "multiply up to 25", to,
                  stria_view_shape(to, &a, 2, (int64_t[]){5, 5}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "24 elements", to, stria_view_shape(to, &a, 0, NULL));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "0 elements", to, stria_view_shape(to, &empty, 0, NULL));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "0 elements", to,
                  stria_view_shape(to, &empty, 2, (int64_t[]){5, 1}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "24 elements", to,
                  stria_view_shape(to, &a, 2, (int64_t[]){24, 0}));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63 - 1", to,
                  stria_view_shape(to, &empty, 3, (int64_t[]){0, P(32), P(32)}));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63 - 1", to,
                  stria_view_shape(to, &a, 3, (int64_t[]){-1, P(32), P(32)}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "ndim 65", to, stria_view_shape(to, &a, 65, a.shape));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "ndim -1", to, stria_view_shape(to, &a, -1, a.shape));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "shape is NULL", to, stria_view_shape(to, &a, 2, NULL));
}

TEST_MAIN(make_meta_memory, free_meta_memory)
