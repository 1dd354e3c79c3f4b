/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows box by box. A box of the output takes a box of the array that is larger by the window,
 * from memory or in scratch of the dtype of the computation.
 */
#pragma once

#include "base/alloc.h"
#include "simd/map.h"
#include "simd/window.h"
#include "stria/window_ops.h"

/* The elements beyond the edges of an array. */
struct padding {
    stria_pad_mode mode;
    const stria_view *value; /* A view of 0 dims; NULL: 0. */
};

/* Reads options, which may be NULL, of a window of `count` sizes for an array. ARGUMENT. */
stria_status stria__read_padding(struct padding *out, const stria_window_options *options,
                                 int count, const stria_view *a, const char *op);

/* Checks the mode and the value, for results of a dtype. */
stria_status stria__check_padding(const struct padding *p, stria_dtype dtype, const char *op);

/*
 * Copies a box of the array with its padding: element i of dst is element i + first of a.
 * Everything has been checked; dst and a are apart, and have the same number of dims; in those
 * before `from` the box lies within a.
 */
stria_status stria__copy_padded(const stria_view *dst, const stria_view *a, const int64_t *first,
                                int from, const struct padding *p, const stria_exec *exec);

/* A computation in each window; all has been checked, and out is apart from a. */
struct windows {
    const stria_view *a;
    struct padding padding;
    stria_kind kind;                /* Kind of the computation. */
    int64_t window[STRIA_MAX_NDIM]; /* Sizes of the window. */
    int64_t first[STRIA_MAX_NDIM];  /* Index of a at which the window of element 0 begins. */
    const stria_exec *exec;
    /* Weighted sums have the points with a weight, as indices in the window, and their weights. */
    int64_t points;
    const int64_t *point; /* Each point has ndim indices. */
    const void *weight;
    /* Other windows are sums in one dim after the other or, if this is not NULL, extremes of
     * two. */
    map_loop *extreme;
    int64_t divisor;     /* Divisor of sums; 1: none. */
    struct memory *room; /* Scratch, which runs make and the caller frees. */
};

/* Computes out, of 1 dim or more. MEMORY, before anything is written, and not where a run of the
 * same shapes came before. */
stria_status stria__windows_run(const struct windows *w, const stria_view *out);
