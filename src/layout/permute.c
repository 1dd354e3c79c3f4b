/* SPDX-License-Identifier: BSD-3-Clause */
/* Permutations of dims: sizes and strides move together, and the first element stays. */
#include "layout/layout.h"

#include "status.h"

stria_status stria__layout_permute(struct layout *out, const struct geometry *a, int ndim,
                                   const int *dims, const char *op)
{
    if (ndim != a->ndim)
        return stria__fail(STRIA_ERR_DIM,
                           "%s: %d dims are listed for a view of %d: every dim must be named once",
                           op, ndim, a->ndim);
    int order[STRIA_MAX_NDIM];
    STRIA_TRY(stria__wrap_dims(order, a->ndim, ndim, dims, op));
    stria__layout_reorder(out, a, order);
    return STRIA_OK;
}

void stria__layout_reorder(struct layout *out, const struct geometry *a, const int *order)
{
    out->ndim = a->ndim;
    for (int d = 0; d < a->ndim; d++)
        layout_put(out, d, a->shape[order[d]], a->strides[order[d]]);
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

stria_status stria__moved_order(int *order, int ndim, int count, const int *source,
                                const int *destination, const char *op)
{
    int from[STRIA_MAX_NDIM], to[STRIA_MAX_NDIM];
    STRIA_TRY(stria__wrap_dims(from, ndim, count, source, op));
    STRIA_TRY(stria__wrap_dims(to, ndim, count, destination, op));
    uint64_t taken = 0, placed = 0;
    for (int i = 0; i < count; i++) {
        order[to[i]] = from[i];
        taken |= UINT64_C(1) << from[i];
        placed |= UINT64_C(1) << to[i];
    }
    uint64_t rest = ~taken; /* exactly as many below ndim as places are left */
    for (int place = 0; place < ndim; place++) {
        if (placed >> place & 1) continue;
        order[place] = __builtin_ctzll(rest);
        rest &= rest - 1;
    }
    return STRIA_OK;
}
