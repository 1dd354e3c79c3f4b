/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements repeated without being copied. */
#include "view/view.h"

stria_status stria_expand(stria_view *out, const stria_view *a, int ndim, const int64_t *shape)
{
    struct layout l;
    STRIA_TRY(view_check(out, a, "expand"));
    STRIA_TRY(stria__layout_expand(&l, view_geometry(a), ndim, shape, true, "expand"));
    view_derive(out, a, &l);
    return STRIA_OK;
}

stria_status stria_broadcast_to(stria_view *out, const stria_view *a, int ndim,
                                const int64_t *shape)
{
    struct layout l;
    STRIA_TRY(view_check(out, a, "broadcast_to"));
    STRIA_TRY(stria__check_shape(ndim, shape, "broadcast_to"));
    STRIA_TRY(stria__layout_expand(&l, view_geometry(a), ndim, shape, false, "broadcast_to"));
    const bool repeats = stria__numel(ndim, l.shape) > stria_numel(a);
    view_derive(out, a, &l);
    if (repeats) out->flags |= STRIA_READONLY;
    return STRIA_OK;
}
