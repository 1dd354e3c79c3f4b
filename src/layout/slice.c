/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of one dim: an element, or every step-th from a start. Python's rules for what a caller may
 * write; an empty part keeps the stride and does not move the first element.
 */
#include "layout/layout.h"

#include "status.h"

void stria__layout_select(struct layout *out, struct geometry a, int d, int64_t index)
{
    out->ndim = a.ndim - 1;
    out->offset = 0;
    layout_move(out, index, a.strides[d]);
    layout_keep(out, 0, a, 0, d);
    layout_keep(out, d, a, d + 1, a.ndim);
}

void stria__layout_slice(struct layout *out, struct geometry a, int d, int64_t start,
                         int64_t length, int64_t step)
{
    layout_start(out, a);
    out->shape[d] = length;
    if (length == 0) return;
    layout_move(out, start, a.strides[d]);
    out->strides[d] = scaled_stride(a.strides[d], step);
}

stria_status stria__wrap_index(int64_t *out, int64_t index, int64_t size, int dim, const char *op)
{
    if (index < -size || index >= size)
        return stria__fail(STRIA_ERR_INDEX, "%s: index %lld is outside dim %d of size %lld%s", op,
                           (long long)index, dim, (long long)size,
                           size ? "; negative ones count from the end" : ": it has no elements");
    *out = index < 0 ? index + size : index;
    return STRIA_OK;
}

/* A bound counted from the end where negative, then cut to low .. high. */
static int64_t bound(int64_t at, int64_t size, int64_t low, int64_t high)
{
    if (at < 0) at += size;
    return at < low ? low : at > high ? high : at;
}

stria_status stria__resolve_slice(struct range *out, int64_t start, int64_t stop, int64_t step,
                                  int64_t size, const char *op)
{
    if (step == 0)
        return stria__fail(STRIA_ERR_INDEX, "%s: the step of a slice cannot be 0", op);
    const int64_t k = step == STRIA_NONE ? 1 : step;
    const int64_t low = k > 0 ? 0 : -1, high = k > 0 ? size : size - 1;
    const int64_t from = start != STRIA_NONE ? bound(start, size, low, high) : k > 0 ? low : high;
    const int64_t to = stop != STRIA_NONE ? bound(stop, size, low, high) : k > 0 ? high : low;
    *out = (struct range){.start = from, .length = 0, .step = k};
    if (k > 0 && from < to) out->length = (to - from - 1) / k + 1;
    if (k < 0 && from > to) out->length = (from - to - 1) / -k + 1;
    return STRIA_OK;
}
