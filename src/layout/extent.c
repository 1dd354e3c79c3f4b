/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many elements a shape has and which bytes its strides reach. Negative and positive strides
 * are summed apart, so that 64 checked bits decide exactly what 128 would: a sum that does not fit
 * lies outside every buffer.
 */
#include "layout/layout.h"

#include "status.h"

stria_status stria__check_shape(int ndim, const int64_t *shape, const char *op)
{
    if (ndim < 0 || ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: ndim %d is outside 0 .. %d", op, ndim,
                           STRIA_MAX_NDIM);
    if (!shape && ndim > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: shape is NULL for ndim %d", op, ndim);
    int64_t numel = 1;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "%s: shape[%d] = %lld is negative in %s", op, d,
                               (long long)shape[d], stria__dims_text(ndim, shape).text);
        if (shape[d] > 0 && mul_overflows(numel, shape[d], &numel))
            return stria__fail(STRIA_ERR_OVERFLOW, "%s: the sizes of shape %s multiply up to more "
                               "than 2^63 - 1 (sizes of 0 left out)", op,
                               stria__dims_text(ndim, shape).text);
    }
    return STRIA_OK;
}

int64_t stria__numel(int ndim, const int64_t *shape)
{
    if (is_empty(ndim, shape)) return 0;
    int64_t numel = 1;
    for (int d = 0; d < ndim; d++) numel *= shape[d];
    return numel;
}

int64_t stria__nbytes(struct geometry a)
{
    int64_t nbytes;
    const int64_t numel = stria__numel(a.ndim, a.shape);
    return mul_overflows(numel, a.itemsize, &nbytes) ? INT64_MAX : nbytes;
}

bool stria__extent(struct extent *out, struct geometry a)
{
    *out = (struct extent){0, 0};
    if (is_empty(a.ndim, a.shape)) return true;
    int64_t low = 0, high = a.itemsize;
    for (int d = 0; d < a.ndim; d++) {
        if (a.shape[d] == 1) continue;
        int64_t reach;
        if (mul_overflows(a.shape[d] - 1, a.strides[d], &reach)) return false;
        int64_t *end = reach < 0 ? &low : &high;
        if (add_overflows(*end, reach, end)) return false;
    }
    *out = (struct extent){low, high};
    return true;
}

bool stria__same_geometry(struct geometry a, struct geometry b)
{
    if (a.ndim != b.ndim || a.itemsize != b.itemsize) return false;
    bool sizes = true, strides = true;
    for (int d = 0; d < a.ndim; d++) {
        sizes &= a.shape[d] == b.shape[d];
        strides &= a.strides[d] == b.strides[d] || a.shape[d] == 1;
    }
    return sizes && (strides || is_empty(a.ndim, a.shape));
}
