/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cuts an array into boxes that are computed and written one after the other. If the elements lie
 * in another order than in the file, a box of whole rows of one is a thin column of the other; a
 * good box has long runs in both.
 */
#pragma once

#include <stdbool.h>

#include "stria/view.h"

/* Returns the bytes between neighbours, in either direction. */
static inline int64_t step_of(const stria_view *a, int d)
{
    return a->strides[d] < 0 ? -a->strides[d] : a->strides[d];
}
/* Makes the part of a that begins there and has these sizes. */
stria_status part_of(stria_view *out, const stria_view *a, const int64_t *start,
                     const int64_t *size);

/* Dims of an array, the one whose elements lie closest first; those of size 1 are left out. */
struct dim_order {
    int count, dims[STRIA_MAX_NDIM];
    /* A run in this order should be so many times as long as in an order of worth 1. */
    int64_t worth;
};

/*
 * Returns the order of rows, or of columns if fortran. For every run that is written the system
 * makes pages, which are fewer and larger for longer runs: they are worth 4 times as much as runs
 * that are read.
 */
struct dim_order order_of_file(int ndim, const int64_t *shape, bool fortran);
/* Returns the order by the strides of a view that broadcasts to ndim dims; dims of stride 0 are
 * left out. */
struct dim_order order_of_view(const stria_view *a, int ndim);

struct tiles {
    int ndim;
    int64_t shape[STRIA_MAX_NDIM], start[STRIA_MAX_NDIM];
    int64_t most[STRIA_MAX_NDIM]; /* The size of a box; at the ends it is less. */
    int64_t size[STRIA_MAX_NDIM]; /* The size of the current box. */
    int order[STRIA_MAX_NDIM];    /* Dims in the order in which they advance. */
};

/*
 * Starts boxes of at most `room` bytes, but of one item at least, that come in the order of the
 * file. read is the order in which their elements are read, and equals file if that does not
 * matter.
 */
void tiles_start(struct tiles *tiles, int ndim, const int64_t *shape, bool fortran, int64_t item,
                 int64_t room, const struct dim_order *file, const struct dim_order *read);
/* Makes boxes come in another order of the dims, before the first one was used. */
void tiles_advance(struct tiles *tiles, const struct dim_order *order);
/* Goes on to the next box; false after the last. */
bool tiles_next(struct tiles *tiles);
