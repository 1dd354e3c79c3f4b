/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims of size 1 removed and inserted; nothing else changes. */
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

stria_status stria__check_more_dims(const struct geometry *a, int count, const char *op)
{
    if (count <= STRIA_MAX_NDIM - a->ndim) return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE, "%s: %d dims and %d new ones are more than %d", op, a->ndim,
                       count, STRIA_MAX_NDIM);
}

void stria__layout_unsqueeze(struct layout *out, const struct geometry *a, int count, uint64_t dims)
{
    int from = 0;
    out->ndim = a->ndim + count;
    for (int d = 0; d < out->ndim; d++) {
        if (dims >> d & 1) {
            layout_put(out, d, 1, stria__unit_stride(a, from));
        } else {
            layout_put(out, d, a->shape[from], a->strides[from]);
            from++;
        }
    }
}
