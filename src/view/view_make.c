/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one place where a shape, strides and an address become a view of memory. It proves that every
 * byte of every element lies inside the buffer; the other functions only take subsets of a view, or
 * come back here (as_strided).
 */
#include "view/view.h"

stria_status stria__extent_of(struct extent *out, const struct geometry *a, const char *op)
{
    if (stria__extent(out, a)) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_OVERFLOW, "%s: shape %s with strides %s spans more than 2^63 - 1 bytes", op,
        stria__dims_text(a->ndim, a->shape).text, stria__dims_text(a->ndim, a->strides).text);
}

/*
 * Describes the geometry and its extent. If strides is NULL, the strides of C order are written to
 * dense.
 */
static stria_status describe(struct geometry *out, struct extent *extent, int64_t *dense,
                             stria_dtype dtype, int ndim, const int64_t *shape,
                             const int64_t *strides)
{
    STRIA_TRY(stria__check_dtype(dtype, "view"));
    STRIA_TRY(stria__check_shape(ndim, shape, "view"));
    *out = (struct geometry){ndim, shape, strides ? strides : dense, dtype.itemsize};
    if (strides) return stria__extent_of(extent, out, "view");
    extent->low = 0;
    return stria__dense_strides(dense, &extent->high, ndim, shape, dtype.itemsize, STRIA_ORDER_C,
                                "view");
}

static stria_status check_room(const struct geometry *a, struct extent extent, int64_t offset,
                               struct extent room, const char *op)
{
    struct extent reached;
    if (add_overflows(offset, extent.low, &reached.low) ||
        add_overflows(offset, extent.high, &reached.high))
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "%s: offset %lld and strides %s add up to more than 2^63 - 1 bytes", op,
                           (long long)offset, stria__dims_text(a->ndim, a->strides).text);
    if (reached.low < room.low || reached.high > room.high)
        return stria__fail(STRIA_ERR_BOUNDS,
                           "%s: shape %s with strides %s at offset %lld covers bytes %lld .. %lld, "
                           "the memory has %lld .. %lld",
                           op, stria__dims_text(a->ndim, a->shape).text,
                           stria__dims_text(a->ndim, a->strides).text, (long long)offset,
                           (long long)reached.low, (long long)reached.high, (long long)room.low,
                           (long long)room.high);
    return STRIA_OK;
}

stria_status stria__check_bounds(const struct geometry *a, int64_t offset, struct extent room,
                                 const char *op)
{
    struct extent extent = {0, 0};
    STRIA_TRY(stria__extent_of(&extent, a, op));
    return check_room(a, extent, offset, room, op);
}

stria_status stria_view_make(stria_view *out, stria_buffer *buffer, stria_dtype dtype, int ndim,
                             const int64_t *shape, const int64_t *strides, int64_t offset)
{
    if (!out || !buffer)
        return stria__fail(STRIA_ERR_ARGUMENT, "view: %s is NULL", out ? "the buffer" : "out");
    struct geometry g;
    struct extent extent = {0, 0};
    int64_t dense[STRIA_MAX_NDIM];
    STRIA_TRY(describe(&g, &extent, dense, dtype, ndim, shape, strides));
    const struct extent room = {0, stria_buffer_size(buffer)};
    STRIA_TRY(check_room(&g, extent, offset, room, "view"));
    char *origin = stria_buffer_data(buffer);
    view_set(out, offset ? origin + offset : origin, buffer, dtype,
             stria_buffer_readonly(buffer) ? STRIA_READONLY : 0, ndim, g.shape, g.strides);
    return STRIA_OK;
}

stria_status stria__check_addresses(const void *data, struct extent extent, const char *op)
{
    const uintptr_t at = (uintptr_t)data;
    int64_t length;
    const bool fits = !sub_overflows(extent.high, extent.low, &length) && length <= PTRDIFF_MAX;
    if (!data && fits && length > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: data is NULL for %lld bytes", op,
                           (long long)length);
    if (!fits || 0 - (uint64_t)extent.low > at || (uint64_t)extent.high > UINTPTR_MAX - at)
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "%s: bytes %lld .. %lld from address %p do not fit in the address space",
                           op, (long long)extent.low, (long long)extent.high, data);
    return STRIA_OK;
}

stria_status stria_view_foreign(stria_view *out, void *data, stria_dtype dtype, int ndim,
                                const int64_t *shape, const int64_t *strides, uint32_t flags)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "view: out is NULL");
    if (flags & ~(uint32_t)STRIA_READONLY)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "view: flags %#x of foreign memory; only STRIA_READONLY may be given",
                           (unsigned)flags);
    struct geometry g;
    struct extent extent = {0, 0};
    int64_t dense[STRIA_MAX_NDIM];
    STRIA_TRY(describe(&g, &extent, dense, dtype, ndim, shape, strides));
    STRIA_TRY(stria__check_addresses(data, extent, "view"));
    view_set(out, data, NULL, dtype, flags, ndim, g.shape, g.strides);
    return STRIA_OK;
}
