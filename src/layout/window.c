/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows: a dim of n becomes a dim of the (n - size) / step + 1 positions of a window, and one of
 * the elements in it, both over the same addresses. Elements repeat, so their number is checked.
 */
#include "layout/layout.h"

#include "status.h"

static stria_status refuse_places(int d, const char *op)
{
    return stria__fail(STRIA_ERR_OVERFLOW, "%s: dim %d has 2^63 places for windows of 0", op, d);
}

stria_status stria__layout_unfold(struct layout *out, const struct geometry *a, int d, int64_t size,
                                  int64_t step, const char *op)
{
    const int64_t n = a->ndim > 0 ? a->shape[d] : 1, s = a->ndim > 0 ? a->strides[d] : a->itemsize;
    STRIA_TRY(stria__check_more_dims(a, 1, op));
    if (size < 0 || size > n)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: a window of %lld does not fit in dim %d of size "
                           "%lld",
                           op, (long long)size, d, (long long)n);
    if (step <= 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: step %lld must be at least 1", op,
                           (long long)step);
    int64_t places;
    if (add_overflows((n - size) / step, 1, &places)) return refuse_places(d, op);
    STRIA_TRY(stria__check_replaced(a, d, places, size, op));
    layout_start(out, a);
    if (a->ndim > 0) layout_put(out, d, places, scaled_stride(s, step));
    layout_put(out, out->ndim++, size, s);
    return STRIA_OK;
}

/* Computes the sizes that are left of a's dims: SHAPE when a window does not fit. */
static stria_status slide(int64_t *places, const struct geometry *a, int count,
                          const int64_t *window, const int *dims, const char *op)
{
    for (int d = 0; d < a->ndim; d++)
        places[d] = a->shape[d];
    for (int i = 0; i < count; i++) {
        const int d = dims[i];
        if (window[i] < 0 || window[i] > places[d])
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: window[%d] = %lld does not fit in dim %d, "
                               "where %lld places are left",
                               op, i, (long long)window[i], d, (long long)places[d]);
        if (add_overflows(places[d] - window[i], 1, &places[d])) return refuse_places(d, op);
    }
    return STRIA_OK;
}

stria_status stria__layout_slide(struct layout *out, const struct geometry *a, int count,
                                 const int64_t *window, const int *dims, const char *op)
{
    int64_t shape[STRIA_MAX_NDIM];
    STRIA_TRY(stria__check_more_dims(a, count, op));
    STRIA_TRY(slide(shape, a, count, window, dims, op));
    for (int i = 0; i < count; i++)
        shape[a->ndim + i] = window[i];
    STRIA_TRY(stria__check_shape(a->ndim + count, shape, op));
    out->ndim = a->ndim + count;
    for (int d = 0; d < out->ndim; d++)
        layout_put(out, d, shape[d], a->strides[d < a->ndim ? d : dims[d - a->ndim]]);
    return STRIA_OK;
}
