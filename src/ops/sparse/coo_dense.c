/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions between coordinate arrays and dense ones. */
#include <string.h>

#include "base/alloc.h"
#include "ops/doors.h"
#include "ops/operands.h"
#include "ops/sparse/sparse.h"
#include "stria/indexing.h"
#include "stria/reduce.h"

static stria_status coo_to_dense(const stria_view *out, stria_array *made, const stria_coo *a,
                                 const stria_exec *exec)
{
    OWNED_ARRAY(keys);
    TAKES_EXEC(exec, "to_dense");
    STRIA_TRY(stria__coo_check(out ? (const void *)out : made, a, "to_dense"));
    STRIA_TRY(stria__coo_keys(&keys, a, "to_dense"));
    struct entries e = {a->sparse_dim, &keys.view, &a->values.view, !a->coalesced};
    return stria__sparse_scatter(out, made, a->ndim, a->shape, &e, exec);
}

DOORS(coo_to_dense, (const stria_coo *a), coo_to_dense(out, made, a, exec))

/* ---- from dense ----------------------------------------------------------------------------- */

/* Makes the (lead, count) indices of the places that have an element other than zero. */
static stria_status find_nonzeros(stria_array *out, const stria_view *a, int lead)
{
    OWNED_ARRAYS(truth, places, found);
    int dims[STRIA_MAX_NDIM];
    for (int d = lead; d < a->ndim; d++)
        dims[d - lead] = d;
    STRIA_TRY(stria_empty(&truth, stria_dtype_of(STRIA_BOOL), a->ndim, a->shape));
    STRIA_TRY(stria_empty(&places, stria_dtype_of(STRIA_BOOL), lead, a->shape));
    STRIA_TRY(stria_copy(&truth.view, a, NULL));
    STRIA_TRY(stria_any(&places.view, &truth.view, a->ndim - lead, dims, NULL));
    STRIA_TRY(stria_nonzero_new(&found, &places.view, NULL));
    return stria__deliver(out, &found, stria_reverse_dims(&found.view, &found.view));
}

/* Takes a[indices[0], indices[1], ...]. Views for the most dims would be too large for the
 * stack. */
static stria_status take_entries(stria_array *out, const stria_view *a, const stria_view *indices,
                                 int lead)
{
    stria_index_item items[STRIA_MAX_NDIM];
    OWNED_MEMORY(memory, (size_t)(lead > 0 ? lead : 1) * sizeof(stria_view));
    stria_view *const rows = memory.at;
    if (!rows)
        return stria__fail(STRIA_ERR_MEMORY, "coo_from_dense: no memory for %zu bytes of views",
                           memory.size);
    for (int d = 0; d < lead; d++) {
        STRIA_TRY(stria_select(&rows[d], indices, 0, d));
        items[d] = (stria_index_item){.kind = STRIA_INDEX_ARRAY, .array = &rows[d]};
    }
    return stria_index_arrays_new(out, a, lead, items, STRIA_PLACE_NUMPY, NULL);
}

static stria_status gather(stria_coo *out, const stria_view *a, int lead)
{
    OWNED_COO(made);
    STRIA_TRY(find_nonzeros(&made.indices, a, lead));
    STRIA_TRY(take_entries(&made.values, a, &made.indices.view, lead));
    stria__coo_deliver(out, &made);
    return STRIA_OK;
}

stria_status stria_coo_from_dense(stria_coo *out, const stria_view *a, int sparse_dim,
                                  const stria_exec *exec)
{
    TAKES_EXEC(exec, "coo_from_dense");
    stria_view lifted;
    STRIA_TRY(view_check(out, a, "to_sparse"));
    if (sparse_dim < 0 || sparse_dim > a->ndim)
        return stria__fail(STRIA_ERR_DIM, "to_sparse: %d sparse dims of an array of %d", sparse_dim,
                           (int)a->ndim);
    STRIA_TRY(stria__sparse_check_readable(a, "to_sparse"));
    /*
     * Without sparse dims the whole array is one entry, with index 0 in a dim that is dropped
     * again.
     */
    view_copy(&lifted, a);
    if (sparse_dim == 0) STRIA_TRY(stria_unsqueeze(&lifted, a, 0));
    STRIA_TRY(gather(out, &lifted, sparse_dim ? sparse_dim : 1));
    if (sparse_dim == 0) out->indices.view.shape[0] = 0;
    out->sparse_dim = sparse_dim;
    out->ndim = a->ndim;
    out->coalesced = true;
    memcpy(out->shape, a->shape, (size_t)a->ndim * sizeof *a->shape);
    return STRIA_OK;
}
