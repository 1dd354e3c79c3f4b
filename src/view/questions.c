/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a view. */
#include "view/view.h"

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
    return bits % a->dtype.alignment == 0; /* alignments are powers of two */
}

bool stria_is_writable(const stria_view *a)
{
    return a && !(a->flags & STRIA_READONLY) && !(a->buffer && stria_buffer_readonly(a->buffer));
}

/* The addresses of meta buffers are meaningless outside their own buffer. */
static bool same_memory(const stria_view *a, const stria_view *b)
{
    const bool meta = stria_buffer_is_meta(a->buffer) || stria_buffer_is_meta(b->buffer);
    return a->data == b->data && (!meta || a->buffer == b->buffer);
}

bool stria_same_view(const stria_view *a, const stria_view *b)
{
    if (!view_has_dims(a) || !view_has_dims(b)) return false;
    const struct geometry g = view_geometry(a), h = view_geometry(b);
    return same_memory(a, b) && stria_dtype_equal(a->dtype, b->dtype) && a->flags == b->flags &&
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
    (void)stria__extent(&extent, &g); /* fits: it was checked when a was made */
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

stria_view stria_view_readonly(const stria_view *a)
{
    stria_view out;
    if (view_has_dims(a))
        view_copy(&out, a);
    else
        view_clear(&out);
    out.flags |= STRIA_READONLY;
    return out;
}
