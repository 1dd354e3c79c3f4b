/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementation of make.h. */
#include "ops/make.h"

#include "array.h"
#include "status.h"
#include "stria/copy.h"
#include "stria/fill.h"
#include "stria/promote.h"
#include "stria/reinterpret.h"
#include "view/view.h"

stria_status stria__make_for(stria_array *out, int n, const stria_view *const *views, int ndim,
                             const int64_t *shape)
{
    stria_dtype dtype = views[0]->dtype;
    for (int i = 0; i < n; i++)
        STRIA_TRY(stria_promote(&dtype, dtype, views[i]->dtype, STRIA_PROMOTE_TORCH));
    return stria__empty_like_memory(out, view_nearest(n, views), dtype, ndim, shape, STRIA_ORDER_C);
}

stria_status stria__make_of(stria_array *out, const stria_view *a, int ndim, const int64_t *shape)
{
    return stria__empty_like_memory(out, a, a->dtype, ndim, shape, STRIA_ORDER_C);
}

stria_status stria__make_alike(stria_array *out, int n, const stria_view *const *views,
                               stria_dtype dtype, int ndim, const int64_t *shape)
{
    stria_order order = STRIA_ORDER_C;
    for (int i = 0; i < n; i++) {
        const struct geometry g = view_geometry(views[i]);
        const stria_order suggested = stria__suggested_order(&g);
        if (views[i]->ndim != ndim || (i > 0 && suggested != order)) {
            order = STRIA_ORDER_C;
            break;
        }
        order = suggested;
    }
    return stria__empty_like_memory(out, view_nearest(n, views), dtype, ndim, shape, order);
}

stria_status stria__deliver(stria_array *out, stria_array *made, stria_status status)
{
    if (status != STRIA_OK) {
        stria_array_release(made);
        return status;
    }
    view_copy(&out->view, &made->view); /* not the kilobyte of entries of dims that do not exist */
    array_own(out, made->owned);
    return STRIA_OK;
}

stria_status stria__apply_bits(const stria_view *made, uint32_t flags)
{
    const uint32_t bits = flags & (STRIA_CONJ | STRIA_NEG);
    if (!bits) return STRIA_OK;
    stria_view meant;
    view_copy(&meant, made);
    meant.flags = bits;
    return stria_copy(made, &meant);
}

stria_status stria__fill_zero(const stria_view *dst)
{
    static const char zeros[256];
    stria_view bytes;
    if (dst->dtype.itemsize <= (int)sizeof zeros) return stria_fill(dst, zeros);
    /* A long item is filled as a dim of bytes. */
    stria_dtype byte = stria_dtype_of(STRIA_U8);
    STRIA_TRY(stria_unsqueeze(&bytes, dst, dst->ndim));
    STRIA_TRY(stria_view_dtype(&bytes, &bytes, byte));
    return stria_fill(&bytes, zeros);
}
