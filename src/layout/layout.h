/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Geometry: what every view op does to sizes, strides and the place of element [0, ..., 0], as
 * integer arithmetic alone. Nothing here knows memory, rights, or more of a dtype than its item
 * size; nothing allocates. The functions stand in the files of their ideas, one idea each.
 *
 * All of them read a geometry, borrowed from a view, and write a layout, which is the caller's
 * scratch: so a view can be its own output, and a refusal leaves nothing half done. `op` is the
 * name of the public function, for messages.
 *
 * NOTE [Products that cannot matter]: every view that exists has max(size, 1) multiplying up in 64
 * bits, and, unless a size is 0, (size - 1) * stride adding up in 64 bits as well. Therefore a
 * stride or offset that an op on it computes can only overflow where nobody will look at it: as
 * the stride of a dim of size 1, or anywhere in an empty view. The helpers at the end of this
 * header rely on it. Ops that repeat elements must still check the number of elements.
 */
#ifndef STRIA_SRC_LAYOUT_H
#define STRIA_SRC_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "checked.h"
#include "stria/geometry.h"
#include "stria/status.h"

struct geometry {
    int ndim;
    const int64_t *shape, *strides; /* strides in bytes */
    int64_t itemsize;               /* bytes */
};

struct layout {
    int ndim;
    int64_t offset; /* bytes from the old element [0, ..., 0] to the new one */
    int64_t shape[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM];
};

/* ---- dims.c: dims as callers write them --------------------------------------------------- */

/* -ndim .. ndim-1 to 0 .. ndim-1. Where 0-d counts as 1-d, pass an ndim of 1. */
stria_status stria__wrap_dim(int *out, int dim, int ndim, const char *op);
/* Several dims, each at most once. */
stria_status stria__wrap_dims(int *out, int ndim, int count, const int *dims, const char *op);

/* ---- extent.c: how much a shape and its strides span -------------------------------------- */

/* 0 <= ndim <= 64, sizes >= 0, and max(size, 1) multiplied up fits: SHAPE, ARGUMENT, OVERFLOW. */
stria_status stria__check_shape(int ndim, const int64_t *shape, const char *op);
/* Product of the sizes of a shape that was checked. */
int64_t stria__numel(int ndim, const int64_t *shape);
/* numel x item size, INT64_MAX when that is more. */
int64_t stria__nbytes(struct geometry a);

struct extent {
    int64_t low, high; /* element [0, ..., 0] is at 0; all bytes lie in low .. high-1 */
};
/* False when it does not fit in 64 bits, which no buffer has. An empty view spans 0 .. 0. */
bool stria__extent(struct extent *out, struct geometry a);

/* Same sizes, and the same strides where they matter. */
bool stria__same_geometry(struct geometry a, struct geometry b);

/* ---- contiguity.c: dense layouts ---------------------------------------------------------- */

/* Dense strides in an order; *nbytes in all. SHAPE when the order needs another ndim, OVERFLOW. */
stria_status stria__dense_strides(int64_t *strides, int64_t *nbytes, int ndim, const int64_t *shape,
                                  int64_t itemsize, stria_order order, const char *op);
bool stria__is_dense(struct geometry a, stria_order order);

/* ---- permute.c ---------------------------------------------------------------------------- */

stria_status stria__layout_permute(struct layout *out, struct geometry a, int ndim, const int *dims,
                                   const char *op);
void stria__layout_swap(struct layout *out, struct geometry a, int i, int j);
void stria__layout_reverse(struct layout *out, struct geometry a);

/* ---- reshape.c: the stride algorithm ------------------------------------------------------ */

/* Where a view under another shape breaks: new_dim covers old dims outer and inner. */
struct seam {
    int outer, inner, new_dim;
};
/*
 * The same elements in C order under another shape of as many elements; exact: true iff an affine
 * map exists. Otherwise *seam tells why not.
 */
bool stria__layout_reshape(struct layout *out, struct geometry a, int ndim, const int64_t *shape,
                           struct seam *seam);
/* Replaces the one -1 that a shape may hold, and checks that it multiplies up to numel. */
stria_status stria__resolve_shape(int64_t *out, int64_t numel, int ndim, const int64_t *shape,
                                  const char *op);
/* reshape_refusal.c: STRIDE, with the message that teaches. */
stria_status stria__refuse_reshape(struct geometry a, int ndim, const int64_t *shape,
                                   struct seam seam, const char *op);

/* ---- slice.c ------------------------------------------------------------------------------ */

/* One element of dim d, which goes; index in 0 .. size-1. */
void stria__layout_select(struct layout *out, struct geometry a, int d, int64_t index);
/* length >= 0 elements of dim d from start on, every step-th; all of them exist. */
void stria__layout_slice(struct layout *out, struct geometry a, int d, int64_t start,
                         int64_t length, int64_t step);

/* An index as callers write it, -size .. size-1, to 0 .. size-1: INDEX. */
stria_status stria__wrap_index(int64_t *out, int64_t index, int64_t size, int dim, const char *op);
/* Python's start:stop:step on a dim of that size, to a first element, a number and a step. */
struct range {
    int64_t start, length, step;
};
stria_status stria__resolve_slice(struct range *out, int64_t start, int64_t stop, int64_t step,
                                  int64_t size, const char *op);

/* ---- broadcast.c -------------------------------------------------------------------------- */

/* Right-aligned, sizes of 1 repeated; -1 keeps a size where `keep` allows it. */
stria_status stria__layout_expand(struct layout *out, struct geometry a, int ndim,
                                  const int64_t *shape, bool keep, const char *op);

/* ---- helpers ------------------------------------------------------------------------------ */

static inline bool is_empty(int ndim, const int64_t *shape)
{
    bool empty = false;
    for (int d = 0; d < ndim; d++) empty |= shape[d] == 0;
    return empty;
}

/* NOTE [Products that cannot matter]: what does not fit stays as it was. */
static inline int64_t scaled_stride(int64_t s, int64_t factor)
{
    int64_t scaled;
    return mul_overflows(s, factor, &scaled) ? s : scaled;
}

static inline int64_t added_strides(int64_t s, int64_t t)
{
    int64_t sum;
    return add_overflows(s, t, &sum) ? s : sum;
}

/* Moves element [0, ..., 0] by n strides; wraps where NOTE [Products that cannot matter] says so. */
static inline void layout_move(struct layout *l, int64_t n, int64_t s)
{
    l->offset = (int64_t)((uint64_t)l->offset + (uint64_t)n * (uint64_t)s);
}

static inline void layout_put(struct layout *l, int d, int64_t size, int64_t stride)
{
    l->shape[d] = size;
    l->strides[d] = stride;
}

/* dims from .. to-1 of a become those of out from `at` on. */
static inline void layout_keep(struct layout *out, int at, struct geometry a, int from, int to)
{
    const size_t bytes = (size_t)(to - from) * sizeof(int64_t);
    memcpy(out->shape + at, a.shape + from, bytes);
    memcpy(out->strides + at, a.strides + from, bytes);
}

static inline void layout_start(struct layout *out, struct geometry a)
{
    out->ndim = a.ndim;
    out->offset = 0;
    layout_keep(out, 0, a, 0, a.ndim);
}

#endif
