/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Permutes the dims of coordinate arrays: the rows of the indices for sparse dims, and the view of
 * the values for dense dims.
 */
#include "ops/sparse/sparse.h"
#include "stria/indexing.h"
#include "plan/threads.h"

static stria_status check_kinds(const stria_coo *a, const int *dims)
{
    for (int d = 0; d < a->ndim; d++)
        if ((d < a->sparse_dim) != (dims[d] < a->sparse_dim))
            return stria__fail(STRIA_ERR_DIM,
                               "permute: dim %d would go to place %d, but the first %d dims are "
                               "sparse and the others dense; those kinds do not mix",
                               dims[d], d, a->sparse_dim);
    return STRIA_OK;
}

static stria_status permute_indices(stria_array *out, const stria_coo *a, const int *dims)
{
    int64_t rows[STRIA_MAX_NDIM];
    stria_view list;
    for (int d = 0; d < a->sparse_dim; d++)
        rows[d] = dims[d];
    STRIA_TRY(stria__sparse_list(&list, rows, a->sparse_dim));
    return stria_take_dim_new(out, &a->indices.view, &list, 0, STRIA_INDEX_STRICT, NULL);
}

/* Permutes the values; the dim of entries stays the first one. */
static stria_status permute_values(stria_view *out, const stria_coo *a, const int *dims)
{
    int moved[STRIA_MAX_NDIM] = {0};
    for (int d = a->sparse_dim; d < a->ndim; d++)
        moved[d - a->sparse_dim + 1] = dims[d] - a->sparse_dim + 1;
    return stria_permute(out, &a->values.view, a->values.view.ndim, moved);
}

stria_status stria_coo_permute(stria_coo *out, const stria_coo *a, int ndim, const int *dims,
                               const stria_exec *exec)
{
    TAKES_EXEC(exec, "coo_permute");
    int order[STRIA_MAX_NDIM];
    stria_view values;
    STRIA_TRY(stria__coo_check(out, a, "permute"));
    if (ndim != a->ndim)
        return stria__fail(STRIA_ERR_DIM, "permute: %d dims of an array of %d", ndim, a->ndim);
    STRIA_TRY(stria__wrap_dims(order, a->ndim, ndim, dims, "permute"));
    STRIA_TRY(check_kinds(a, order));
    STRIA_TRY(permute_values(&values, a, order));
    bool stays = true;
    for (int d = 0; d < a->sparse_dim; d++)
        stays = stays && order[d] == d;
    if (stays)
        array_share(&out->indices, &a->indices.view);
    else
        STRIA_TRY(permute_indices(&out->indices, a, order));
    array_share(&out->values, &values);
    stria__coo_describe(out, a);
    out->coalesced = stays ? a->coalesced : coo_count(a) < 2;
    for (int d = 0; d < ndim; d++)
        out->shape[d] = a->shape[order[d]];
    return STRIA_OK;
}

stria_status stria_coo_transpose(stria_coo *out, const stria_coo *a, int dim0, int dim1)
{
    int dims[STRIA_MAX_NDIM], i = 0, j = 0;
    STRIA_TRY(stria__coo_check(out, a, "transpose"));
    STRIA_TRY(stria__wrap_dim(&i, dim0, at_least_1(a->ndim), "transpose"));
    STRIA_TRY(stria__wrap_dim(&j, dim1, at_least_1(a->ndim), "transpose"));
    for (int d = 0; d < a->ndim; d++)
        dims[d] = d == i ? j : d == j ? i : d;
    return stria_coo_permute(out, a, a->ndim, dims, NULL);
}
