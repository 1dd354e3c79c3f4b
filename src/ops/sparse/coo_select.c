/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects one index of one dim of a coordinate array: some of the entries, or a part of every
 * entry. */
#include <string.h>

#include "ops/index/indexed.h"
#include "ops/sparse/sparse.h"

/* Makes an i64 array of the positions of the entries that have the index in dim d. */
static stria_status positions_of(stria_array *out, const stria_coo *a, int d, int64_t index)
{
    const int64_t n = coo_count(a);
    stria_view line;
    OWNED_ARRAY(row);
    STRIA_TRY(stria__sparse_check_readable(&a->indices.view, "select"));
    STRIA_TRY(stria_select(&line, &a->indices.view, 0, d));
    STRIA_TRY(stria__index_values(&row, &line, "select"));
    STRIA_TRY(stria_empty(out, stria_dtype_of(STRIA_I64), 1, &n));
    out->view.shape[0] = 0;
    for (int64_t i = 0; i < n; i++)
        if (items_i64(&row.view)[i] == index) items_i64(&out->view)[out->view.shape[0]++] = i;
    return STRIA_OK;
}

/* Takes all rows of the indices but row d, at these positions. */
static stria_status take_indices(stria_array *out, const stria_coo *a, int d,
                                 const stria_view *positions)
{
    int64_t rows[STRIA_MAX_NDIM];
    stria_view list;
    OWNED_ARRAY(kept);
    for (int i = 0; i < a->sparse_dim - 1; i++)
        rows[i] = i < d ? i : i + 1;
    STRIA_TRY(stria__sparse_list(&list, rows, a->sparse_dim - 1));
    STRIA_TRY(stria_take_dim_new(&kept, &a->indices.view, &list, 0, STRIA_INDEX_STRICT, NULL));
    return stria_take_dim_new(out, &kept.view, positions, 1, STRIA_INDEX_STRICT, NULL);
}

static stria_status select_entries(stria_coo *out, const stria_coo *a, int d, int64_t index)
{
    OWNED_ARRAY(positions);
    OWNED_COO(made);
    STRIA_TRY(positions_of(&positions, a, d, index));
    STRIA_TRY(take_indices(&made.indices, a, d, &positions.view));
    STRIA_TRY(stria_take_dim_new(&made.values, &a->values.view, &positions.view, 0,
                                 STRIA_INDEX_STRICT, NULL));
    stria__coo_deliver(out, &made);
    return STRIA_OK;
}

static stria_status select_within(stria_coo *out, const stria_coo *a, int d, int64_t index)
{
    stria_view part;
    STRIA_TRY(stria_select(&part, &a->values.view, d - a->sparse_dim + 1, index));
    array_share(&out->values, &part);
    array_share(&out->indices, &a->indices.view);
    return STRIA_OK;
}

stria_status stria_coo_select(stria_coo *out, const stria_coo *a, int dim, int64_t index,
                              const stria_exec *exec)
{
    TAKES_EXEC(exec, "coo_select");
    int d = 0;
    STRIA_TRY(stria__coo_check(out, a, "select"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "select"));
    STRIA_TRY(stria__check_index(index, a->shape[d], d, "select"));
    const int64_t i = wrapped_index(index, a->shape[d]);
    const bool sparse = d < a->sparse_dim;
    STRIA_TRY(sparse ? select_entries(out, a, d, i) : select_within(out, a, d, i));
    stria__coo_describe(out, a);
    out->sparse_dim -= sparse;
    out->ndim--;
    out->coalesced = a->coalesced || coo_count(out) < 2;
    memmove(out->shape + d, out->shape + d + 1, (size_t)(out->ndim - d) * sizeof *out->shape);
    return STRIA_OK;
}
