/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of 1 repeated by a stride of 0, shapes aligned on the right. */
#include "layout/layout.h"

#include "status.h"

static stria_status refuse(struct geometry a, int ndim, const int64_t *shape, int d, const char *op)
{
    const int from = d - (ndim - a.ndim);
    if (from < 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: shape[%d] = -1 in %s is a new dim, there is no "
                           "size to keep", op, d, stria__dims_text(ndim, shape).text);
    return stria__fail(STRIA_ERR_BROADCAST, "%s: dim %d of size %lld cannot become %lld (dim %d of "
                       "%s); only a size of 1 repeats", op, from, (long long)a.shape[from],
                       (long long)shape[d], d, stria__dims_text(ndim, shape).text);
}

stria_status stria__layout_expand(struct layout *out, struct geometry a, int ndim,
                                  const int64_t *shape, bool keep, const char *op)
{
    if (ndim < 0 || ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: ndim %d is outside 0 .. %d", op, ndim,
                           STRIA_MAX_NDIM);
    if (!shape && ndim > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: shape is NULL for ndim %d", op, ndim);
    if (ndim < a.ndim)
        return stria__fail(STRIA_ERR_BROADCAST, "%s: shape %s has fewer dims than the view's %s",
                           op, stria__dims_text(ndim, shape).text,
                           stria__dims_text(a.ndim, a.shape).text);
    const int new_dims = ndim - a.ndim;
    out->ndim = ndim;
    out->offset = 0;
    for (int d = ndim - 1; d >= 0; d--) {
        const int from = d - new_dims;
        int64_t size = 1, stride = 0;
        if (from >= 0) {
            size = a.shape[from];
            stride = a.strides[from];
        } else if (a.ndim > 0) { /* as unsqueeze would */
            stride = scaled_stride(out->strides[d + 1], out->shape[d + 1]);
        }
        if (shape[d] != size && !(shape[d] == -1 && keep && from >= 0)) {
            if (size != 1 || shape[d] == -1) return refuse(a, ndim, shape, d, op);
            size = shape[d];
            stride = 0;
        }
        layout_put(out, d, size, stride);
    }
    return stria__check_shape(ndim, out->shape, op);
}
