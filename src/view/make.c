/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one place where a shape, strides and an address become a view of memory. Every byte that any
 * element can reach is proven to lie inside the buffer here; the other functions only ever take
 * subsets, or come back here (as_strided).
 */
#include "view/view.h"

stria_status stria__check_dtype(stria_dtype dtype, const char *op)
{
    if (dtype.kind > STRIA_RECORD || dtype.itemsize < 0)
        return stria__fail(STRIA_ERR_DTYPE, "%s: kind %d with an item size of %d bytes is no dtype",
                           op, (int)dtype.kind, (int)dtype.itemsize);
    return STRIA_OK;
}

/* Checks the shape and gives it C order where strides are NULL. */
static stria_status describe(struct layout *out, stria_dtype dtype, int ndim, const int64_t *shape,
                             const int64_t *strides, const char *op)
{
    STRIA_TRY(stria__check_dtype(dtype, op));
    STRIA_TRY(stria__check_shape(ndim, shape, op));
    out->ndim = ndim;
    out->offset = 0;
    for (int d = 0; d < ndim; d++) layout_put(out, d, shape[d], strides ? strides[d] : 0);
    int64_t nbytes;
    if (strides) return STRIA_OK;
    return stria__dense_strides(out->strides, &nbytes, ndim, shape, dtype.itemsize, STRIA_ORDER_C,
                                op);
}

static stria_status extent_of(struct extent *out, const struct layout *l, int64_t itemsize,
                              const char *op)
{
    if (stria__extent(out, (struct geometry){l->ndim, l->shape, l->strides, itemsize}))
        return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERFLOW, "%s: shape %s with strides %s spans more than 2^63 - 1 "
                       "bytes", op, stria__dims_text(l->ndim, l->shape).text,
                       stria__dims_text(l->ndim, l->strides).text);
}

stria_status stria__check_bounds(const struct layout *l, int64_t itemsize, int64_t offset,
                                 struct extent room, const char *op)
{
    struct extent extent, reached;
    STRIA_TRY(extent_of(&extent, l, itemsize, op));
    if (add_overflows(offset, extent.low, &reached.low) ||
        add_overflows(offset, extent.high, &reached.high))
        return stria__fail(STRIA_ERR_OVERFLOW, "%s: offset %lld and strides %s add up to more than "
                           "2^63 - 1 bytes", op, (long long)offset,
                           stria__dims_text(l->ndim, l->strides).text);
    if (reached.low < room.low || reached.high > room.high)
        return stria__fail(STRIA_ERR_BOUNDS, "%s: shape %s with strides %s at offset %lld covers "
                           "bytes %lld .. %lld, the memory has %lld .. %lld", op,
                           stria__dims_text(l->ndim, l->shape).text,
                           stria__dims_text(l->ndim, l->strides).text, (long long)offset,
                           (long long)reached.low, (long long)reached.high, (long long)room.low,
                           (long long)room.high);
    return STRIA_OK;
}

stria_status stria_view_make(stria_view *out, stria_buffer *buffer, stria_dtype dtype, int ndim,
                             const int64_t *shape, const int64_t *strides, int64_t offset)
{
    if (!out || !buffer)
        return stria__fail(STRIA_ERR_ARGUMENT, "view: %s is NULL", out ? "the buffer" : "out");
    struct layout l;
    STRIA_TRY(describe(&l, dtype, ndim, shape, strides, "view"));
    const struct extent room = {0, stria_buffer_size(buffer)};
    STRIA_TRY(stria__check_bounds(&l, dtype.itemsize, offset, room, "view"));
    view_set(out, stria_buffer_data(buffer) + offset, buffer, dtype,
             stria_buffer_readonly(buffer) ? STRIA_READONLY : 0, &l);
    return STRIA_OK;
}

/* No part of the address space wraps around, and no extent exceeds what pointers can subtract. */
static stria_status check_addresses(const void *data, struct extent extent, const char *op)
{
    const uintptr_t at = (uintptr_t)data;
    int64_t length;
    if (!data && extent.high > extent.low)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: data is NULL for %lld bytes", op,
                           (long long)(extent.high - extent.low));
    if (sub_overflows(extent.high, extent.low, &length) || length > PTRDIFF_MAX ||
        0 - (uint64_t)extent.low > at || (uint64_t)extent.high > UINTPTR_MAX - at)
        return stria__fail(STRIA_ERR_OVERFLOW, "%s: bytes %lld .. %lld from address %p do not fit "
                           "in the address space", op, (long long)extent.low,
                           (long long)extent.high, data);
    return STRIA_OK;
}

stria_status stria_view_foreign(stria_view *out, void *data, stria_dtype dtype, int ndim,
                                const int64_t *shape, const int64_t *strides, uint32_t flags)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "view: out is NULL");
    if (flags & ~(uint32_t)STRIA_READONLY)
        return stria__fail(STRIA_ERR_ARGUMENT, "view: flags %#x of foreign memory; only "
                           "STRIA_READONLY may be given", (unsigned)flags);
    struct layout l;
    struct extent extent;
    STRIA_TRY(describe(&l, dtype, ndim, shape, strides, "view"));
    STRIA_TRY(extent_of(&extent, &l, dtype.itemsize, "view"));
    STRIA_TRY(check_addresses(data, extent, "view"));
    view_set(out, data, NULL, dtype, flags, &l);
    return STRIA_OK;
}
