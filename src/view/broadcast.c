/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements repeated without being copied. */
#include "view/view.h"

stria_status stria_expand(stria_view *out, const stria_view *a, int ndim, const int64_t *shape)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "expand"));
    STRIA_TRY(stria__layout_expand(&draft.to, &draft.from, ndim, shape, true, "expand"));
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_broadcast_to(stria_view *out, const stria_view *a, int ndim,
                                const int64_t *shape)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "broadcast_to"));
    STRIA_TRY(stria__check_shape(ndim, shape, "broadcast_to"));
    STRIA_TRY(stria__layout_expand(&draft.to, &draft.from, ndim, shape, false, "broadcast_to"));
    const bool repeats = stria__numel(ndim, draft.to.shape) > stria_numel(a);
    view_finish(&draft, out, a);
    if (repeats) out->flags |= STRIA_READONLY;
    return STRIA_OK;
}
