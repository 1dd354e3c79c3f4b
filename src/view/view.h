/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a view function is written: check the pointers, let layout/ compute into a scratch layout on
 * the stack, then derive the new view from the old one. Only ndim entries are ever touched, so a
 * small view costs nanoseconds although the structs are large.
 *
 *     struct layout l;
 *     STRIA_TRY(view_check(out, a, "op"));
 *     STRIA_TRY(stria__layout_op(&l, view_geometry(a), ...));
 *     view_derive(out, a, &l);
 */
#ifndef STRIA_SRC_VIEW_H
#define STRIA_SRC_VIEW_H

#include "layout/layout.h"
#include "status.h"
#include "stria/view.h"

/*
 * The view of a under another shape as stria_view_shape makes it, without composing a refusal:
 * *viewable tells whether out was written. resolved receives the ndim sizes with -1 replaced.
 */
stria_status stria__try_view_shape(stria_view *out, bool *viewable, int64_t *resolved,
                                   const stria_view *a, int ndim, const int64_t *shape,
                                   const char *op);

stria_status stria__check_dtype(stria_dtype dtype, const char *op);

/* Every byte of l, with its first element at offset, lies in room: BOUNDS, OVERFLOW. */
stria_status stria__check_bounds(const struct layout *l, int64_t itemsize, int64_t offset,
                                 struct extent room, const char *op);

static inline struct geometry view_geometry(const stria_view *a)
{
    return (struct geometry){a->ndim, a->shape, a->strides, a->dtype.itemsize};
}

static inline stria_status view_check(const void *out, const stria_view *a, const char *op)
{
    if (!out || !a)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %s is NULL", op, out ? "the view" : "out");
    if (a->ndim < 0 || a->ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: the view has ndim %d: it was never made", op,
                           (int)a->ndim);
    return STRIA_OK;
}

static inline void view_set(stria_view *out, char *data, stria_buffer *buffer, stria_dtype dtype,
                            uint32_t flags, const struct layout *l)
{
    const size_t bytes = (size_t)l->ndim * sizeof(int64_t);
    out->data = data;
    out->buffer = buffer;
    out->dtype = dtype;
    out->flags = flags;
    out->ndim = l->ndim;
    memcpy(out->shape, l->shape, bytes);
    memcpy(out->strides, l->strides, bytes);
}

/* Where a 0-d view counts as one of 1 dim, as in most of PyTorch. */
static inline int at_least_1(int ndim)
{
    return ndim > 0 ? ndim : 1;
}

/* An empty view stays where it is: nothing else is known to be an address of its memory. */
static inline char *view_moved(const stria_view *a, const struct layout *l)
{
    return l->offset == 0 || is_empty(l->ndim, l->shape) ? a->data : a->data + l->offset;
}

static inline void view_derive(stria_view *out, const stria_view *a, const struct layout *l)
{
    view_set(out, view_moved(a, l), a->buffer, a->dtype, a->flags, l);
}

#endif
