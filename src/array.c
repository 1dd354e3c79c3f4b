/* SPDX-License-Identifier: BSD-3-Clause */
/* Owners: a buffer of the right size and a dense view of it. */
#include "array.h"

#include "buffer.h"
#include "view/view.h"

/* Everything is checked before the first byte is taken. */
static stria_status make(stria_array *out, bool meta, stria_dtype dtype, int ndim,
                         const int64_t *shape, stria_order order, const char *op)
{
    int64_t strides[STRIA_MAX_NDIM], nbytes = 0;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    STRIA_TRY(stria__check_dtype(dtype, op));
    STRIA_TRY(stria__check_shape(ndim, shape, op));
    STRIA_TRY(stria__dense_strides(strides, &nbytes, ndim, shape, dtype.itemsize, order, op));
    stria_buffer *buffer;
    STRIA_TRY(meta ? stria_buffer_meta(&buffer, nbytes) : stria_buffer_new(&buffer, nbytes));
    stria__buffer_keep_dtype(buffer, dtype);
    view_set(&out->view, stria_buffer_data(buffer), buffer, dtype, 0, ndim, shape, strides);
    out->owned = buffer;
    return STRIA_OK;
}

stria_status stria_empty(stria_array *out, stria_dtype dtype, int ndim, const int64_t *shape)
{
    return make(out, false, dtype, ndim, shape, STRIA_ORDER_C, "empty");
}

stria_status stria_empty_ordered(stria_array *out, stria_dtype dtype, int ndim,
                                 const int64_t *shape, stria_order order)
{
    return make(out, false, dtype, ndim, shape, order, "empty");
}

stria_status stria_zeros(stria_array *out, stria_dtype dtype, int ndim, const int64_t *shape)
{
    STRIA_TRY(make(out, false, dtype, ndim, shape, STRIA_ORDER_C, "zeros"));
    memset(out->view.data, 0, (size_t)stria_buffer_size(out->owned));
    return STRIA_OK;
}

stria_status stria__empty_like_memory(stria_array *out, const stria_view *near, stria_dtype dtype,
                                      int ndim, const int64_t *shape, stria_order order)
{
    return make(out, stria_buffer_is_meta(near->buffer), dtype, ndim, shape, order, "empty");
}

stria_array stria_array_share(const stria_view *view)
{
    stria_array out;
    view_copy(&out.view, view);
    out.owned = stria_buffer_retain(view->buffer);
    return out;
}

void stria_array_release(stria_array *array)
{
    if (!array) return;
    stria_buffer_release(array->owned);
    array->owned = NULL;
    array->view.data = NULL;
    array->view.buffer = NULL;
    array->view.ndim = 0;
}
