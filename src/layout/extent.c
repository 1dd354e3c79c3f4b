/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The number of elements of a shape, and the bytes that its strides reach. Negative and positive
 * strides are summed separately, so that 64 checked bits decide exactly what 128 would: a sum that
 * does not fit lies outside every buffer.
 */
#include "layout/layout.h"

#include "base/status.h"

stria_status stria__refuse_ndim(int ndim, const char *op)
{
    if (ndim < 0 || ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: ndim %d is outside 0 .. %d", op, ndim,
                           STRIA_MAX_NDIM);
    return stria__fail(STRIA_ERR_ARGUMENT, "%s: shape is NULL for ndim %d", op, ndim);
}

stria_status stria__refuse_numel(int ndim, const int64_t *shape, const char *op)
{
    return stria__fail(STRIA_ERR_OVERFLOW,
                       "%s: the sizes of shape %s multiply up to more than "
                       "2^63 - 1 (sizes of 0 left out)",
                       op, stria__dims_text(ndim, shape).text);
}

stria_status stria__check_shape(int ndim, const int64_t *shape, const char *op)
{
    STRIA_TRY(stria__check_ndim(ndim, shape, op));
    int64_t numel = 1;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "%s: shape[%d] = %lld is negative in %s", op, d,
                               (long long)shape[d], stria__dims_text(ndim, shape).text);
        if (shape[d] > 0 && mul_overflows(numel, shape[d], &numel))
            return stria__refuse_numel(ndim, shape, op);
    }
    return STRIA_OK;
}

/* Checks the number of elements with n x m in the place of dim d, without sizes of 0. */
static bool replaced_numel_overflows(const struct geometry *a, int d, int64_t n, int64_t m)
{
    int64_t numel = n > 0 ? n : 1;
    if (m > 0 && mul_overflows(numel, m, &numel)) return true;
    for (int i = 0; i < a->ndim; i++)
        if (i != d && a->shape[i] > 0 && mul_overflows(numel, a->shape[i], &numel)) return true;
    return false;
}

stria_status stria__check_replaced(const struct geometry *a, int d, int64_t n, int64_t m,
                                   const char *op)
{
    if (!replaced_numel_overflows(a, d, n, m)) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERFLOW,
                       "%s: shape %s with %lld x %lld %s dim %d has more than 2^63 - 1 elements "
                       "(sizes of 0 left out)",
                       op, stria__dims_text(a->ndim, a->shape).text, (long long)n, (long long)m,
                       d < a->ndim ? "in the place of" : "as", d);
}

int64_t stria__nbytes(const struct geometry *a)
{
    return saturated(stria__numel(a->ndim, a->shape), a->itemsize);
}

/* Accepts an overflow if some size, which may come later, is 0. */
static bool extent_of_nothing(struct extent *out, const struct geometry *a)
{
    *out = (struct extent){0, 0};
    return is_empty(a->ndim, a->shape);
}

bool stria__extent(struct extent *out, const struct geometry *a)
{
    int64_t low = 0, high = a->itemsize;
    for (int d = 0; d < a->ndim; d++) {
        int64_t reach;
        if (a->shape[d] <= 1) {
            if (a->shape[d] == 0) return extent_of_nothing(out, a);
            continue;
        }
        if (mul_overflows(a->shape[d] - 1, a->strides[d], &reach)) return extent_of_nothing(out, a);
        if (reach < 0 ? add_overflows(low, reach, &low) : add_overflows(high, reach, &high))
            return extent_of_nothing(out, a);
    }
    *out = (struct extent){low, high};
    return true;
}

bool stria__same_geometry(const struct geometry *a, const struct geometry *b)
{
    if (a->ndim != b->ndim || a->itemsize != b->itemsize) return false;
    bool sizes = true, strides = true;
    for (int d = 0; d < a->ndim; d++) {
        sizes &= a->shape[d] == b->shape[d];
        strides &= a->strides[d] == b->strides[d] || a->shape[d] == 1;
    }
    return sizes && (strides || is_empty(a->ndim, a->shape));
}
