/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that reverse or overlap elements: flips, diagonals, windows. Element by element, on random
 * views.
 */
#include <string.h>

#include "stria/window.h"
#include "support/any_view.h"
#include "support/enumerate.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 4000 };

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

TEST(test_flip)
{
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
        ok(stria_flip(&out, &a, count, dims));
        check_mapping(&out, &a, a.ndim, a.shape, reversed, &flips);
        CHECK_IN_PLACE(&out, &a, stria_flip(to, from, count, dims));
        ok(stria_flip(&back, &out, count, dims));
        assert_true(stria_same_view(&back, &a));
    }
    stria_view scalar, out;
    ok(stria_view_make(&scalar, meta_memory, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 5));
    ok(stria_flip(&out, &scalar, 1, (int[]){-1}));
    check_identical(&out, &scalar);
    ok(stria_flip(&out, &scalar, 0, NULL));
    CHECK_REFUSED(STRIA_ERR_DIM, "1", to, stria_flip(to, &scalar, 1, (int[]){1}));
    CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to, stria_flip(to, &scalar, 2, (int[]){0, -1}));
}

/* Rotating a picture: after one turn from rows to columns, the last column is the first row. */
struct turn {
    int ndim, d, e, k;
    const int64_t *shape;
};

static void turned(int64_t *source, const int64_t *index, const void *args)
{
    const struct turn *t = args;
    const int64_t i = index[t->d], j = index[t->e], n = t->shape[t->d], m = t->shape[t->e];
    memcpy(source, index, (size_t)t->ndim * sizeof *source);
    source[t->d] = t->k == 0 ? i : t->k == 1 ? j : t->k == 2 ? n - 1 - i : n - 1 - j;
    source[t->e] = t->k == 0 ? j : t->k == 1 ? m - 1 - i : t->k == 2 ? m - 1 - j : i;
}

TEST(test_rot90)
{
    uint64_t seed = 39;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        int64_t shape[5];
        do
            any_view(&a, meta_memory, &seed, 5, 4);
        while (a.ndim < 2);
        struct turn turn = {a.ndim, (int)random_between(&seed, 0, a.ndim - 1), 0,
                            (int)random_between(&seed, 0, 3), a.shape};
        turn.e = (turn.d + (int)random_between(&seed, 1, a.ndim - 1)) % a.ndim;
        for (int d = 0; d < a.ndim; d++)
            shape[d] = turn.k % 2 == 0 ? a.shape[d]
                       : d == turn.d   ? a.shape[turn.e]
                       : d == turn.e   ? a.shape[turn.d]
                                       : a.shape[d];
        const int64_t k = turn.k + 4 * random_between(&seed, -3, 3);
        ok(stria_rot90(&out, &a, k, turn.d, turn.e - a.ndim));
        check_mapping(&out, &a, a.ndim, shape, turned, &turn);
        CHECK_IN_PLACE(&out, &a, stria_rot90(to, from, k, turn.d, turn.e));
        CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to,
                      stria_rot90(to, &a, k, turn.d, turn.d - a.ndim));
    }
    stria_view a, out;
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_U8), 2, (int64_t[]){2, 3}, NULL, 0));
    ok(stria_rot90(&out, &a, INT64_MIN, 0, 1)); /* a multiple of 4 */
    check_identical(&out, &a);
    ok(stria_select(&a, &a, 0, 0));
    CHECK_REFUSED(STRIA_ERR_DIM, "1", to, stria_rot90(to, &a, 1, 0, 1));
}

TEST(test_flips_by_name)
{
    for (int ndim = 0; ndim <= 3; ndim++) {
        stria_view a, out;
        ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_U8), ndim, (int64_t[]){2, 3, 4},
                           NULL, 0));
        const struct flips rows = {ndim, a.shape, {true}}, columns = {ndim, a.shape, {false, true}};
        if (ndim >= 1) {
            ok(stria_flipud(&out, &a));
            check_mapping(&out, &a, ndim, a.shape, reversed, &rows);
        } else {
            CHECK_REFUSED(STRIA_ERR_DIM, "no rows", to, stria_flipud(to, &a));
        }
        if (ndim >= 2) {
            ok(stria_fliplr(&out, &a));
            check_mapping(&out, &a, ndim, a.shape, reversed, &columns);
        } else {
            CHECK_REFUSED(STRIA_ERR_DIM, "no columns", to, stria_fliplr(to, &a));
        }
    }
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

TEST(test_diagonal)
{
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
        ok(stria_diagonal(&out, &a, g.offset, g.d, g.e - a.ndim));
        check_mapping(&out, &a, ndim, shape, along, &g);
        CHECK_IN_PLACE(&out, &a, stria_diagonal(to, from, g.offset, g.d - a.ndim, g.e));
        CHECK_REFUSED(STRIA_ERR_DIM, "listed twice", to,
                      stria_diagonal(to, &a, 0, g.d, g.d - a.ndim));
        ok(stria_diagonal(&out, &a, INT64_MIN, g.d, g.e));
        assert_int_equal(out.shape[ndim - 1], 0);
        ok(stria_diagonal(&out, &a, INT64_MAX, g.d, g.e));
        assert_int_equal(out.shape[ndim - 1], 0);
    }
    stria_view row;
    ok(stria_view_make(&row, meta_memory, stria_dtype_of(STRIA_U8), 1, (int64_t[]){4}, NULL, 0));
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

TEST(test_unfold)
{
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
        ok(stria_unfold(&out, &a, w.d, size, w.step));
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
    ok(stria_view_make(&wide, meta_memory, u8, 1, (int64_t[]){INT64_C(1) << 40}, (int64_t[]){0},
                       0));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63", to, stria_unfold(to, &wide, 0, INT64_C(1) << 39, 1));
    ok(stria_view_make(&wide, meta_memory, u8, 1, (int64_t[]){INT64_MAX}, (int64_t[]){0}, 0));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63 places", to, stria_unfold(to, &wide, 0, 0, 1));
    ok(stria_view_make(&most, meta_memory, u8, 64, ones, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "64 dims", to, stria_unfold(to, &most, 0, 1, 1));
}

struct slide {
    int ndim, count;
    const int *dims;
};

static void in_windows(int64_t *source, const int64_t *index, const void *args)
{
    const struct slide *s = args;
    for (int d = 0; d < s->ndim; d++)
        source[d] = index[d];
    for (int i = 0; i < s->count; i++)
        source[s->dims[i]] += index[s->ndim + i];
}

TEST(test_sliding_window_view)
{
    uint64_t seed = 38;
    int made = 0, refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        int dims[3], written[3], count = 0;
        int64_t window[3], shape[9];
        bool fits = true;
        any_view(&a, meta_memory, &seed, 4, 5);
        const bool all = a.ndim <= 3 && random_once(&seed, 3);
        for (int d = 0; d < a.ndim; d++)
            shape[d] = a.shape[d];
        const int wanted = all ? a.ndim : a.ndim ? (int)random_between(&seed, 0, 3) : 0;
        for (; count < wanted; count++) {
            dims[count] = all ? count : (int)random_between(&seed, 0, a.ndim - 1);
            written[count] = dims[count] - (random_once(&seed, 2) ? a.ndim : 0);
            window[count] = random_between(&seed, 0, 3);
            shape[dims[count]] -= window[count] - 1;
            fits &= shape[dims[count]] > 0;
            shape[a.ndim + count] = window[count];
        }
        const bool writable = random_once(&seed, 2);
        const int *list = all ? NULL : written;
        if (!fits) {
            CHECK_REFUSED(STRIA_ERR_SHAPE, "places are left", to,
                          stria_sliding_window_view(to, &a, count, window, list, writable));
            refused++;
            continue;
        }
        made++;
        ok(stria_sliding_window_view(&out, &a, count, window, list, writable));
        CHECK_IN_PLACE(&out, &a,
                       stria_sliding_window_view(to, from, count, window, list, writable));
        assert_int_equal(out.flags, writable ? 0 : STRIA_READONLY);
        out.flags = 0;
        const struct slide slide = {a.ndim, count, dims};
        check_mapping(&out, &a, a.ndim + count, shape, in_windows, &slide);
    }
    assert_true(made > ROUNDS / 4 && refused > ROUNDS / 20);
    stria_view a, most;
    int64_t ones[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        ones[d] = 1;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    ok(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){3, 4}, NULL, 0));
    ok(stria_view_make(&most, meta_memory, u8, 64, ones, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "without a list", to,
                  stria_sliding_window_view(to, &a, 1, ones, NULL, false));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to,
                  stria_sliding_window_view(to, &a, 2, NULL, NULL, false));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "-1 window", to,
                  stria_sliding_window_view(to, &a, -1, ones, NULL, false));
    CHECK_REFUSED(STRIA_ERR_DIM, "dim 2", to,
                  stria_sliding_window_view(to, &a, 1, ones, (int[]){2}, false));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "window[0] = -1", to,
                  stria_sliding_window_view(to, &a, 1, (int64_t[]){-1}, (int[]){0}, false));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "64 dims", to,
                  stria_sliding_window_view(to, &most, 1, ones, (int[]){0}, false));
    ok(stria_view_make(&a, meta_memory, u8, 1, (int64_t[]){INT64_MAX}, (int64_t[]){0}, 0));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "windows of 0", to,
                  stria_sliding_window_view(to, &a, 1, (int64_t[]){0}, NULL, false));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63 - 1", to,
                  stria_sliding_window_view(to, &a, 1, (int64_t[]){INT64_MAX / 2}, NULL, false));
}

TEST_MAIN(make_meta_memory, free_meta_memory)
