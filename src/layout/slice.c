/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of one dim: an element, or every step-th element from a start. An empty part keeps the
 * stride and does not move the first element.
 */
#include "layout/layout.h"

#include "status.h"

void stria__layout_select(struct layout *out, const struct geometry *a, int d, int64_t index)
{
    out->ndim = a->ndim - 1;
    layout_move(out, index, a->strides[d]);
    layout_keep(out, 0, a, 0, d);
    layout_keep(out, d, a, d + 1, a->ndim);
}

void stria__layout_slice(struct layout *out, const struct geometry *a, int d, struct range range)
{
    const int64_t stride = a->strides[d];
    layout_start(out, a);
    out->shape[d] = range.length;
    if (range.length == 0) return;
    layout_move(out, range.start, stride);
    out->strides[d] = scaled_stride(stride, range.step);
}

stria_status stria__check_index(int64_t index, int64_t size, int dim, const char *op)
{
    if (index >= -size && index < size) return STRIA_OK;
    return stria__fail(STRIA_ERR_INDEX, "%s: index %lld is outside dim %d of size %lld%s", op,
                       (long long)index, dim, (long long)size,
                       size ? "; negative ones count from the end" : ": it has no elements");
}

stria_status stria__check_step(int64_t step, const char *op)
{
    if (step != 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_INDEX, "%s: the step of a slice cannot be 0", op);
}
