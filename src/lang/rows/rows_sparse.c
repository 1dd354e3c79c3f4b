/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: sparse arrays. They are values of their own, made from dense arrays or from
 * their parts, and an expression comes back from them by a part or by to_dense.
 */
#include "lang/registry.h"

static void release(void *sparse)
{
    struct sparse *s = sparse;
    if (s->compressed)
        stria_csr_release(&s->csr);
    else
        stria_coo_release(&s->coo);
}

/* Room for the result of a call; it becomes one by `deliver`. */
static stria_status fresh(struct sparse **out, struct invocation *c, bool compressed)
{
    struct sparse *const s = *out = stria__pool_owner(c->pool, sizeof *s, release);
    TRY_MEMORY(s);
    s->compressed = compressed;
    return STRIA_OK;
}

static stria_status deliver(struct invocation *c, struct sparse *s, stria_status status)
{
    if (status != STRIA_OK) return status;
    return stria__call_answer(c, (struct value){.kind = VALUE_SPARSE, .sparse = s});
}

static const struct sparse *self(const struct invocation *c)
{
    return c->args[0].value->sparse;
}

static int ndim_of(const struct sparse *s)
{
    return s->compressed ? s->csr.ndim : s->coo.ndim;
}

/* What is there, coalesced or not. */
static const stria_view *values_of(const struct sparse *s)
{
    return s->compressed ? &s->csr.values.view : &s->coo.values.view;
}

/* What only one of the two forms has. */
static stria_status check_form(struct invocation *c, bool compressed)
{
    if (self(c)->compressed == compressed) return STRIA_OK;
    return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "%.*s is of %s arrays; this one lists %s",
                              (int)c->name.length, c->name.text,
                              compressed ? "compressed" : "coordinate",
                              compressed ? "coordinates" : "compressed rows or columns");
}

/* ---- making -------------------------------------------------------------------------------- */

static stria_status to_sparse(struct invocation *c)
{
    struct sparse *s;
    STRIA_TRY(fresh(&s, c, false));
    const int dims = c->args[1].given ? (int)c->args[1].integer : c->self->ndim;
    if (c->args[1].given &&
        (c->args[1].integer < (c->self->ndim > 0) || c->args[1].integer > c->self->ndim))
        return stria__call_refuse(c, STRIA_ERR_DIM, "to_sparse: %lld sparse dims of an array of %d",
                                  (long long)c->args[1].integer, c->self->ndim);
    return deliver(c, s, stria_coo_from_dense(&s->coo, c->self, dims));
}

static stria_status compress(struct invocation *c, const stria_coo *coo)
{
    struct sparse *s;
    STRIA_TRY(fresh(&s, c, true));
    return deliver(c, s, stria_csr_from_coo(&s->csr, coo));
}

static stria_status to_csr(struct invocation *c)
{
    stria_coo coo = {0};
    if (c->self->ndim != 2)
        return stria__call_refuse(c, STRIA_ERR_SHAPE, "to_sparse_csr: a matrix has 2 dims, not %d",
                                  c->self->ndim);
    STRIA_TRY(stria_coo_from_dense(&coo, c->self, 2));
    const stria_status status = compress(c, &coo);
    stria_coo_release(&coo);
    return status;
}

static stria_status coo_to_csr(struct invocation *c)
{
    STRIA_TRY(check_form(c, false));
    return compress(c, &self(c)->coo);
}

static stria_status from_coordinates(struct invocation *c)
{
    const struct arg *size = &c->args[2], *coalesced = &c->args[3];
    struct sparse *s;
    STRIA_TRY(fresh(&s, c, false));
    stria_array converted = {0};
    STRIA_TRY(stria_astype(&converted, c->args[0].view, stria_dtype_of(STRIA_I64),
                           STRIA_CAST_SAME_KIND, STRIA_COPY_IF_NEEDED, NULL, NULL));
    const stria_status status =
        stria_coo_make(&s->coo, &converted.view, c->args[1].view, (int)size->count, size->ints,
                       coalesced->truth ? STRIA_SPARSE_COALESCED : 0);
    stria_array_release(&converted);
    return deliver(c, s, status);
}

/* Sizes behind the first two are those of the values' dense dims. */
static bool sizes_fit(const struct arg *size, const stria_view *values)
{
    if (size->count < 2 || size->count - 2 != values->ndim - 1) return false;
    for (int d = 1; d < values->ndim; d++)
        if (size->ints[d + 1] != values->shape[d]) return false;
    return true;
}

static stria_status from_compressed(struct invocation *c)
{
    const struct arg *size = &c->args[3];
    const stria_view *entries = c->args[2].view;
    struct sparse *s;
    STRIA_TRY(fresh(&s, c, true));
    if (!sizes_fit(size, entries))
        return stria__call_refuse(
            c, STRIA_ERR_SHAPE,
            "a compressed array has rows, columns and the %d dense sizes of its "
            "values, not %lld sizes like these",
            entries->ndim ? entries->ndim - 1 : 0, (long long)size->count);
    return deliver(c, s,
                   stria_csr_make(&s->csr, (stria_compression)c->row->what, c->args[0].view,
                                  c->args[1].view, entries, size->ints[0], size->ints[1], 0));
}

/* ---- parts: views ---------------------------------------------------------------------------- */

static stria_status indices(struct invocation *c)
{
    STRIA_TRY(check_form(c, false));
    return stria_coo_indices(&c->out.view, &self(c)->coo);
}

static stria_status values(struct invocation *c)
{
    return self(c)->compressed ? stria_csr_values(&c->out.view, &self(c)->csr)
                               : stria_coo_values(&c->out.view, &self(c)->coo);
}

static stria_status raw_indices(struct invocation *c)
{
    STRIA_TRY(check_form(c, false));
    c->out.view = self(c)->coo.indices.view;
    return STRIA_OK;
}

static stria_status raw_values(struct invocation *c)
{
    c->out.view = *values_of(self(c));
    return STRIA_OK;
}

typedef stria_status part(stria_view *out, const stria_csr *a);

static stria_status compressed_part(struct invocation *c)
{
    STRIA_TRY(check_form(c, true));
    return ((part *)c->row->function)(&c->out.view, &self(c)->csr);
}

/* ---- other forms ----------------------------------------------------------------------------- */

static stria_status to_dense(struct invocation *c)
{
    return self(c)->compressed ? stria_csr_to_dense(&c->out, &self(c)->csr)
                               : stria_coo_to_dense(&c->out, &self(c)->coo);
}

static stria_status coalesce(struct invocation *c)
{
    struct sparse *s;
    STRIA_TRY(check_form(c, false));
    STRIA_TRY(fresh(&s, c, false));
    return deliver(c, s, stria_coo_coalesce(&s->coo, &self(c)->coo));
}

static stria_status permute(struct invocation *c)
{
    struct sparse *s;
    STRIA_TRY(check_form(c, false));
    STRIA_TRY(fresh(&s, c, false));
    return deliver(
        c, s, stria_coo_permute(&s->coo, &self(c)->coo, (int)c->args[1].count, c->args[1].dims));
}

/* Rows and columns of a compressed matrix change places by their names alone. */
static stria_status transpose(struct invocation *c)
{
    struct sparse *s;
    STRIA_TRY(fresh(&s, c, self(c)->compressed));
    const int i = c->args[1].dim, j = c->args[2].dim;
    if (!s->compressed) return deliver(c, s, stria_coo_transpose(&s->coo, &self(c)->coo, i, j));
    const int n = self(c)->csr.ndim, a = i < 0 ? i + n : i, b = j < 0 ? j + n : j;
    if (a == b || a < 0 || b < 0 || a > 1 || b > 1)
        return stria__call_refuse(
            c, STRIA_ERR_DIM,
            "transpose: of a compressed array dims 0 and 1 change places, not %d "
            "and %d",
            i, j);
    return deliver(c, s, stria_csr_transpose(&s->csr, &self(c)->csr));
}

static stria_status t(struct invocation *c)
{
    const int n = ndim_of(self(c));
    if (n != 2)
        return stria__call_refuse(c, STRIA_ERR_SHAPE, "t: the array has %d dims, a sparse matrix 2",
                                  n);
    c->args[1].dim = 0;
    c->args[2].dim = 1;
    return transpose(c);
}

static stria_status pick(struct invocation *c)
{
    struct sparse *s;
    STRIA_TRY(check_form(c, false));
    STRIA_TRY(fresh(&s, c, false));
    STRIA_TRY(stria_coo_select(&s->coo, &self(c)->coo, c->args[1].dim, c->args[2].integer));
    if (s->coo.sparse_dim > 0) return deliver(c, s, STRIA_OK);
    const stria_status status = stria_coo_to_dense(&c->out, &s->coo);
    stria_coo_release(&s->coo);
    return status;
}

static stria_status nnz(struct invocation *c)
{
    return stria__call_integer(c, values_of(self(c))->shape[0]);
}

static stria_status is_coalesced(struct invocation *c)
{
    STRIA_TRY(check_form(c, false));
    return stria__call_truth(c, self(c)->coo.coalesced);
}

/* Of dims that coordinates or compressed rows and columns have. */
static int sparse_dims(const struct sparse *s)
{
    return s->compressed ? 2 : s->coo.sparse_dim;
}

static stria_status sparse_dim(struct invocation *c)
{
    return stria__call_integer(c, sparse_dims(self(c)));
}

static stria_status dense_dim(struct invocation *c)
{
    return stria__call_integer(c, ndim_of(self(c)) - sparse_dims(self(c)));
}

static const struct function ops[] = {
    ROW_BY(TORCH, "to_sparse(self, sparse_dim|sparseDims:int?=None)", to_sparse, coo_from_dense,
           "Lists the coordinates and values of what is not 0."),
    ROW_BY(TORCH, "to_sparse_csr(self)", to_csr, csr_from_coo,
           "Lists what is not 0 by compressed rows."),
    ROW_BY(TORCH, "to_sparse_csr(self:sparse)", coo_to_csr, csr_from_coo,
           "Lists what is not 0 by compressed rows."),
    ROW_BY(TORCH,
           "sparse_coo_tensor(indices:data, values:data, size:ints?=None, is_coalesced:bool?=None)",
           from_coordinates, coo_make, "Makes a sparse array of coordinates and values."),
    ROW_AS(TORCH, "sparse_csr_tensor(crow_indices:data, col_indices:data, values:data, size:ints)",
           from_compressed, STRIA_CSR, csr_make, "Makes a sparse matrix of compressed rows."),
    ROW_AS(TORCH, "sparse_csc_tensor(ccol_indices:data, row_indices:data, values:data, size:ints)",
           from_compressed, STRIA_CSC, csr_make, "Makes a sparse matrix of compressed columns."),
    ROW_BY(TORCH, "indices(self:sparse)", indices, coo_indices, "Views the coordinates."),
    ROW_BY(TORCH, "values(self:sparse)", values, coo_values, "Views the values."),
    ROW_BY(TORCH, "_indices(self:sparse)", raw_indices, coo_indices,
           "Views the coordinates, of an array that is not coalesced, too."),
    ROW_BY(TORCH, "_values(self:sparse)", raw_values, coo_values,
           "Views the values, of an array that is not coalesced, too."),
    ROW_OF(TORCH, "crow_indices(self:sparse)", compressed_part, stria_csr_crow_indices,
           csr_crow_indices, "Views where each row begins among the values."),
    ROW_OF(TORCH, "col_indices(self:sparse)", compressed_part, stria_csr_col_indices,
           csr_col_indices, "Views the column of each value."),
    ROW_OF(TORCH, "ccol_indices(self:sparse)", compressed_part, stria_csr_ccol_indices,
           csr_ccol_indices, "Views where each column begins among the values."),
    ROW_OF(TORCH, "row_indices(self:sparse)", compressed_part, stria_csr_row_indices,
           csr_row_indices, "Views the row of each value."),
    ROW_BY(TORCH, "coalesce(self:sparse)", coalesce, coo_coalesce,
           "Sorts the coordinates and adds the values of equal ones."),
    ROW_BY(TORCH, "is_coalesced(self:sparse)", is_coalesced, coo,
           "Tells whether coordinates are sorted and different."),
    ROW_BY(TORCH, "to_dense(self:sparse)", to_dense, coo_to_dense,
           "Writes all elements into a dense array."),
    ROW_BY(TORCH, "permute(self:sparse, *dims:dims)", permute, coo_permute, "Reorders the dims."),
    ROW_BY(TORCH, "transpose(self:sparse, dim0:dim, dim1:dim)", transpose, coo_transpose,
           "Exchanges two dims."),
    ROW_BY(TORCH, "t(self:sparse)", t, coo_transpose, "Exchanges the dims of a matrix."),
    ROW_BY(TORCH, "select(self:sparse, dim:dim, index:int)", pick, coo_select,
           "Takes one index along a dim, which goes."),
    ROW_BY(TORCH, "_nnz(self:sparse)", nnz, coo, "Returns the number of values that are listed."),
    ROW_BY(TORCH, "sparse_dim(self:sparse)", sparse_dim, coo,
           "Returns the number of dims that coordinates have."),
    ROW_BY(TORCH, "dense_dim(self:sparse)", dense_dim, coo,
           "Returns the number of dims that each value has."),
};

const struct function_group stria__rows_sparse = {ops, sizeof ops / sizeof *ops};
