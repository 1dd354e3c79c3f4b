/* SPDX-License-Identifier: BSD-3-Clause */
/* The same elements under another shape. */
#include "view/view.h"

stria_status stria__try_view_shape(stria_view *out, bool *viewable, int64_t *resolved,
                                   const stria_view *a, int ndim, const int64_t *shape,
                                   const char *op)
{
    struct layout l;
    struct seam seam;
    STRIA_TRY(view_check(out, a, op));
    STRIA_TRY(stria__resolve_shape(resolved, stria_numel(a), ndim, shape, op));
    *viewable = stria__layout_reshape(&l, view_geometry(a), ndim, resolved, &seam);
    if (*viewable) view_derive(out, a, &l);
    return STRIA_OK;
}

stria_status stria_view_shape(stria_view *out, const stria_view *a, int ndim, const int64_t *shape)
{
    struct layout l;
    struct seam seam;
    int64_t resolved[STRIA_MAX_NDIM];
    STRIA_TRY(view_check(out, a, "view"));
    STRIA_TRY(stria__resolve_shape(resolved, stria_numel(a), ndim, shape, "view"));
    if (!stria__layout_reshape(&l, view_geometry(a), ndim, resolved, &seam))
        return stria__refuse_reshape(view_geometry(a), ndim, resolved, seam, "view");
    view_derive(out, a, &l);
    return STRIA_OK;
}
