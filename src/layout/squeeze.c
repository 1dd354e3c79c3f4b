/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims of size 1 taken out and put in; nothing else changes. */
#include "layout/layout.h"

#include "status.h"

void stria__layout_squeeze(struct layout *out, const struct geometry *a, uint64_t dims)
{
    int at = 0;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != 1 || !(dims >> d & 1)) layout_put(out, at++, a->shape[d], a->strides[d]);
    out->ndim = at;
}

int64_t stria__unit_stride(const struct geometry *a, int d)
{
    return d < a->ndim ? scaled_stride(a->strides[d], a->shape[d]) : a->itemsize;
}

stria_status stria__layout_unsqueeze(struct layout *out, const struct geometry *a, int d,
                                     const char *op)
{
    if (a->ndim == STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: the view has %d dims already, the most there are",
                           op, a->ndim);
    out->ndim = a->ndim + 1;
    layout_keep(out, 0, a, 0, d);
    layout_put(out, d, 1, stria__unit_stride(a, d));
    layout_keep(out, d + 1, a, d, a->ndim);
    return STRIA_OK;
}
