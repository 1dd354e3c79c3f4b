/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Owners that change what they own. Views hold addresses, so a buffer never moves: an array that
 * has to grow gets another buffer, and other owners of the old one keep it.
 */
#include "array.h"

#include "view/buffer.h"
#include "dtype/dtype.h"
#include "view/view.h"

static stria_status check_owner(const stria_array *array, const char *op)
{
    STRIA_TRY(stria__check_view(array ? &array->view : NULL, op, "the array"));
    if (!array->owned)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "%s: the array owns no memory, it is a view of somebody else's; clone it first", op);
    return STRIA_OK;
}

/* Checks that the array may move to another buffer of `size` bytes. */
static stria_status check_replaceable(const stria_array *array, int64_t size, const char *op)
{
    const long long have = (long long)stria_buffer_size(array->owned), want = (long long)size;
    if (!stria__buffer_is_ours(array->owned))
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "%s: from %lld to %lld bytes, but the memory was wrapped and is not the "
                           "library's to reallocate; clone the array first",
                           op, have, want);
    if (!stria_is_writable(&array->view))
        return stria__fail(
            STRIA_ERR_READONLY,
            "%s: from %lld to %lld bytes, but the array is read-only; clone it first", op, have,
            want);
    return STRIA_OK;
}

/* Moves the array to a buffer of `size` bytes, to which it copies the first `kept` bytes. */
static stria_status replace_buffer(stria_array *array, int64_t size, int64_t kept)
{
    const int64_t offset = stria_offset(&array->view);
    stria_buffer *made;
    STRIA_TRY(stria__buffer_successor(&made, array->owned, size));
    if (!stria_buffer_is_meta(made))
        memcpy(stria_buffer_data(made), stria_buffer_data(array->owned), (size_t)kept);
    stria_buffer_release(array->owned);
    array->owned = array->view.buffer = made;
    array->view.data = stria_buffer_data(made) + offset;
    return STRIA_OK;
}

static void set_geometry(stria_view *a, int ndim, const int64_t *shape, const int64_t *strides)
{
    view_set(a, a->data, a->buffer, a->dtype, a->flags, ndim, shape, strides);
}

stria_status stria_resize(stria_array *array, int ndim, const int64_t *shape,
                          stria_outcome *outcome)
{
    int64_t strides[STRIA_MAX_NDIM], nbytes = 0, end;
    STRIA_TRY(check_owner(array, "resize"));
    STRIA_TRY(stria__check_shape(ndim, shape, "resize"));
    stria_view *const a = &array->view;
    STRIA_TRY(stria__dense_strides(strides, &nbytes, ndim, shape, a->dtype.itemsize, STRIA_ORDER_C,
                                   "resize"));
    const bool same = view_has_shape(a, ndim, shape);
    const int64_t offset = stria_offset(a), size = stria_buffer_size(array->owned);
    if (add_overflows(offset, nbytes, &end))
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "resize: %lld bytes from offset %lld on end beyond 2^63 - 1",
                           (long long)nbytes, (long long)offset);
    const bool grows = nbytes > 0 && end > size;
    if (!same && grows) {
        STRIA_TRY(check_replaceable(array, end, "resize"));
        STRIA_TRY(replace_buffer(array, end, size));
    }
    if (!same) set_geometry(a, ndim, shape, strides);
    if (outcome) *outcome = same ? STRIA_IS_SAME : grows ? STRIA_IS_COPY : STRIA_IS_VIEW;
    return STRIA_OK;
}

/* Checks that the array is the only owner of its buffer, and covers all of it. */
static stria_status check_sole(const stria_array *array)
{
    const int64_t references = stria_buffer_references(array->owned);
    if (references > 1)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "resize_zeroed: %lld others refer to the memory and would be left "
                           "behind; release them, or clone the array first",
                           (long long)references - 1);
    if (stria_offset(&array->view) != 0)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "resize_zeroed: the array starts %lld bytes into its memory, it is a "
                           "view of a part; clone it first",
                           (long long)stria_offset(&array->view));
    const int64_t covered = stria_nbytes(&array->view), size = stria_buffer_size(array->owned);
    if (covered != size)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "resize_zeroed: the array covers %lld of the %lld bytes of its memory, "
                           "it is a view of a part; clone it first",
                           (long long)covered, (long long)size);
    return STRIA_OK;
}

stria_status stria_resize_zeroed(stria_array *array, int ndim, const int64_t *shape)
{
    int64_t strides[STRIA_MAX_NDIM], nbytes = 0;
    STRIA_TRY(check_owner(array, "resize_zeroed"));
    STRIA_TRY(stria__check_shape(ndim, shape, "resize_zeroed"));
    stria_view *const a = &array->view;
    const bool in_c = stria_is_contiguous(a, STRIA_ORDER_C);
    if (!in_c && !stria_is_contiguous(a, STRIA_ORDER_F))
        return stria__fail(STRIA_ERR_STRIDE,
                           "resize_zeroed: shape %s with strides %s is not dense in C or F order; "
                           "make it contiguous first",
                           stria__dims_text(a->ndim, a->shape).text,
                           stria__dims_text(a->ndim, a->strides).text);
    STRIA_TRY(stria__dense_strides(strides, &nbytes, ndim, shape, a->dtype.itemsize,
                                   in_c ? STRIA_ORDER_C : STRIA_ORDER_F, "resize_zeroed"));
    const int64_t had = stria_nbytes(a), kept = had < nbytes ? had : nbytes;
    if (nbytes != had) {
        STRIA_TRY(check_sole(array));
        STRIA_TRY(check_replaceable(array, nbytes, "resize_zeroed"));
        STRIA_TRY(replace_buffer(array, nbytes, kept));
        if (!stria_buffer_is_meta(a->buffer)) memset(a->data + kept, 0, (size_t)(nbytes - kept));
    }
    set_geometry(a, ndim, shape, strides);
    return STRIA_OK;
}

stria_status stria_set(stria_array *array, const stria_view *to)
{
    STRIA_TRY(stria__check_view(array ? &array->view : NULL, "set", "the array"));
    STRIA_TRY(stria__check_view(to, "set", "the view"));
    if (!stria_dtype_equal(array->view.dtype, to->dtype))
        return stria__fail(
            STRIA_ERR_DTYPE,
            "set: an array of %s cannot be set to a view of %s; view its bytes as %s first",
            stria__dtype_text(array->view.dtype).text, stria__dtype_text(to->dtype).text,
            stria__dtype_text(array->view.dtype).text);
    array_share(array, to);
    return STRIA_OK;
}
