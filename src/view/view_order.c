/* SPDX-License-Identifier: BSD-3-Clause */
/* Permutations of dims. */
#include "stria/axes.h"
#include "stria/complex.h"
#include "view/view.h"

/* Permutes sizes and strides together; the first element stays. */
static void reorder(struct layout *out, const struct geometry *a, const int *order)
{
    out->ndim = a->ndim;
    for (int d = 0; d < a->ndim; d++)
        layout_put(out, d, a->shape[order[d]], a->strides[order[d]]);
}

stria_status stria_permute(stria_view *out, const stria_view *a, int ndim, const int *dims)
{
    struct draft draft;
    int order[STRIA_MAX_NDIM];
    STRIA_TRY(view_begin(&draft, out, a, "permute"));
    if (ndim != a->ndim)
        return stria__fail(
            STRIA_ERR_DIM,
            "permute: %d dims are listed for a view of %d: every dim must be named once", ndim,
            (int)a->ndim);
    STRIA_TRY(stria__wrap_dims(order, ndim, ndim, dims, "permute"));
    reorder(&draft.to, &draft.from, order);
    return view_finish(&draft, out, a);
}

stria_status stria_transpose(stria_view *out, const stria_view *a, int dim0, int dim1)
{
    struct draft draft;
    int i = 0, j = 0;
    STRIA_TRY(view_begin(&draft, out, a, "transpose"));
    STRIA_TRY(stria__wrap_dim(&i, dim0, at_least_1(a->ndim), "transpose"));
    STRIA_TRY(stria__wrap_dim(&j, dim1, at_least_1(a->ndim), "transpose"));
    stria__layout_swap(&draft.to, &draft.from, i, j);
    return view_finish(&draft, out, a);
}

stria_status stria_reverse_dims(stria_view *out, const stria_view *a)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "T"));
    draft.to.ndim = draft.from.ndim;
    for (int d = 0, from = a->ndim; from-- > 0; d++)
        layout_put(&draft.to, d, draft.from.shape[from], draft.from.strides[from]);
    return view_finish(&draft, out, a);
}

stria_status stria_transpose_2d(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "t"));
    if (a->ndim > 2)
        return stria__fail(
            STRIA_ERR_SHAPE,
            "t: the view has %d dims, a matrix has at most 2; transpose two of them, or all with T",
            (int)a->ndim);
    return stria_reverse_dims(out, a);
}

/* Swaps the last two dims of matrices; a view of 0 dims stays. */
static stria_status swap_last(stria_view *out, const stria_view *a, const char *op)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, op));
    if (a->ndim == 1)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: a view of 1 dim, of size %lld, is no matrix; unsqueeze it into a "
                           "row or a column first",
                           op, (long long)a->shape[0]);
    stria__layout_swap(&draft.to, &draft.from, a->ndim - 2, a->ndim - 1);
    return view_finish(&draft, out, a);
}

stria_status stria_matrix_transpose(stria_view *out, const stria_view *a)
{
    return swap_last(out, a, "mT");
}

stria_status stria_matrix_adjoint(stria_view *out, const stria_view *a)
{
    STRIA_TRY(swap_last(out, a, "mH"));
    return stria_conj(out, out);
}

stria_status stria_adjoint(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "H"));
    if (a->ndim != 0 && a->ndim != 2)
        return stria__fail(STRIA_ERR_SHAPE,
                           "H: the view has %d dims, not 0 or 2; mH transposes batches of matrices",
                           (int)a->ndim);
    return stria_matrix_adjoint(out, a);
}

/*
 * Computes the permutation that moves dims source[i] to destination[i] and keeps the order of the
 * others: DIM.
 */
static stria_status moved_order(int *order, int ndim, int count, const int *source,
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
    uint64_t rest = ~taken; /* The set has exactly as many dims below ndim as places are left. */
    for (int place = 0; place < ndim; place++) {
        if (placed >> place & 1) continue;
        order[place] = __builtin_ctzll(rest);
        rest &= rest - 1;
    }
    return STRIA_OK;
}

stria_status stria_movedim(stria_view *out, const stria_view *a, int count, const int *source,
                           const int *destination)
{
    struct draft draft;
    int order[STRIA_MAX_NDIM];
    STRIA_TRY(view_begin(&draft, out, a, "movedim"));
    STRIA_TRY(moved_order(order, at_least_1(a->ndim), count, source, destination, "movedim"));
    reorder(&draft.to, &draft.from, order);
    return view_finish(&draft, out, a);
}

stria_status stria_rollaxis(stria_view *out, const stria_view *a, int dim, int start)
{
    struct draft draft;
    int from = 0, order[STRIA_MAX_NDIM];
    STRIA_TRY(view_begin(&draft, out, a, "rollaxis"));
    STRIA_TRY(stria__wrap_dim(&from, dim, a->ndim, "rollaxis"));
    if (start < -a->ndim || start > a->ndim)
        return stria__fail(STRIA_ERR_DIM, "rollaxis: start %d is outside %d .. %d", start,
                           -(int)a->ndim, (int)a->ndim);
    const int before = start < 0 ? start + a->ndim : start;
    /* Removing the dim moved the places behind it. */
    const int to = before > from ? before - 1 : before;
    STRIA_TRY(moved_order(order, a->ndim, 1, &from, &to, "rollaxis"));
    reorder(&draft.to, &draft.from, order);
    return view_finish(&draft, out, a);
}
