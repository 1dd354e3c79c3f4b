/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pattern of a view function: check the pointers, let layout/ compute sizes and strides
 * directly in the new view (or in a temporary, when the new view replaces its own input), then fill
 * in the rest. Only ndim entries are ever touched, so a view costs nanoseconds although the structs
 * are large.
 *
 *     struct draft draft;
 *     STRIA_TRY(view_begin(&draft, out, a, "op"));
 *     STRIA_TRY(stria__layout_op(&draft.to, &draft.from, ..., "op"));
 *     return view_finish(&draft, out, a);
 */
#pragma once

#include <assert.h>

#include "view/buffer.h"
#include "dtype/dtype.h"
#include "layout/layout.h"
#include "base/status.h"
#include "stria/view.h"

/*
 * Makes the view of a under another shape as stria_view_shape does, but composes no message where
 * there is none: *viewable tells whether out was written. *resolved is the shape with the size for
 * -1 computed, stored in room if there was a -1.
 */
stria_status stria__try_view_shape(stria_view *out, bool *viewable, const int64_t **resolved,
                                   int64_t *room, const stria_view *a, int ndim,
                                   const int64_t *shape);

/* Calls stria__extent; OVERFLOW when it fails. */
stria_status stria__extent_of(struct extent *out, const struct geometry *a, const char *op);
/*
 * Checks, as far as possible, that memory around data with that extent can exist: it does not wrap
 * around the address space, and its length fits a ptrdiff_t. ARGUMENT: data is NULL; OVERFLOW.
 */
stria_status stria__check_addresses(const void *data, struct extent extent, const char *op);

/* Finds the shape to which views broadcast. BROADCAST, OVERFLOW. */
stria_status stria__common_shape(int *ndim, int64_t *shape, int n, const stria_view *const *views,
                                 const char *op);

/* Does stria_broadcast_tensors on behalf of another public function, which messages name. */
stria_status stria__broadcast_views(stria_view *out, int n, const stria_view *const *views,
                                    const char *op);

/* Gives the result of indexing a matrix by these items the form of a matrix. */
void stria__index_matrix(stria_view *out, int count, const stria_index_item *items);

/* Checks that every byte, with the first element at offset, lies in room: BOUNDS, OVERFLOW. */
stria_status stria__check_bounds(const struct geometry *a, int64_t offset, struct extent room,
                                 const char *op);

static inline struct geometry view_geometry(const stria_view *a)
{
    return (struct geometry){a->ndim, a->shape, a->strides, a->dtype.itemsize};
}

/* Tells whether the view has a shape, but no memory. */
static inline bool view_is_meta(const stria_view *a)
{
    return stria__buffer_is_meta(a->buffer);
}

/* Tells whether the elements are dense items of that dtype in C order, without lazy bits. */
static inline bool view_has_items(const stria_view *a, stria_dtype dtype)
{
    return stria_dtype_equal(a->dtype, dtype) && !(a->flags & (STRIA_CONJ | STRIA_NEG)) &&
           stria_is_contiguous(a, STRIA_ORDER_C);
}

/* Tells whether the view may be written and has memory: stria_is_writable, and no meta buffer. */
static inline bool view_is_open(const stria_view *a)
{
    return !(a->flags & STRIA_READONLY) && stria__buffer_is_open(a->buffer);
}

/* Tells the same before memory is written, and counts the write. */
static inline bool view_opens_to_write(const stria_view *a)
{
    if (!view_is_open(a)) return false;
    stria__buffer_count_write(a->buffer);
    return true;
}

/* Returns the view near which a result of n >= 1 views is made: the first without memory, else the
 * first. */
static inline const stria_view *view_nearest(int n, const stria_view *const *views)
{
    for (int i = 0; i < n; i++)
        if (view_is_meta(views[i])) return views[i];
    return views[0];
}

/*
 * Tells whether shape and strides can be read. Functions without a status treat other arguments as
 * an empty view.
 */
static inline bool view_has_dims(const stria_view *a)
{
    return a && (uint32_t)a->ndim <= STRIA_MAX_NDIM;
}

/*
 * Tells whether this is a view with an address and a native numeric dtype, as nearly every operand
 * is.
 */
static inline bool view_is_usual(const stria_view *a)
{
    return view_has_dims(a) && a->data && dtype_is_native_number(&a->dtype);
}

/* Does stria__check_view without its fast path. */
STRIA_FOR_LINALG stria_status stria__check_any_view(const stria_view *a, const char *op,
                                                    const char *what);

/*
 * Checks a view. Every public function calls this for every view it is given, before it reads
 * anything else of it. ARGUMENT for NULL, an impossible number of dims, and cleared views and
 * others whose elements have no address; DTYPE for a kind, item size, byte order and record that do
 * not belong together. Messages call the view `what`. Shape and strides are not checked.
 */
static inline stria_status stria__check_view(const stria_view *a, const char *op, const char *what)
{
    return view_is_usual(a) ? STRIA_OK : stria__check_any_view(a, op, what);
}

/* Checks the n views of a list; messages call them "<what> 0", "<what> 1", ... */
stria_status stria__check_views(int n, const stria_view *const *views, const char *op,
                                const char *what);

/* Checks the arguments of a function that makes one result, of any type, from one view. */
static inline stria_status view_check(const void *out, const stria_view *a, const char *op)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    return stria__check_view(a, op, "the view");
}

/* A view under construction. */
struct draft {
    struct geometry from;
    struct layout to;
    /* Strides and sizes of `to` while `from` is still read. */
    int64_t temporary[2][STRIA_MAX_NDIM];
};

static inline stria_status view_begin(struct draft *draft, stria_view *out, const stria_view *a,
                                      const char *op)
{
    STRIA_TRY(view_check(out, a, op));
    draft->from = view_geometry(a);
    draft->to.offset = 0;
    draft->to.shape = out == a ? draft->temporary[0] : out->shape;
    draft->to.strides = out == a ? draft->temporary[1] : out->strides;
    return STRIA_OK;
}

/* Fills in a view. Sizes and strides may be out's own. */
static inline void view_set(stria_view *out, char *data, stria_buffer *buffer, stria_dtype dtype,
                            uint32_t flags, int ndim, const int64_t *shape, const int64_t *strides)
{
    assert(stria__sizes_fit(ndim, shape));
    out->data = data;
    out->buffer = buffer;
    out->dtype = dtype;
    out->flags = flags;
    out->ndim = ndim;
    if (shape == out->shape && strides == out->strides) return;
    for (int d = 0; d < ndim; d++) {
        const int64_t size = shape[d], stride = strides[d];
        out->shape[d] = size;
        out->strides[d] = stride;
    }
}

/* Counts a 0-d view as one of 1 dim, as most of PyTorch does. */
static inline int at_least_1(int ndim)
{
    return ndim > 0 ? ndim : 1;
}

/*
 * Moves the address of element [0, ..., 0]. An empty view keeps its address, since no other is
 * known to lie in its memory.
 */
static inline char *view_moved(const stria_view *a, const struct layout *l)
{
    return l->offset == 0 || is_empty(l->ndim, l->shape) ? a->data : a->data + l->offset;
}

/* Returns the address of the element with that index. */
static inline char *view_address(const stria_view *a, const int64_t *index)
{
    uint64_t offset = 0;
    for (int d = 0; d < a->ndim; d++)
        offset += (uint64_t)index[d] * (uint64_t)a->strides[d];
    return (char *)((uintptr_t)a->data + (uintptr_t)offset);
}

/* Makes a view of one element, which lies in no buffer. */
static inline void view_of_item(stria_view *out, const void *item, stria_kind kind)
{
    view_set(out, (char *)(uintptr_t)item, NULL, stria_dtype_of(kind), 0, 0, NULL, NULL);
}

static inline stria_status view_finish(const struct draft *draft, stria_view *out,
                                       const stria_view *a)
{
    const struct layout *l = &draft->to;
    view_set(out, view_moved(a, l), a->buffer, a->dtype, a->flags, l->ndim, l->shape, l->strides);
    return STRIA_OK;
}

/* Clears a view, so that every function that takes views refuses it. */
static inline void view_clear(stria_view *out)
{
    view_set(out, NULL, NULL, (stria_dtype){.kind = STRIA_BOOL}, 0, 0, NULL, NULL);
}

static inline void view_set_class(stria_view *out, uint32_t class_bits)
{
    out->flags = (out->flags & ~(uint32_t)STRIA_CLASS_MASK) | class_bits;
}

static inline uint32_t view_class(const stria_view *a)
{
    return a->flags & (uint32_t)STRIA_CLASS_MASK;
}

static inline bool view_has_shape(const stria_view *a, int ndim, const int64_t *shape)
{
    return a->ndim == ndim && (ndim == 0 || !memcmp(a->shape, shape, (size_t)ndim * sizeof *shape));
}

static inline bool view_same_shape(const stria_view *a, const stria_view *b)
{
    return view_has_shape(a, b->ndim, b->shape);
}

/*
 * Copies a view, which may be out itself, without the kilobyte of unused entries that a struct
 * assignment copies.
 */
static inline void view_copy(stria_view *out, const stria_view *a)
{
    view_set(out, a->data, a->buffer, a->dtype, a->flags, a->ndim, a->shape, a->strides);
}
