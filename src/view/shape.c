/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of the same elements under another shape. */
#include "view/view.h"

stria_status stria__try_view_shape(stria_view *out, bool *viewable, const int64_t **resolved,
                                   int64_t *room, const stria_view *a, int ndim,
                                   const int64_t *shape)
{
    struct draft draft;
    struct mismatch mismatch;
    STRIA_TRY(view_begin(&draft, out, a, "reshape"));
    const struct elements all = stria__elements(&draft.from);
    STRIA_TRY(stria__resolve_shape(resolved, room, all.numel, ndim, shape, "reshape"));
    *viewable = stria__layout_reshape(&draft.to, &draft.from, all, ndim, *resolved, &mismatch);
    if (*viewable) view_finish(&draft, out, a);
    return STRIA_OK;
}

static stria_status reshape(struct draft *draft, stria_view *out, const stria_view *a,
                            struct elements all, int ndim, const int64_t *shape, const char *op)
{
    struct mismatch mismatch;
    if (!stria__layout_reshape(&draft->to, &draft->from, all, ndim, shape, &mismatch))
        return stria__refuse_reshape(&draft->from, ndim, shape, mismatch, STRIA_ORDER_C, op);
    return view_finish(draft, out, a);
}

stria_status stria_view_shape(stria_view *out, const stria_view *a, int ndim, const int64_t *shape)
{
    struct draft draft;
    int64_t room[STRIA_MAX_NDIM];
    const int64_t *resolved;
    STRIA_TRY(view_begin(&draft, out, a, "view"));
    const struct elements all = stria__elements(&draft.from);
    STRIA_TRY(stria__resolve_shape(&resolved, room, all.numel, ndim, shape, "view"));
    return reshape(&draft, out, a, all, ndim, resolved, "view");
}

stria_status stria_view_as(stria_view *out, const stria_view *a, const stria_view *b)
{
    STRIA_TRY(stria__check_view(b, "view_as", "b"));
    return stria_view_shape(out, a, b->ndim, b->shape);
}

/* Replaces dims first .. last of the shape by count others. */
static int splice(int64_t *out, const stria_view *a, int first, int last, int count,
                  const int64_t *sizes)
{
    int n = 0;
    for (int d = 0; d < first; d++)
        out[n++] = a->shape[d];
    for (int i = 0; i < count; i++)
        out[n++] = sizes[i];
    for (int d = last + 1; d < a->ndim; d++)
        out[n++] = a->shape[d];
    return n;
}

stria_status stria_flatten(stria_view *out, const stria_view *a, int start_dim, int end_dim)
{
    struct draft draft;
    int64_t shape[STRIA_MAX_NDIM];
    int first = 0, last = 0;
    STRIA_TRY(view_begin(&draft, out, a, "flatten"));
    STRIA_TRY(stria__wrap_dim(&first, start_dim, at_least_1(a->ndim), "flatten"));
    STRIA_TRY(stria__wrap_dim(&last, end_dim, at_least_1(a->ndim), "flatten"));
    if (first > last)
        return stria__fail(STRIA_ERR_DIM, "flatten: start_dim %d comes after end_dim %d", first,
                           last);
    if (a->ndim > 0 && first == last) {
        layout_start(&draft.to, &draft.from);
        view_finish(&draft, out, a);
        return STRIA_OK;
    }
    const int64_t merged = a->ndim ? stria__numel(last - first + 1, a->shape + first) : 1;
    const int ndim = splice(shape, a, first, last, 1, &merged);
    return reshape(&draft, out, a, stria__elements(&draft.from), ndim, shape, "flatten");
}

stria_status stria_unflatten(stria_view *out, const stria_view *a, int dim, int count,
                             const int64_t *sizes)
{
    struct draft draft;
    int64_t shape[STRIA_MAX_NDIM], room[STRIA_MAX_NDIM];
    const int64_t *resolved;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "unflatten"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "unflatten"));
    if (count < 1 || count > STRIA_MAX_NDIM + 1 - a->ndim)
        return stria__fail(STRIA_ERR_SHAPE,
                           "unflatten: dim %d of %d cannot become %d dims: 1 .. %d", d,
                           (int)a->ndim, count, STRIA_MAX_NDIM + 1 - a->ndim);
    STRIA_TRY(stria__resolve_shape(&resolved, room, a->shape[d], count, sizes, "unflatten"));
    const int ndim = splice(shape, a, d, d, count, resolved);
    if (a->shape[d] == 0) /* The other sizes may then be of any length. */
        STRIA_TRY(stria__check_shape(ndim, shape, "unflatten"));
    return reshape(&draft, out, a, stria__elements(&draft.from), ndim, shape, "unflatten");
}

/* Shapes whose elements are numbered in another order than C. */

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
    return view_finish(&draft, out, a);
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
    return view_finish(&draft, out, a);
}
