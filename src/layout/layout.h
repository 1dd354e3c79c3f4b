/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Geometry: what several view ops do to sizes, strides and the place of element [0, ..., 0], as
 * integer arithmetic alone. Nothing here knows memory, rights, or more of a dtype than its item
 * size; nothing allocates. What one op alone does stands beside it in view/.
 *
 * All of them, there and here, read a geometry, borrowed from a view, and write a layout, which
 * points into the view to be made. So that a refusal leaves that view as it was, every function
 * checks everything before it writes anything. The two never overlap; but the arguments (the shape
 * to expand to, say) may lie in the layout, and are read at an index before the layout is written
 * there. `op` is the name of the public function, for messages.
 *
 * NOTE [Products that cannot matter]: every view that exists has max(size, 1) multiplying up in 64
 * bits, and, unless a size is 0, (size - 1) * stride adding up in 64 bits as well. Therefore a
 * stride or offset that an op on it computes can only overflow where nobody will look at it: as
 * the stride of a dim of size 1, or anywhere in an empty view. The helpers at the end of this
 * header rely on it. Ops that repeat elements must still check the number of elements.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/integers.h"
#include "base/status.h"
#include "stria/geometry.h"
#include "stria/status.h"

struct geometry {
    int ndim;
    const int64_t *shape, *strides; /* strides in bytes */
    int64_t itemsize;               /* bytes */
};

struct layout {
    int ndim;
    int64_t offset;           /* bytes that element [0, ..., 0] has moved; starts at 0 */
    int64_t *shape, *strides; /* room for 64 each, of which ndim are written */
};

/* ---- dims.c: dims as callers write them --------------------------------------------------- */

/* Returns DIM, because dim is not in -ndim .. ndim-1. */
STRIA_FOR_LINALG stria_status stria__refuse_dim(int dim, int ndim, const char *op);
/* Wraps a dim -ndim .. ndim-1 to 0 .. ndim-1. Where 0-d counts as 1-d, pass an ndim of 1. */
static inline stria_status stria__wrap_dim(int *out, int dim, int ndim, const char *op)
{
    if (dim < -ndim || dim >= ndim) return stria__refuse_dim(dim, ndim, op);
    *out = dim < 0 ? dim + ndim : dim;
    return STRIA_OK;
}
/* Wraps several dims, each of which occurs at most once. */
stria_status stria__wrap_dims(int *out, int ndim, int count, const int *dims, const char *op);
/* Makes a set of them: bit d for dim d. */
stria_status stria__dim_set(uint64_t *out, int ndim, int count, const int *dims, const char *op);

/* ---- extent.c: how much a shape and its strides span -------------------------------------- */

/* Returns SHAPE or ARGUMENT, because ndim is not in 0 .. 64, or shape is NULL. */
stria_status stria__refuse_ndim(int ndim, const char *op);
static inline stria_status stria__check_ndim(int ndim, const int64_t *shape, const char *op)
{
    if (ndim < 0 || ndim > STRIA_MAX_NDIM || (!shape && ndim > 0))
        return stria__refuse_ndim(ndim, op);
    return STRIA_OK;
}
/*
 * Checks ndim, that no size is negative, and that the product of max(size, 1) fits: SHAPE,
 * OVERFLOW.
 */
stria_status stria__check_shape(int ndim, const int64_t *shape, const char *op);
/*
 * Tells whether all sizes fit, as that check ensures for every view: see NOTE [Products that cannot
 * matter].
 */
static inline bool stria__sizes_fit(int ndim, const int64_t *shape)
{
    int64_t numel = 1;
    for (int d = 0; d < ndim; d++)
        if (shape[d] < 0 || (shape[d] > 0 && mul_overflows(numel, shape[d], &numel))) return false;
    return true;
}
/* Returns OVERFLOW, because the product of the sizes does not fit. */
stria_status stria__refuse_numel(int ndim, const int64_t *shape, const char *op);
/*
 * Makes the same check of the shape of a with sizes n and m in the place of dim d (d = ndim
 * appends).
 */
stria_status stria__check_replaced(const struct geometry *a, int d, int64_t n, int64_t m,
                                   const char *op);
/* Computes numel x item size; INT64_MAX when that is more. */
int64_t stria__nbytes(const struct geometry *a);

struct extent {
    int64_t low, high; /* Element [0, ..., 0] is at 0; all bytes lie in low .. high-1. */
};
/*
 * Computes the extent; an empty view spans 0 .. 0. Returns false if it does not fit in 64 bits,
 * which no buffer can hold.
 */
bool stria__extent(struct extent *out, const struct geometry *a);

/* Compares sizes, and strides where they matter. */
bool stria__same_geometry(const struct geometry *a, const struct geometry *b);

/* ---- contiguity.c: dense layouts ---------------------------------------------------------- */

/*
 * Computes dense strides in an order, and *nbytes in all. SHAPE when the order needs another ndim,
 * OVERFLOW.
 */
stria_status stria__dense_strides(int64_t *strides, int64_t *nbytes, int ndim, const int64_t *shape,
                                  int64_t itemsize, stria_order order, const char *op);
/* Does the same for dims that are listed from the slowest to the fastest. */
stria_status stria__dense_permuted(int64_t *strides, int64_t *nbytes, int ndim,
                                   const int64_t *shape, int64_t itemsize, const int *dims,
                                   const char *op);
/* Does the same for the shape of a; the orders A, K and PRESERVE depend on its strides. */
stria_status stria__dense_like(int64_t *strides, int64_t *nbytes, const struct geometry *a,
                               int64_t itemsize, stria_order order, const char *op);
bool stria__is_dense(const struct geometry *a, stria_order order);
/* Returns the order that A means for these strides; other orders stay as they are. */
stria_order stria__resolved_order(const struct geometry *a, stria_order order);
/*
 * Returns the channels-last order that the strides follow, dense or not, else C, by PyTorch's rule.
 */
stria_order stria__suggested_order(const struct geometry *a);

/* ---- contiguity.c: physical order ----------------------------------------------------------- */

/* Compares two dims: positive if dim i has larger steps than j, 0 if they cannot be compared. */
typedef int stria__larger(const void *arg, int i, int j);
/* Sorts the dims from the slowest to the fastest. */
void stria__insert_dims(int *dims, int ndim, stria__larger *larger, const void *arg);

/* ---- dims.c: parts ------------------------------------------------------------------------- */

/* Swaps two dims. */
void stria__layout_swap(struct layout *out, const struct geometry *a, int i, int j);

/* ---- reshape.c: the stride algorithm ------------------------------------------------------ */

/* The number of elements of a view, and whether in C order they are one arithmetic progression. */
struct elements {
    int64_t numel;
    bool even; /* undefined when there are no elements */
};

/*
 * Multiplies up neighbouring dims while stride[d] = stride[d+1] * size[d+1], ignoring sizes of 1.
 * Up to a dim of more than one element the product may wrap, but never to a stride that a view can
 * have.
 */
static inline struct elements stria__elements(const struct geometry *a)
{
    const uint64_t step = a->ndim ? (uint64_t)a->strides[a->ndim - 1] : 0;
    struct elements all = {.numel = 1, .even = true};
    for (int d = a->ndim - 1; d >= 0; d--) {
        const uint64_t next = (uint64_t)all.numel * step;
        all.even &= (uint64_t)a->strides[d] == next || a->shape[d] == 1;
        all.numel *= a->shape[d];
    }
    return all;
}

/*
 * Tells why a view under another shape does not exist: new_dim spans the old dims outer and inner.
 */
struct mismatch {
    int outer, inner, new_dim;
};
/*
 * Gives the same elements in C order another shape with as many elements. The answer is exact: true
 * iff strides exist. Otherwise *mismatch tells why not.
 */
bool stria__layout_reshape(struct layout *out, const struct geometry *a, struct elements elements,
                           int ndim, const int64_t *shape, struct mismatch *mismatch);
/* Does the same with elements numbered in F order. */
bool stria__layout_reshape_fortran(struct layout *out, const struct geometry *a, int ndim,
                                   const int64_t *shape, struct mismatch *mismatch);
/*
 * Checks that the sizes multiply up to numel. *out is the shape itself or, where it has the one -1
 * that is allowed, a copy in room with that size computed.
 */
stria_status stria__resolve_any_shape(const int64_t **out, int64_t *room, int64_t numel, int ndim,
                                      const int64_t *shape, const char *op);

/* Computes the product of sizes > 0 if it fits; 0 otherwise. */
static inline int64_t stria__plain_numel(int ndim, const int64_t *shape)
{
    int64_t numel = 1;
    for (int d = 0; d < ndim; d++)
        if (shape[d] <= 0 || mul_overflows(numel, shape[d], &numel)) return 0;
    return numel;
}

/* Does the same, at once in the common case. */
static inline stria_status stria__resolve_shape(const int64_t **out, int64_t *room, int64_t numel,
                                                int ndim, const int64_t *shape, const char *op)
{
    STRIA_TRY(stria__check_ndim(ndim, shape, op));
    const int64_t plain = stria__plain_numel(ndim, shape);
    if (plain != numel || plain == 0)
        return stria__resolve_any_shape(out, room, numel, ndim, shape, op);
    *out = shape;
    return STRIA_OK;
}

/* Returns STRIDE, with a message that explains what to do: reshape_refusal.c. */
stria_status stria__refuse_reshape(const struct geometry *a, int ndim, const int64_t *shape,
                                   struct mismatch mismatch, stria_order order, const char *op);

/* ---- dims.c: dims of size 1 ----------------------------------------------------------------- */

/* Checks that there is room for `count` more dims: SHAPE. */
stria_status stria__check_more_dims(const struct geometry *a, int count, const char *op);
/*
 * Computes the stride of a dim of size 1 before dim d, as if the dims from d on were one element of
 * it.
 */
int64_t stria__unit_stride(const struct geometry *a, int d);

/* ---- dims.c: slices ------------------------------------------------------------------------- */

/* Selects one element of dim d, which is dropped; index in 0 .. size-1. */
void stria__layout_select(struct layout *out, const struct geometry *a, int d, int64_t index);
/* The elements of a dim from start on, every step-th, length >= 0 in all; all of them exist. */
struct range {
    int64_t start, length, step;
};
void stria__layout_slice(struct layout *out, const struct geometry *a, int d, struct range range);

/* Checks an index as callers write it, -size .. size-1: INDEX. */
stria_status stria__check_index(int64_t index, int64_t size, int dim, const char *op);
/* Checks that a step is not 0: INDEX. */
stria_status stria__check_step(int64_t step, const char *op);

/* ---- helpers ------------------------------------------------------------------------------ */

/*
 * Computes the product of the sizes of a checked shape. Without sizes of 0 it fits, so it never
 * wraps.
 */
static inline int64_t stria__numel(int ndim, const int64_t *shape)
{
    int64_t numel = 1;
    for (int d = 0; d < ndim; d++)
        numel *= shape[d];
    return numel;
}

static inline bool is_empty(int ndim, const int64_t *shape)
{
    bool empty = false;
    for (int d = 0; d < ndim; d++)
        empty |= shape[d] == 0;
    return empty;
}

static inline int64_t wrapped_index(int64_t index, int64_t size)
{
    return index < 0 ? index + size : index;
}

/* Counts a negative bound from the end, then clamps it to low .. high. */
static inline int64_t slice_bound(int64_t at, int64_t size, int64_t low, int64_t high)
{
    if (at < 0) at += size;
    return at < low ? low : at > high ? high : at;
}

/*
 * Computes how many steps of k > 0 begin within n > 0 elements. The division is avoided where
 * possible, since it would take most of the time of a slice.
 */
static inline int64_t steps_within(int64_t n, int64_t k)
{
    return ((k & (k - 1)) == 0 ? (n - 1) >> __builtin_ctzll((uint64_t)k) : (n - 1) / k) + 1;
}

/*
 * Resolves a slice with a step > 0. An omitted start needs no test: counted from the end it lies
 * far below 0.
 */
static inline struct range slice_upwards(int64_t start, int64_t stop, int64_t step, int64_t size)
{
    const int64_t from = start == 0 ? 0 : slice_bound(start, size, 0, size);
    const int64_t to = stop == STRIA_NONE ? size : slice_bound(stop, size, 0, size);
    return (struct range){from, from < to ? steps_within(to - from, step) : 0, step};
}

/* Resolves a slice with a step < 0. */
static inline struct range slice_downwards(int64_t start, int64_t stop, int64_t step, int64_t size)
{
    const int64_t from = start == STRIA_NONE ? size - 1 : slice_bound(start, size, -1, size - 1);
    const int64_t to = stop == STRIA_NONE ? -1 : slice_bound(stop, size, -1, size - 1);
    return (struct range){from, from > to ? steps_within(from - to, -step) : 0, step};
}

/* Resolves Python's start:stop:step on a dim of that size; the step is not 0. */
static inline struct range resolved_slice(int64_t start, int64_t stop, int64_t step, int64_t size)
{
    if (step > 0) return slice_upwards(start, stop, step, size);
    if (step == STRIA_NONE) return slice_upwards(start, stop, 1, size);
    return slice_downwards(start, stop, step, size);
}

/* Scales a stride. A product that does not fit leaves it as it was: NOTE [Products that cannot
 * matter]. */
static inline int64_t scaled_stride(int64_t s, int64_t factor)
{
    int64_t scaled;
    return mul_overflows(s, factor, &scaled) ? s : scaled;
}

/* Moves element [0, ..., 0] by n strides; wraps where NOTE [Products that cannot matter] says so.
 */
static inline void layout_move(struct layout *l, int64_t n, int64_t s)
{
    l->offset = (int64_t)((uint64_t)l->offset + (uint64_t)n * (uint64_t)s);
}

static inline void layout_put(struct layout *l, int d, int64_t size, int64_t stride)
{
    l->shape[d] = size;
    l->strides[d] = stride;
}

/* Reverses dim d of an existing layout. */
static inline void layout_reverse_dim(struct layout *l, int d)
{
    const int64_t n = l->shape[d], s = l->strides[d];
    if (n > 0) layout_move(l, n - 1, s);
    /* It may wrap: NOTE [Products that cannot matter]. */
    l->strides[d] = (int64_t)(0 - (uint64_t)s);
}

/*
 * Copies dims from .. to-1 of a to those of out from `at` on. For so few dims a loop is faster than
 * two calls of memcpy.
 */
static inline void layout_keep(struct layout *out, int at, const struct geometry *a, int from,
                               int to)
{
    for (int d = from; d < to; d++)
        layout_put(out, at + d - from, a->shape[d], a->strides[d]);
}

static inline void layout_start(struct layout *out, const struct geometry *a)
{
    out->ndim = a->ndim;
    layout_keep(out, 0, a, 0, a->ndim);
}
