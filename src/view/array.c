/* SPDX-License-Identifier: BSD-3-Clause */
/* Owners: a buffer of the right size and a view of it. */
#include "array.h"

#include "view/buffer.h"
#include "view/view.h"

/* Allocates, after everything was checked. The geometry may point into *out. */
static stria_status allocate(stria_array *out, bool meta, stria_dtype dtype,
                             const struct geometry *g, struct extent extent, const char *op)
{
    int64_t nbytes;
    stria_buffer *buffer;
    if (sub_overflows(extent.high, extent.low, &nbytes))
        return stria__fail(
            STRIA_ERR_OVERFLOW, "%s: shape %s with strides %s spans more than 2^63 - 1 bytes", op,
            stria__dims_text(g->ndim, g->shape).text, stria__dims_text(g->ndim, g->strides).text);
    STRIA_TRY(meta ? stria_buffer_meta(&buffer, nbytes) : stria_buffer_make(&buffer, nbytes));
    stria__buffer_keep_dtype(buffer, dtype);
    view_set(&out->view, stria_buffer_data(buffer) - extent.low, buffer, dtype, 0, g->ndim,
             g->shape, g->strides);
    array_own(out, buffer);
    return STRIA_OK;
}

static stria_status check_new(const stria_array *out, stria_dtype dtype, int ndim,
                              const int64_t *shape, const char *op)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    STRIA_TRY(stria__check_dtype(dtype, op));
    return stria__check_shape(ndim, shape, op);
}

static stria_status make_array(stria_array *out, bool meta, stria_dtype dtype, int ndim,
                               const int64_t *shape, stria_order order, const char *op)
{
    int64_t strides[STRIA_MAX_NDIM], nbytes = 0;
    STRIA_TRY(check_new(out, dtype, ndim, shape, op));
    STRIA_TRY(stria__dense_strides(strides, &nbytes, ndim, shape, dtype.itemsize, order, op));
    const struct geometry g = {ndim, shape, strides, dtype.itemsize};
    return allocate(out, meta, dtype, &g, (struct extent){0, nbytes}, op);
}

static stria_status make_strided(stria_array *out, bool meta, stria_dtype dtype, int ndim,
                                 const int64_t *shape, const int64_t *strides, const char *op)
{
    struct extent extent = {0, 0};
    STRIA_TRY(check_new(out, dtype, ndim, shape, op));
    if (!strides && ndim > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: strides are NULL for ndim %d", op, ndim);
    const struct geometry g = {ndim, shape, strides, dtype.itemsize};
    STRIA_TRY(stria__extent_of(&extent, &g, op));
    return allocate(out, meta, dtype, &g, extent, op);
}

stria_status stria_empty(stria_array *out, stria_dtype dtype, int ndim, const int64_t *shape)
{
    return make_array(out, false, dtype, ndim, shape, STRIA_ORDER_C, "empty");
}

stria_status stria_empty_ordered(stria_array *out, stria_dtype dtype, int ndim,
                                 const int64_t *shape, stria_order order)
{
    return make_array(out, false, dtype, ndim, shape, order, "empty");
}

stria_status stria_empty_strided(stria_array *out, stria_dtype dtype, int ndim,
                                 const int64_t *shape, const int64_t *strides)
{
    return make_strided(out, false, dtype, ndim, shape, strides, "empty_strided");
}

stria_status stria_new_empty_strided(stria_array *out, const stria_view *a, stria_dtype dtype,
                                     int ndim, const int64_t *shape, const int64_t *strides)
{
    STRIA_TRY(view_check(out, a, "new_empty_strided"));
    return make_strided(out, stria_buffer_is_meta(a->buffer), dtype, ndim, shape, strides,
                        "new_empty_strided");
}

stria_status stria_empty_permuted(stria_array *out, stria_dtype dtype, int ndim,
                                  const int64_t *shape, const int *dims)
{
    int wrapped[STRIA_MAX_NDIM];
    int64_t strides[STRIA_MAX_NDIM], nbytes = 0;
    STRIA_TRY(check_new(out, dtype, ndim, shape, "empty_permuted"));
    STRIA_TRY(stria__wrap_dims(wrapped, ndim, ndim, dims, "empty_permuted"));
    STRIA_TRY(stria__dense_permuted(strides, &nbytes, ndim, shape, dtype.itemsize, wrapped,
                                    "empty_permuted"));
    const struct geometry g = {ndim, shape, strides, dtype.itemsize};
    return allocate(out, false, dtype, &g, (struct extent){0, nbytes}, "empty_permuted");
}

stria_status stria__empty_as(stria_array *out, const stria_view *a, stria_dtype dtype,
                             stria_order order, const char *op)
{
    int64_t strides[STRIA_MAX_NDIM], nbytes = 0;
    STRIA_TRY(view_check(out, a, op));
    STRIA_TRY(stria__check_dtype(dtype, op));
    const struct geometry from = view_geometry(a);
    STRIA_TRY(stria__dense_like(strides, &nbytes, &from, dtype.itemsize, order, op));
    const struct geometry g = {a->ndim, a->shape, strides, dtype.itemsize};
    const uint32_t class_bits = view_class(a); /* It is read first, since out may hold a. */
    STRIA_TRY(
        allocate(out, stria_buffer_is_meta(a->buffer), dtype, &g, (struct extent){0, nbytes}, op));
    view_set_class(&out->view, class_bits);
    return STRIA_OK;
}

stria_status stria_empty_like(stria_array *out, const stria_view *a, stria_dtype dtype,
                              stria_order order)
{
    return stria__empty_as(out, a, dtype, order, "empty_like");
}

/* Fills new memory with zeros; all of it must belong to the array. */
static void zero(const stria_array *a)
{
    const size_t nbytes = (size_t)stria_buffer_size(a->owned);
    if (!stria_buffer_is_meta(a->owned)) memset(stria_buffer_data(a->owned), 0, nbytes);
}

stria_status stria_zeros(stria_array *out, stria_dtype dtype, int ndim, const int64_t *shape)
{
    STRIA_TRY(make_array(out, false, dtype, ndim, shape, STRIA_ORDER_C, "zeros"));
    zero(out);
    return STRIA_OK;
}

stria_status stria_zeros_like(stria_array *out, const stria_view *a, stria_dtype dtype,
                              stria_order order)
{
    STRIA_TRY(stria__empty_as(out, a, dtype, order, "zeros_like"));
    zero(out);
    return STRIA_OK;
}

stria_status stria__empty_like_memory(stria_array *out, const stria_view *near, stria_dtype dtype,
                                      int ndim, const int64_t *shape, stria_order order)
{
    return make_array(out, stria_buffer_is_meta(near->buffer), dtype, ndim, shape, order, "empty");
}

stria_array stria__array_of(const stria_view *view)
{
    stria_array out;
    array_none(&out);
    if (view_has_dims(view)) {
        array_share(&out, view);
    } else {
        view_clear(&out.view);
    }
    return out;
}

stria_status stria_array_share(stria_array *out, const stria_view *view)
{
    STRIA_TRY(view_check(out, view, "array_share"));
    array_share(out, view);
    return STRIA_OK;
}

void stria_array_release(stria_array *array)
{
    if (!array) return;
    stria_buffer_release(array->owned);
    array->owned = NULL;
    view_clear(&array->view);
}

/* Returns the bytes of its buffer, relative to the first element; for foreign memory, those of its
 * elements. */
static struct extent room_of(const stria_view *a)
{
    const int64_t before = -stria_offset(a);
    if (a->buffer) return (struct extent){before, before + stria_buffer_size(a->buffer)};
    struct extent extent;
    const struct geometry geometry = view_geometry(a);
    return stria__extent(&extent, &geometry) ? extent : (struct extent){0, 0};
}

stria_status stria__meta_of(stria_array *out, const stria_view *a)
{
    const struct extent room = room_of(a);
    *out = (stria_array){0};
    STRIA_TRY(stria_buffer_meta(&out->owned, room.high - room.low));
    const stria_status status =
        stria_view_make(&out->view, out->owned, a->dtype, a->ndim, a->shape, a->strides, -room.low);
    if (status != STRIA_OK)
        stria_array_release(out);
    else
        /* Read-only is a property of the real memory, not of this array. */
        out->view.flags |= a->flags & ~(uint32_t)STRIA_READONLY;
    return status;
}
