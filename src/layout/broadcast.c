/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasting: sizes of 1 are repeated by a stride of 0, with shapes aligned on the right. */
#include "layout/layout.h"

#include "status.h"

/* Refuses a size that is neither the old size nor -1, unless the old size is 1. */
static stria_status check_size(const struct geometry *a, int ndim, const int64_t *shape, int d,
                               bool keep, const char *op)
{
    const int from = d - (ndim - a->ndim);
    if (shape[d] == -1 && keep && from >= 0) return STRIA_OK;
    if (shape[d] == -1 && keep)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: shape[%d] = -1 in %s is a new dim, there is no size to keep", op, d,
                           stria__dims_text(ndim, shape).text);
    if (shape[d] < 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: shape[%d] = %lld is negative in %s", op, d,
                           (long long)shape[d], stria__dims_text(ndim, shape).text);
    return stria__fail(STRIA_ERR_BROADCAST,
                       "%s: dim %d of size %lld cannot become %lld (dim %d of %s); only a size of "
                       "1 repeats",
                       op, from, (long long)a->shape[from], (long long)shape[d], d,
                       stria__dims_text(ndim, shape).text);
}

static stria_status check_expand(bool *repeats, const struct geometry *a, int ndim,
                                 const int64_t *shape, bool keep, const char *op)
{
    STRIA_TRY(stria__check_ndim(ndim, shape, op));
    if (ndim < a->ndim)
        return stria__fail(
            STRIA_ERR_BROADCAST,
            "%s: shape %s has fewer dims than the view's %s; squeeze or select those "
            "that are to go",
            op, stria__dims_text(ndim, shape).text, stria__dims_text(a->ndim, a->shape).text);
    int64_t numel = 1;
    bool longer = false, empty = false;
    for (int d = 0, from = a->ndim - ndim; d < ndim; d++, from++) {
        const int64_t old = from < 0 ? 1 : a->shape[from];
        int64_t size = shape[d];
        if (size != old) {
            if (old != 1 || size < 0) {
                STRIA_TRY(check_size(a, ndim, shape, d, keep, op));
                size = old;
            }
            longer |= size > old;
        }
        empty |= size == 0;
        if (size > 0 && mul_overflows(numel, size, &numel))
            return stria__refuse_numel(ndim, shape, op);
    }
    *repeats = longer && !empty;
    return STRIA_OK;
}

stria_status stria__layout_expand(struct layout *out, bool *repeats, const struct geometry *a,
                                  int ndim, const int64_t *shape, bool keep, const char *op)
{
    STRIA_TRY(check_expand(repeats, a, ndim, shape, keep, op));
    stria__layout_repeat(out, a, ndim, shape);
    return STRIA_OK;
}

void stria__layout_repeat(struct layout *out, const struct geometry *a, int ndim,
                          const int64_t *shape)
{
    const int more = ndim - a->ndim;
    out->ndim = ndim;
    for (int d = ndim - 1; d >= more; d--) {
        const int64_t old = a->shape[d - more], size = shape[d];
        const bool kept = size == old || size == -1;
        layout_put(out, d, kept ? old : size, kept ? a->strides[d - more] : 0);
    }
    for (int d = more - 1; d >= 0; d--) { /* the stride of unsqueeze, then repeated */
        const int64_t size = shape[d];
        const int64_t stride =
            a->ndim > 0 ? scaled_stride(out->strides[d + 1], out->shape[d + 1]) : 0;
        layout_put(out, d, size, size == 1 ? stride : 0);
    }
}

stria_status stria__broadcast(int *ndim, int64_t *shape, const struct geometry *a, int i,
                              const char *op)
{
    const int wider = a->ndim > *ndim ? a->ndim : *ndim;
    const int shift = wider - *ndim, from = wider - a->ndim;
    for (int d = *ndim - 1; d >= 0 && shift > 0; d--)
        shape[d + shift] = shape[d];
    for (int d = 0; d < shift; d++)
        shape[d] = 1;
    *ndim = wider;
    for (int d = from; d < wider; d++) {
        const int64_t size = a->shape[d - from];
        if (size == shape[d] || size == 1) continue;
        if (shape[d] != 1)
            return stria__fail(STRIA_ERR_BROADCAST,
                               "%s: size %lld of dim %d of view %d meets "
                               "%lld in the views before it, which broadcast to %s",
                               op, (long long)size, d - from, i, (long long)shape[d],
                               stria__dims_text(wider, shape).text);
        shape[d] = size;
    }
    return STRIA_OK;
}

void stria__layout_mesh(struct layout *out, const struct geometry *a, int ndim,
                        const int64_t *shape, int d, bool sparse)
{
    out->ndim = ndim;
    for (int i = 0; i < ndim; i++)
        if (i != d) layout_put(out, i, sparse ? 1 : shape[i], 0);
    layout_put(out, d, shape[d], a->ndim ? a->strides[0] : 0);
}
