/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes whose elements are numbered in another order than C. */
#include "view/view.h"

stria_status stria_view_shape_order(stria_view *out, const stria_view *a, int ndim,
                                    const int64_t *shape, stria_order order)
{
    struct draft draft;
    struct mismatch mismatch;
    int64_t room[STRIA_MAX_NDIM];
    const int64_t *resolved;
    STRIA_TRY(view_begin(&draft, out, a, "view"));
    const stria_order numbering = stria__resolved_order(&draft.from, order);
    if (numbering == STRIA_ORDER_C) return stria_view_shape(out, a, ndim, shape);
    if (numbering != STRIA_ORDER_F)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "view: elements are numbered in order C, F or A, not %d", (int)order);
    STRIA_TRY(stria__resolve_shape(&resolved, room, stria_numel(a), ndim, shape, "view"));
    if (!stria__layout_reshape_fortran(&draft.to, &draft.from, ndim, resolved, &mismatch))
        return stria__refuse_reshape(&draft.from, ndim, resolved, mismatch, STRIA_ORDER_F, "view");
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_ravel(stria_view *out, const stria_view *a, stria_order order)
{
    static const char *const names[] = {"C", "F", "channels_last", "channels_last_3d", "A", "K"};
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "ravel"));
    if ((unsigned)order > STRIA_ORDER_K)
        return stria__fail(STRIA_ERR_ARGUMENT, "ravel: there is no order %d", (int)order);
    const struct geometry *g = &draft.from;
    const stria_order numbering = stria__resolved_order(g, order);
    if (!stria__is_dense(g, numbering))
        return stria__fail(STRIA_ERR_STRIDE,
                           "ravel: shape %s with strides %s does not lie densely in order %s; "
                           "contiguous() first copies %lld bytes",
                           stria__dims_text(g->ndim, g->shape).text,
                           stria__dims_text(g->ndim, g->strides).text, names[numbering],
                           (long long)stria__nbytes(g));
    const int64_t numel = stria_numel(a);
    draft.to.ndim = 1;
    layout_put(&draft.to, 0, numel, a->dtype.itemsize);
    view_finish(&draft, out, a);
    return STRIA_OK;
}
