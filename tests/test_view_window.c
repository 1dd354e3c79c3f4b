/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that repeat, reverse or overlap elements: broadcasting, flips, diagonals, windows, free
 * strides; and the same bytes under another dtype. Element by element, on random views.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "stria/broadcast.h"
#include "stria/reinterpret.h"
#include "stria/window.h"
#include "support/any_view.h"
#include "support/enumerate.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"

enum { ROUNDS = 4000 };

/* ---- expand ------------------------------------------------------------------------------- */

struct broadcast {
    int new_dims, ndim;
    const int64_t *shape; /* of the input */
};

static void repeated(int64_t *source, const int64_t *index, const void *args)
{
    const struct broadcast *b = args;
    for (int d = 0; d < b->ndim; d++)
        source[d] = b->shape[d] == 1 ? 0 : index[b->new_dims + d];
}

static void test_expand(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        int64_t shape[6], asked[6];
        any_view(&a, meta_memory, &seed, 4, 3);
        const struct broadcast b = {(int)random_between(&seed, 0, 2), a.ndim, a.shape};
        const int ndim = b.new_dims + a.ndim;
        for (int d = 0; d < ndim; d++) {
            const int64_t old = d < b.new_dims ? 1 : a.shape[d - b.new_dims];
            shape[d] = old == 1 ? random_between(&seed, 0, 9) % 5 : old;
            if (random_once(&seed, 6)) shape[d] = old;
            asked[d] = d >= b.new_dims && shape[d] == old && random_once(&seed, 2) ? -1 : shape[d];
        }
        assert_int_equal(stria_expand(&out, &a, ndim, asked), STRIA_OK);
        check_mapping(&out, &a, ndim, shape, repeated, &b);
        for (int d = 0; d < ndim; d++)
            if (shape[d] > 1 && (d < b.new_dims || a.shape[d - b.new_dims] == 1))
                assert_int_equal(out.strides[d], 0);
        CHECK_IN_PLACE(&out, &a, stria_expand(to, from, ndim, asked));

        stria_view fixed;
        assert_int_equal(stria_broadcast_to(&fixed, &a, ndim, shape), STRIA_OK);
        const bool repeats = stria_numel(&out) > stria_numel(&a);
        assert_int_equal(stria_is_writable(&fixed), !repeats);
        fixed.flags = out.flags;
        check_identical(&fixed, &out);
    }
}

/* The strides of new and size-1 dims, as recorded from torch.Tensor.expand (in bytes here). */
static void test_expand_strides(void **state)
{
    (void)state;
    stria_view a, out;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    assert_int_equal(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){1, 5}, NULL, 0), STRIA_OK);
    assert_int_equal(stria_expand(&out, &a, 3, (int64_t[]){1, 1, 5}), STRIA_OK);
    assert_memory_equal(out.strides, ((int64_t[]){5, 5, 1}), 3 * sizeof(int64_t));
    assert_int_equal(stria_view_make(&a, meta_memory, u8, 0, NULL, NULL, 0), STRIA_OK);
    assert_int_equal(stria_expand(&out, &a, 3, (int64_t[]){1, 3, 2}), STRIA_OK);
    assert_memory_equal(out.strides, ((int64_t[]){0, 0, 0}), 3 * sizeof(int64_t));
}

static void test_expand_refusals(void **state)
{
    (void)state;
    stria_view a;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    const int64_t big = INT64_C(1) << 31;
    assert_int_equal(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){3, 1}, NULL, 0), STRIA_OK);
    CHECK_REFUSED(STRIA_ERR_BROADCAST, "size 3 cannot become 2", to,
                  stria_expand(to, &a, 2, (int64_t[]){2, 4}));
    CHECK_REFUSED(STRIA_ERR_BROADCAST, "fewer dims", to, stria_expand(to, &a, 1, (int64_t[]){4}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "new dim", to, stria_expand(to, &a, 3, (int64_t[]){-1, 3, 4}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "shape[1] = -2", to,
                  stria_expand(to, &a, 2, (int64_t[]){3, -2}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "shape[0] = -2", to,
                  stria_expand(to, &a, 2, (int64_t[]){-2, 1}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "shape[1] = -1", to,
                  stria_broadcast_to(to, &a, 2, (int64_t[]){3, -1}));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63", to,
                  stria_expand(to, &a, 4, (int64_t[]){big, big, 3, 4}));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63", to,
                  stria_expand(to, &a, 5, (int64_t[]){big, big, 0, 3, 4}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "ndim 65", to, stria_expand(to, &a, 65, a.shape));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "shape is NULL", to, stria_expand(to, &a, 2, NULL));
    /* More bytes than there are, but not more elements: fine, and the bytes saturate. */
    stria_view wide;
    assert_int_equal(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0),
                     STRIA_OK);
    assert_int_equal(stria_expand(&wide, &a, 2, (int64_t[]){big, big}), STRIA_OK);
    assert_int_equal(stria_numel(&wide), big * big);
    assert_int_equal(stria_nbytes(&wide), INT64_MAX);
}

/* ---- flip --------------------------------------------------------------------------------- */

struct flips {
    int ndim;
    const int64_t *shape;
    bool flipped[6];
};

static void reversed(int64_t *source, const int64_t *index, const void *args)
{
    const struct flips *f = args;
    for (int d = 0; d < f->ndim; d++)
        source[d] = f->flipped[d] ? f->shape[d] - 1 - index[d] : index[d];
}

static void test_flip(void **state)
{
    (void)state;
    uint64_t seed = 32;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out, back;
        int dims[6], count = 0;
        any_view(&a, meta_memory, &seed, 6, 4);
        struct flips flips = {a.ndim, a.shape, {false}};
        for (int d = 0; d < a.ndim; d++) {
            flips.flipped[d] = random_once(&seed, 2);
            if (flips.flipped[d]) dims[count++] = random_once(&seed, 2) ? d : d - a.ndim;
        }
        assert_int_equal(stria_flip(&out, &a, count, dims), STRIA_OK);
        check_mapping(&out, &a, a.ndim, a.shape, reversed, &flips);
        CHECK_IN_PLACE(&out, &a, stria_flip(to, from, count, dims));
        assert_int_equal(stria_flip(&back, &out, count, dims), STRIA_OK);
        assert_true(stria_same_view(&back, &a));
    }
    stria_view scalar, out;
    assert_int_equal(
        stria_view_make(&scalar, meta_memory, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 5),
        STRIA_OK);
    assert_int_equal(stria_flip(&out, &scalar, 1, (int[]){-1}), STRIA_OK);
    check_identical(&out, &scalar);
    assert_int_equal(stria_flip(&out, &scalar, 0, NULL), STRIA_OK);
    CHECK_REFUSED(STRIA_ERR_DIM, "1", to, stria_flip(to, &scalar, 1, (int[]){1}));
    CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to, stria_flip(to, &scalar, 2, (int[]){0, -1}));
}

/* ---- diagonal ----------------------------------------------------------------------------- */

struct diagonal {
    int ndim, d, e;
    int64_t offset;
};

static void along(int64_t *source, const int64_t *index, const void *args)
{
    const struct diagonal *g = args;
    int at = 0;
    for (int d = 0; d < g->ndim; d++)
        if (d != g->d && d != g->e) source[d] = index[at++];
    source[g->d] = index[at] + (g->offset < 0 ? -g->offset : 0);
    source[g->e] = index[at] + (g->offset > 0 ? g->offset : 0);
}

static void test_diagonal(void **state)
{
    (void)state;
    uint64_t seed = 33;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        do
            any_view(&a, meta_memory, &seed, 5, 5);
        while (a.ndim < 2);
        struct diagonal g = {a.ndim, (int)random_between(&seed, 0, a.ndim - 1), 0,
                             random_between(&seed, -6, 6)};
        g.e = (g.d + (int)random_between(&seed, 1, a.ndim - 1)) % a.ndim;
        int64_t shape[6], length = 0;
        int ndim = 0;
        for (int d = 0; d < a.ndim; d++)
            if (d != g.d && d != g.e) shape[ndim++] = a.shape[d];
        for (int64_t k = 0; k < a.shape[g.d]; k++)
            length += k + g.offset >= 0 && k + g.offset < a.shape[g.e];
        shape[ndim++] = length;
        assert_int_equal(stria_diagonal(&out, &a, g.offset, g.d, g.e - a.ndim), STRIA_OK);
        check_mapping(&out, &a, ndim, shape, along, &g);
        CHECK_IN_PLACE(&out, &a, stria_diagonal(to, from, g.offset, g.d - a.ndim, g.e));
        CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to,
                      stria_diagonal(to, &a, 0, g.d, g.d - a.ndim));
        assert_int_equal(stria_diagonal(&out, &a, INT64_MIN, g.d, g.e), STRIA_OK);
        assert_int_equal(out.shape[ndim - 1], 0);
        assert_int_equal(stria_diagonal(&out, &a, INT64_MAX, g.d, g.e), STRIA_OK);
        assert_int_equal(out.shape[ndim - 1], 0);
    }
    stria_view row;
    assert_int_equal(
        stria_view_make(&row, meta_memory, stria_dtype_of(STRIA_U8), 1, (int64_t[]){4}, NULL, 0),
        STRIA_OK);
    CHECK_REFUSED(STRIA_ERR_DIM, "1 dims", to, stria_diagonal(to, &row, 0, 0, 1));
}

/* ---- unfold ------------------------------------------------------------------------------- */

struct window {
    int ndim, d;
    int64_t step;
};

static void in_window(int64_t *source, const int64_t *index, const void *args)
{
    const struct window *w = args;
    for (int d = 0; d < w->ndim; d++)
        source[d] = index[d];
    if (w->ndim > 0) source[w->d] = index[w->d] * w->step + index[w->ndim];
}

static void test_unfold(void **state)
{
    (void)state;
    uint64_t seed = 34;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        any_view(&a, meta_memory, &seed, 5, 6);
        const struct window w = {a.ndim, a.ndim ? (int)random_between(&seed, 0, a.ndim - 1) : 0,
                                 random_once(&seed, 9) ? INT64_MAX : random_between(&seed, 1, 4)};
        const int64_t n = a.ndim ? a.shape[w.d] : 1, size = random_between(&seed, 0, n);
        int64_t shape[6], places = 0;
        for (int d = 0; d < a.ndim; d++)
            shape[d] = a.shape[d];
        for (int64_t at = 0; at <= n - size; at += places ? w.step : 0) {
            places++;
            if (w.step > n) break;
        }
        if (a.ndim) shape[w.d] = places;
        shape[a.ndim] = size;
        assert_int_equal(stria_unfold(&out, &a, w.d, size, w.step), STRIA_OK);
        check_mapping(&out, &a, a.ndim + 1, shape, in_window, &w);
        CHECK_IN_PLACE(&out, &a, stria_unfold(to, from, w.d, size, w.step));
        CHECK_REFUSED(STRIA_ERR_SHAPE, "window", to, stria_unfold(to, &a, w.d, n + 1, 1));
        CHECK_REFUSED(STRIA_ERR_SHAPE, "window", to, stria_unfold(to, &a, w.d, -1, 1));
        CHECK_REFUSED(STRIA_ERR_ARGUMENT, "step 0", to, stria_unfold(to, &a, w.d, size, 0));
        CHECK_REFUSED(STRIA_ERR_ARGUMENT, "step -1", to, stria_unfold(to, &a, w.d, size, -1));
    }
    stria_view wide, most;
    int64_t ones[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        ones[d] = 1;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    assert_int_equal(stria_view_make(&wide, meta_memory, u8, 1, (int64_t[]){INT64_C(1) << 40},
                                     (int64_t[]){0}, 0),
                     STRIA_OK);
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63", to, stria_unfold(to, &wide, 0, INT64_C(1) << 39, 1));
    assert_int_equal(stria_view_make(&most, meta_memory, u8, 64, ones, NULL, 0), STRIA_OK);
    CHECK_REFUSED(STRIA_ERR_SHAPE, "64 dims", to, stria_unfold(to, &most, 0, 1, 1));
}

/* ---- as_strided --------------------------------------------------------------------------- */

static void test_as_strided(void **state)
{
    (void)state;
    uint64_t seed = 35;
    int made = 0, refused = 0;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        /* A buffer of 60 bytes, and geometry that reaches out of it about every other time. */
        stria_view a, out;
        int64_t shape[3], strides[3], index[3] = {0};
        const int ndim = (int)random_between(&seed, 0, 3);
        const int64_t offset = random_between(&seed, -3, 63);
        bool empty = false, inside = true;
        stria_buffer *small;
        assert_int_equal(stria_buffer_meta(&small, 60), STRIA_OK);
        assert_int_equal(stria_view_make(&a, small, stria_dtype_of(STRIA_I16), 1, (int64_t[]){3},
                                         NULL, random_between(&seed, 0, 54)),
                         STRIA_OK);
        for (int d = 0; d < ndim; d++) {
            shape[d] = random_between(&seed, random_once(&seed, 9) ? 0 : 1, 4);
            strides[d] = random_between(&seed, -9, 9);
            empty |= shape[d] == 0;
        }
        if (empty) {
            inside = offset >= 0 && offset <= 60;
        } else {
            do {
                const int64_t at = offset + offset_of(index, ndim, strides);
                inside &= at >= 0 && at + 2 <= 60;
            } while (next_index(index, ndim, shape));
        }
        made += inside;
        refused += !inside;
        if (inside) {
            assert_int_equal(stria_as_strided(&out, &a, ndim, shape, strides, offset), STRIA_OK);
            assert_ptr_equal(out.data, stria_buffer_data(small) + offset);
            assert_int_equal(out.ndim, ndim);
            assert_memory_equal(out.shape, shape, (size_t)ndim * sizeof *shape);
            assert_memory_equal(out.strides, strides, (size_t)ndim * sizeof *strides);
            CHECK_IN_PLACE(&out, &a, stria_as_strided(to, from, ndim, shape, strides, offset));
        } else {
            CHECK_REFUSED(STRIA_ERR_BOUNDS, "0 .. 60", to,
                          stria_as_strided(to, &a, ndim, shape, strides, offset));
        }
        stria_buffer_release(small);
    }
    assert_true(made > ROUNDS && refused > ROUNDS);
}

/* Foreign memory is bounded by what its view covers, and offsets count from its first element. */
static void test_as_strided_foreign(void **state)
{
    (void)state;
    int32_t memory[12] = {0};
    stria_view a, out;
    assert_int_equal(stria_view_foreign(&a, memory + 8, stria_dtype_of(STRIA_I32), 1,
                                        (int64_t[]){4}, (int64_t[]){-8}, 0),
                     STRIA_OK);
    assert_int_equal(stria_as_strided(&out, &a, 1, (int64_t[]){7}, (int64_t[]){4}, -24), STRIA_OK);
    assert_ptr_equal(out.data, memory + 2);
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "-24 .. 4", to,
                  stria_as_strided(to, &a, 1, (int64_t[]){1}, (int64_t[]){4}, 4));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "-24 .. 4", to,
                  stria_as_strided(to, &a, 1, (int64_t[]){1}, (int64_t[]){4}, -25));
}

/* ---- view(dtype) -------------------------------------------------------------------------- */

/* Where a byte of the old view's last dim lies, items side by side. */
static intptr_t byte_address(const stria_view *a, int64_t *index, int64_t byte)
{
    const int64_t w = a->dtype.itemsize, kept = index[a->ndim - 1];
    index[a->ndim - 1] = byte / w;
    const intptr_t at = address_at(a, index) + (intptr_t)(byte % w);
    index[a->ndim - 1] = kept;
    return at;
}

/* The bytes along the last dim are the same, in the same order, item size for item size. */
static void check_same_bytes(const stria_view *out, const stria_view *a)
{
    const int64_t w = a->dtype.itemsize, v = out->dtype.itemsize;
    assert_int_equal(out->shape[a->ndim - 1] * v, a->shape[a->ndim - 1] * w);
    if (stria_numel(a) == 0) return;
    int64_t index[STRIA_MAX_NDIM] = {0}, lines[STRIA_MAX_NDIM];
    for (int d = 0; d < a->ndim; d++)
        lines[d] = d < a->ndim - 1 ? a->shape[d] : 1;
    do {
        for (int64_t byte = 0; byte < a->shape[a->ndim - 1] * w; byte++)
            assert_int_equal(byte_address(out, index, byte), byte_address(a, index, byte));
    } while (next_index(index, a->ndim, lines));
}

static void test_view_dtype(void **state)
{
    (void)state;
    uint64_t seed = 36;
    int made = 0, strides = 0, sizes = 0;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        stria_view a, out;
        any_view(&a, meta_memory, &seed, 4, 6);
        stria_dtype dtype;
        assert_int_equal(stria_dtype_sized(&dtype, STRIA_VOID, random_between(&seed, 1, 24)),
                         STRIA_OK);
        const int64_t w = a.dtype.itemsize, v = dtype.itemsize;
        const int64_t n = a.ndim ? a.shape[a.ndim - 1] : 0;
        if (v != w && a.ndim == 0) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "0 dims", to, stria_view_dtype(to, &a, dtype));
        } else if (v != w && n != 1 && stria_numel(&a) && a.strides[a.ndim - 1] != w) {
            CHECK_REFUSED(STRIA_ERR_STRIDE, "would have to be", to,
                          stria_view_dtype(to, &a, dtype));
            strides++;
        } else if (v != w && (n * w % v || (v < w && w % v))) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "whole number", to, stria_view_dtype(to, &a, dtype));
            sizes++;
        } else {
            assert_int_equal(stria_view_dtype(&out, &a, dtype), STRIA_OK);
            assert_true(stria_dtype_equal(out.dtype, dtype));
            assert_ptr_equal(out.data, a.data);
            assert_int_equal(out.ndim, a.ndim);
            if (a.ndim > 0) check_same_bytes(&out, &a);
            CHECK_IN_PLACE(&out, &a, stria_view_dtype(to, from, dtype));
            made++;
        }
    }
    assert_true(made > ROUNDS / 2 && strides > ROUNDS / 2 && sizes > ROUNDS / 2);
}

static void test_view_dtype_rules(void **state)
{
    (void)state;
    stria_view a, out;
    assert_int_equal(
        stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_C64), 1, (int64_t[]){4}, NULL, 0),
        STRIA_OK);
    a.flags = STRIA_CONJ;
    CHECK_REFUSED(STRIA_ERR_DTYPE, "conjugated", to,
                  stria_view_dtype(to, &a, stria_dtype_of(STRIA_F32)));
    assert_int_equal(stria_view_dtype(&out, &a, a.dtype), STRIA_OK);
    assert_int_equal(out.flags, STRIA_CONJ);
    a.flags = STRIA_NEG | STRIA_READONLY;
    CHECK_REFUSED(STRIA_ERR_DTYPE, "negated", to,
                  stria_view_dtype(to, &a, stria_dtype_of(STRIA_U64)));
    /* Shape views carry all of them. */
    assert_int_equal(stria_view_shape(&out, &a, 2, (int64_t[]){2, 2}), STRIA_OK);
    assert_int_equal(out.flags, STRIA_NEG | STRIA_READONLY);
    a.flags = 0;
    stria_dtype none = stria_dtype_of(STRIA_VOID), wrong = a.dtype;
    CHECK_REFUSED(STRIA_ERR_SHAPE, "items of 0 bytes", to, stria_view_dtype(to, &a, none));
    wrong.itemsize = -8;
    CHECK_REFUSED(STRIA_ERR_DTYPE, "-8 bytes", to, stria_view_dtype(to, &a, wrong));
    /* Unaligned is allowed, and seen. */
    assert_int_equal(
        stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_I32), 1, (int64_t[]){4}, NULL, 4),
        STRIA_OK);
    assert_int_equal(stria_view_dtype(&out, &a, stria_dtype_of(STRIA_I64)), STRIA_OK);
    assert_false(stria_is_aligned(&out));
    assert_true(stria_is_aligned(&a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expand),          cmocka_unit_test(test_expand_strides),
        cmocka_unit_test(test_expand_refusals), cmocka_unit_test(test_flip),
        cmocka_unit_test(test_diagonal),        cmocka_unit_test(test_unfold),
        cmocka_unit_test(test_as_strided),      cmocka_unit_test(test_as_strided_foreign),
        cmocka_unit_test(test_view_dtype),      cmocka_unit_test(test_view_dtype_rules),
    };
    return cmocka_run_group_tests_name("view: windows and dtypes", tests, make_meta_memory,
                                       free_meta_memory);
}
