/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of views, the check of those that public functions are given, and overlap. */
#include "view/view.h"

#include <stdio.h>

#include "layout/overlap.h"
#include "stria/overlap.h"

int64_t stria_numel(const stria_view *a)
{
    return view_has_dims(a) ? stria__numel(a->ndim, a->shape) : 0;
}

int64_t stria_nbytes(const stria_view *a)
{
    if (!view_has_dims(a)) return 0;
    const struct geometry g = view_geometry(a);
    return stria__nbytes(&g);
}

int64_t stria_offset(const stria_view *a)
{
    return a && a->buffer ? a->data - stria_buffer_data(a->buffer) : 0;
}

bool stria_is_contiguous(const stria_view *a, stria_order order)
{
    if (!view_has_dims(a)) return false;
    const struct geometry g = view_geometry(a);
    return stria__is_dense(&g, order);
}

bool stria_is_aligned(const stria_view *a)
{
    if (!view_has_dims(a)) return false;
    if (a->dtype.alignment <= 1 || is_empty(a->ndim, a->shape)) return true;
    uint64_t bits = (uintptr_t)a->data;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] > 1) bits |= (uint64_t)a->strides[d];
    return bits % a->dtype.alignment == 0; /* Alignments are powers of two. */
}

bool stria_is_writable(const stria_view *a)
{
    return a && !(a->flags & STRIA_READONLY) && !stria__buffer_readonly(a->buffer);
}

bool stria_same_view(const stria_view *a, const stria_view *b)
{
    if (!view_has_dims(a) || !view_has_dims(b)) return false;
    const struct geometry g = view_geometry(a), h = view_geometry(b);
    /* The addresses of meta buffers are meaningless outside their own buffer. */
    if ((view_is_meta(a) || view_is_meta(b)) && a->buffer != b->buffer) return false;
    return a->data == b->data && stria_dtype_equal(a->dtype, b->dtype) && a->flags == b->flags &&
           stria__same_geometry(&g, &h);
}

stria_status stria_storage_offset(int64_t *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "storage_offset"));
    const int64_t offset = stria_offset(a), itemsize = a->dtype.itemsize;
    if (itemsize == 0 ? offset != 0 : offset % itemsize != 0)
        return stria__fail(STRIA_ERR_STRIDE,
                           "storage_offset: %lld bytes are no whole number of items of %lld bytes",
                           (long long)offset, (long long)itemsize);
    *out = itemsize == 0 ? 0 : offset / itemsize;
    return STRIA_OK;
}

stria_status stria_storage(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "storage"));
    const struct geometry g = view_geometry(a);
    struct extent extent = {0, 0};
    (void)stria__extent(&extent, &g); /* The extent fits, which was checked when a was made. */
    const int64_t size = a->buffer ? stria_buffer_size(a->buffer) : extent.high - extent.low;
    char *start = a->buffer ? stria_buffer_data(a->buffer) : a->data;
    if (!a->buffer && extent.low) start += extent.low;
    view_set(out, start, a->buffer, stria_dtype_of(STRIA_U8), a->flags & STRIA_READONLY, 1, &size,
             &(const int64_t){1});
    return STRIA_OK;
}

int64_t stria_retained_bytes(const stria_view *a)
{
    return a && a->buffer ? stria_buffer_size(a->buffer) : 0;
}

bool stria_is_view(const stria_view *a)
{
    if (!view_has_dims(a)) return false;
    const struct geometry g = view_geometry(a);
    return !a->buffer || a->data != stria_buffer_data(a->buffer) ||
           stria__nbytes(&g) != stria_buffer_size(a->buffer) || !stria__is_dense(&g, STRIA_ORDER_K);
}

stria_status stria_view_readonly(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "view_readonly"));
    view_copy(out, a);
    out->flags |= STRIA_READONLY;
    return STRIA_OK;
}

/*
 * The check of the views that public functions are given. A view is a plain struct: besides the
 * views that the library made there are cleared ones ({0}, or after stria_array_release), and views
 * that a caller filled in by hand.
 */

stria_status stria__check_any_view(const stria_view *a, const char *op, const char *what)
{
    if (!a) return stria__fail(STRIA_ERR_ARGUMENT, "%s: %s is NULL", op, what);
    if (a->ndim < 0 || a->ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %s has ndim %d, not 0 to %d: it was never made",
                           op, what, (int)a->ndim, STRIA_MAX_NDIM);
    if (!a->data && !a->buffer && a->dtype.kind == STRIA_BOOL && a->dtype.itemsize == 0)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: %s is a cleared view: it was never made, or its array was released",
                           op, what);
    if (!stria__dtype_is_valid(a->dtype))
        return stria__fail(
            STRIA_ERR_DTYPE,
            "%s: %s has kind %d with an item size of %d bytes%s%s, which is no dtype", op, what,
            (int)a->dtype.kind, (int)a->dtype.itemsize, a->dtype.swapped ? ", swapped" : "",
            a->dtype.record ? ", with a record" : "");
    if (!a->data && a->dtype.itemsize > 0 && !is_empty(a->ndim, a->shape))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: %s of shape %s and %d bytes an item has no data", op, what,
                           stria__dims_text(a->ndim, a->shape).text, (int)a->dtype.itemsize);
    return STRIA_OK;
}

stria_status stria__check_views(int n, const stria_view *const *views, const char *op,
                                const char *what)
{
    for (int i = 0; i < n; i++) {
        char name[32];
        if (view_is_usual(views[i])) continue;
        (void)snprintf(name, sizeof name, "%s %d", what, i);
        STRIA_TRY(stria__check_any_view(views[i], op, name));
    }
    return STRIA_OK;
}

/* Overlap between two views, and between the elements of one. */

/*
 * Tells whether the two cannot share memory, whatever their addresses: one of them is no view, or
 * lies in a meta buffer, whose addresses are meaningless outside that buffer.
 */
static bool apart(const stria_view *a, const stria_view *b)
{
    if (!view_has_dims(a) || !view_has_dims(b)) return true;
    return a->buffer != b->buffer && (view_is_meta(a) || view_is_meta(b));
}

stria_overlap stria_shares_memory(const stria_view *a, const stria_view *b, int64_t max_work)
{
    if (apart(a, b)) return STRIA_OVERLAP_NO;
    const struct geometry g = view_geometry(a), h = view_geometry(b);
    return stria__overlap((uintptr_t)a->data, &g, (uintptr_t)b->data, &h, max_work);
}

bool stria_may_share_memory(const stria_view *a, const stria_view *b)
{
    if (apart(a, b)) return false;
    const struct geometry g = view_geometry(a), h = view_geometry(b);
    return stria__bounds_overlap((uintptr_t)a->data, &g, (uintptr_t)b->data, &h);
}

stria_overlap stria_overlaps_itself(const stria_view *a, int64_t max_work)
{
    if (!view_has_dims(a)) return STRIA_OVERLAP_NO;
    const struct geometry g = view_geometry(a);
    return stria__overlaps_itself(&g, max_work);
}
