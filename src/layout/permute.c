/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims in another order: sizes and strides move together, the first element stays. */
#include "layout/layout.h"

#include "status.h"

stria_status stria__layout_permute(struct layout *out, const struct geometry *a, int ndim,
                                   const int *dims, const char *op)
{
    if (ndim != a->ndim)
        return stria__fail(STRIA_ERR_DIM,
                           "%s: %d dims are listed for a view of %d: every dim must "
                           "be named once",
                           op, ndim, a->ndim);
    int order[STRIA_MAX_NDIM];
    STRIA_TRY(stria__wrap_dims(order, a->ndim, ndim, dims, op));
    out->ndim = ndim;
    for (int d = 0; d < ndim; d++)
        layout_put(out, d, a->shape[order[d]], a->strides[order[d]]);
    return STRIA_OK;
}

void stria__layout_swap(struct layout *out, const struct geometry *a, int i, int j)
{
    layout_start(out, a);
    if (a->ndim == 0) return;
    layout_put(out, i, a->shape[j], a->strides[j]);
    layout_put(out, j, a->shape[i], a->strides[i]);
}

void stria__layout_reverse(struct layout *out, const struct geometry *a)
{
    out->ndim = a->ndim;
    for (int d = 0; d < a->ndim; d++) {
        const int from = a->ndim - 1 - d;
        layout_put(out, d, a->shape[from], a->strides[from]);
    }
}
