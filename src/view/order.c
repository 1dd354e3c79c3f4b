/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims in another order. */
#include "view/view.h"

stria_status stria_permute(stria_view *out, const stria_view *a, int ndim, const int *dims)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "permute"));
    STRIA_TRY(stria__layout_permute(&draft.to, &draft.from, ndim, dims, "permute"));
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_transpose(stria_view *out, const stria_view *a, int dim0, int dim1)
{
    struct draft draft;
    int i = 0, j = 0;
    STRIA_TRY(view_begin(&draft, out, a, "transpose"));
    STRIA_TRY(stria__wrap_dim(&i, dim0, at_least_1(a->ndim), "transpose"));
    STRIA_TRY(stria__wrap_dim(&j, dim1, at_least_1(a->ndim), "transpose"));
    stria__layout_swap(&draft.to, &draft.from, i, j);
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_T(stria_view *out, const stria_view *a)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "T"));
    stria__layout_reverse(&draft.to, &draft.from);
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_mT(stria_view *out, const stria_view *a)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "mT"));
    if (a->ndim == 1)
        return stria__fail(STRIA_ERR_SHAPE,
                           "mT: a view of 1 dim, of size %lld, is no matrix; "
                           "unsqueeze it into a row or a column first",
                           (long long)a->shape[0]);
    stria__layout_swap(&draft.to, &draft.from, a->ndim - 2, a->ndim - 1);
    view_finish(&draft, out, a);
    return STRIA_OK;
}
