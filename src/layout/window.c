/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows: a dim of n becomes a dim of the (n - size) / step + 1 places of a window and one of the
 * elements in it, both along the same addresses. Elements repeat, so their number is checked.
 */
#include "layout/layout.h"

#include "status.h"

stria_status stria__layout_unfold(struct layout *out, const struct geometry *a, int d, int64_t size,
                                  int64_t step, const char *op)
{
    const int64_t n = a->ndim > 0 ? a->shape[d] : 1, s = a->ndim > 0 ? a->strides[d] : a->itemsize;
    if (a->ndim == STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: the view has %d dims already, the most there are",
                           op, a->ndim);
    if (size < 0 || size > n)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: a window of %lld does not fit in dim %d of size "
                           "%lld",
                           op, (long long)size, d, (long long)n);
    if (step <= 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: step %lld must be at least 1", op,
                           (long long)step);
    const int64_t places = (n - size) / step + 1;
    STRIA_TRY(stria__check_replaced(a, d, places, size, op));
    layout_start(out, a);
    if (a->ndim > 0) layout_put(out, d, places, scaled_stride(s, step));
    layout_put(out, out->ndim++, size, s);
    return STRIA_OK;
}
