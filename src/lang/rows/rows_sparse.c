/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: sparse arrays. They are values of their own, made from dense arrays
 * or from their parts, and an expression comes back from them by a part or by to_dense.
 */
#include "lang/rows/rows.h"

static void release(void *sparse)
{
    struct sparse *s = sparse;
    if (s->compressed)
        stria_csr_release(&s->csr);
    else
        stria_coo_release(&s->coo);
}

/* Makes room for the result of a call, which becomes its answer by stria__row_made_sparse. */
static stria_status make_room(struct invocation *c, bool compressed)
{
    struct sparse *const s = stria__pool_owner(c->pool, sizeof *s, release);
    TRY_MEMORY(s);
    s->compressed = compressed;
    c->sparse = s;
    return STRIA_OK;
}

stria_status stria__row_made_sparse(struct invocation *c, stria_status status)
{
    if (status != STRIA_OK) return status;
    return stria__call_answer(c, (struct value){.kind = VALUE_SPARSE, .sparse = c->sparse});
}

stria_status stria__row_check_form(struct invocation *c, bool compressed)
{
    if (SPARSE_A->compressed == compressed) return STRIA_OK;
    return REFUSE(ARGUMENT, "%.*s is of %s arrays; this one lists %s", NAME,
                  compressed ? "compressed" : "coordinate",
                  compressed ? "coordinates" : "compressed rows or columns");
}

stria_status stria__row_of_coo(struct invocation *c, bool compressed)
{
    STRIA_TRY(stria__row_check_form(c, false));
    return make_room(c, compressed);
}

/* ---- making -------------------------------------------------------------------------------- */

stria_status stria__row_to_sparse(struct invocation *c)
{
    STRIA_TRY(make_room(c, false));
    const int dims = GIVEN(1) ? (int)INT(1) : A->ndim;
    if (GIVEN(1) && (INT(1) < (A->ndim > 0) || INT(1) > A->ndim))
        return REFUSE(DIM, "to_sparse: %lld sparse dims of an array of %d", (long long)INT(1),
                      A->ndim);
    return stria__row_made_sparse(c, stria_coo_from_dense(MADE_COO, A, dims, NULL));
}

stria_status stria__row_to_csr(struct invocation *c)
{
    stria_coo coo = {0};
    if (A->ndim != 2) return REFUSE(SHAPE, "to_sparse_csr: a matrix has 2 dims, not %d", A->ndim);
    STRIA_TRY(stria_coo_from_dense(&coo, A, 2, NULL));
    stria_status status = make_room(c, true);
    if (status == STRIA_OK) status = stria_csr_from_coo(MADE_CSR, &coo, NULL);
    stria_coo_release(&coo);
    return stria__row_made_sparse(c, status);
}

stria_status stria__row_from_coordinates(struct invocation *c)
{
    STRIA_TRY(make_room(c, false));
    stria_array made = {0};
    STRIA_TRY(stria_astype(&made, ARRAY(0), stria_dtype_of(STRIA_I64), STRIA_CAST_SAME_KIND,
                           STRIA_COPY_IF_NEEDED, NULL, NULL));
    STRIA_TRY(stria__call_hold(c, &ARRAY(0), made));
    return stria__row_made_sparse(c, stria_coo_make(MADE_COO, ARRAY(0), ARRAY(1), INTS(2),
                                                    TRUTH(3) ? STRIA_SPARSE_COALESCED : 0, NULL));
}

/* Checks a size: those behind the first two are those of the dense dims of the values. */
static bool sizes_fit(const struct arg *size, const stria_view *values)
{
    if (size->count < 2 || size->count - 2 != values->ndim - 1) return false;
    for (int d = 1; d < values->ndim; d++)
        if (size->ints[d + 1] != values->shape[d]) return false;
    return true;
}

stria_status stria__row_from_compressed(struct invocation *c, stria_compression form)
{
    const struct arg *size = &c->args[3];
    const stria_view *entries = ARRAY(2);
    STRIA_TRY(make_room(c, true));
    if (!sizes_fit(size, entries))
        return REFUSE(SHAPE,
                      "a compressed array has rows, columns and the %d dense sizes of its "
                      "values, not %lld sizes like these",
                      entries->ndim ? entries->ndim - 1 : 0, (long long)size->count);
    return stria__row_made_sparse(c, stria_csr_make(MADE_CSR, ARRAY(0), ARRAY(1), entries, form,
                                                    size->ints[0], size->ints[1], 0, NULL));
}

/* Transposes a compressed matrix by exchanging the names of rows and columns. */
stria_status stria__row_sparse_transpose(struct invocation *c, int i, int j)
{
    STRIA_TRY(make_room(c, SPARSE_A->compressed));
    if (!SPARSE_A->compressed)
        return stria__row_made_sparse(c, stria_coo_transpose(MADE_COO, COO, i, j));
    const int n = SPARSE_A->csr.ndim, a = i < 0 ? i + n : i, b = j < 0 ? j + n : j;
    if (a == b || a < 0 || b < 0 || a > 1 || b > 1)
        return REFUSE(DIM,
                      "transpose: of a compressed array dims 0 and 1 change places, not %d "
                      "and %d",
                      i, j);
    return stria__row_made_sparse(c, stria_csr_transpose(MADE_CSR, CSR, NULL));
}

stria_status stria__row_check_matrix(struct invocation *c)
{
    const int n = stria__sparse_ndim(SPARSE_A);
    if (n == 2) return STRIA_OK;
    return REFUSE(SHAPE, "t: the array has %d dims, a sparse matrix 2", n);
}

stria_status stria__row_sparse_select(struct invocation *c)
{
    STRIA_TRY(stria__row_check_form(c, false));
    STRIA_TRY(make_room(c, false));
    STRIA_TRY(stria_coo_select(MADE_COO, COO, DIM(1), INT(2), NULL));
    if (c->sparse->coo.sparse_dim > 0) return stria__row_made_sparse(c, STRIA_OK);
    const stria_status status = stria_coo_to_dense_new(NEW, MADE_COO, NULL);
    stria_coo_release(MADE_COO);
    return status;
}
