/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows box by box. A box of the output takes a box of the array that is larger by the window, in
 * scratch of the dtype that is computed in, or where it lies.
 */
#ifndef STRIA_OPS_WINDOW_BOXES_H
#define STRIA_OPS_WINDOW_BOXES_H

#include "simd/map.h"
#include "simd/window.h"
#include "stria/window_ops.h"

/* The elements beyond the edges of an array. */
struct padding {
    stria_pad_mode mode;
    const stria_view *value; /* 0-d; NULL: 0 */
};

/* Reads options, which may be NULL, of a window of `count` sizes for an array. ARGUMENT. */
stria_status stria__read_padding(struct padding *out, const stria_window_options *options,
                                 int count, const stria_view *a, const char *op);

/* Checks the mode and the value, for results of a dtype. */
stria_status stria__check_padding(const struct padding *p, stria_dtype dtype, const char *op);

/*
 * Copies a box of the array that goes on beyond its edges: element i of dst is element i + first of
 * a. Everything has been checked; dst and a are apart, and have the same number of dims, of which
 * those before `from` are within both.
 */
stria_status stria__copy_padded(const stria_view *dst, const stria_view *a, const int64_t *first,
                                int from, const struct padding *p, const stria_exec *exec);

/* A computation in each window; all has been checked, and out is apart from a. */
struct windows {
    const stria_view *a;
    struct padding padding;
    stria_kind kind;                /* what is computed in */
    int64_t window[STRIA_MAX_NDIM]; /* sizes */
    int64_t first[STRIA_MAX_NDIM];  /* the window of element 0 begins at that index of a */
    const stria_exec *exec;
    /* Weighted sums: the points with a weight, as indices in the window, and their weights. */
    int64_t points;
    const int64_t *point; /* ndim for each */
    const void *weight;
    /* Otherwise sums in one dim after the other, or where this is not NULL an extreme of two. */
    map_loop *extreme;
    int64_t divisor; /* of sums; 1: none */
};

/* Computes out, of 1 dim or more. MEMORY. */
stria_status stria__windows_run(const struct windows *w, const stria_view *out);

#endif
