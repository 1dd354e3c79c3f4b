/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: sparse arrays. They are values of their own, made from dense arrays or from
 * their parts, and an expression comes back from them by a part or by to_dense.
 */
#include "lang/function.h"
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
    c->answers = true;
    c->answer = (struct value){.kind = VALUE_SPARSE, .sparse = s};
    return STRIA_OK;
}

static const struct sparse *self(const struct invocation *c)
{
    return c->args[0].value->sparse;
}

static stria_status refuse_form(struct invocation *c, const char *what, bool compressed)
{
    return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "%s is of %s arrays; this one lists %s", what,
                              compressed ? "coordinate" : "compressed",
                              compressed ? "compressed rows or columns" : "coordinates");
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
    if (self(c)->compressed) return refuse_form(c, "to_sparse_csr", true);
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
        stria_coo_make(&s->coo, &converted.view, c->args[1].view, (int)size->count,
                       size->given ? size->ints : NULL,
                       coalesced->given && coalesced->truth ? STRIA_SPARSE_COALESCED : 0);
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

static stria_status from_compressed(struct invocation *c, stria_compression compression)
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
                   stria_csr_make(&s->csr, compression, c->args[0].view, c->args[1].view, entries,
                                  size->ints[0], size->ints[1], 0));
}

static stria_status from_rows(struct invocation *c)
{
    return from_compressed(c, STRIA_CSR);
}

static stria_status from_columns(struct invocation *c)
{
    return from_compressed(c, STRIA_CSC);
}

/* ---- parts: views ---------------------------------------------------------------------------- */

static stria_status indices(struct invocation *c)
{
    if (self(c)->compressed) return refuse_form(c, "indices", true);
    return stria_coo_indices(&c->out.view, &self(c)->coo);
}

static stria_status values(struct invocation *c)
{
    return self(c)->compressed ? stria_csr_values(&c->out.view, &self(c)->csr)
                               : stria_coo_values(&c->out.view, &self(c)->coo);
}

/* What is there, coalesced or not. */
static stria_status raw_indices(struct invocation *c)
{
    if (self(c)->compressed) return refuse_form(c, "_indices", true);
    c->out.view = self(c)->coo.indices.view;
    return STRIA_OK;
}

static stria_status raw_values(struct invocation *c)
{
    c->out.view = self(c)->compressed ? self(c)->csr.values.view : self(c)->coo.values.view;
    return STRIA_OK;
}

typedef stria_status part(stria_view *out, const stria_csr *a);

static stria_status compressed_part(struct invocation *c, const char *name, part *take)
{
    if (!self(c)->compressed) return refuse_form(c, name, false);
    return take(&c->out.view, &self(c)->csr);
}

static stria_status crow_indices(struct invocation *c)
{
    return compressed_part(c, "crow_indices", stria_csr_crow_indices);
}

static stria_status col_indices(struct invocation *c)
{
    return compressed_part(c, "col_indices", stria_csr_col_indices);
}

static stria_status ccol_indices(struct invocation *c)
{
    return compressed_part(c, "ccol_indices", stria_csr_ccol_indices);
}

static stria_status row_indices(struct invocation *c)
{
    return compressed_part(c, "row_indices", stria_csr_row_indices);
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
    STRIA_TRY(fresh(&s, c, false));
    if (self(c)->compressed) return refuse_form(c, "coalesce", true);
    return deliver(c, s, stria_coo_coalesce(&s->coo, &self(c)->coo));
}

static stria_status permute(struct invocation *c)
{
    struct sparse *s;
    STRIA_TRY(fresh(&s, c, false));
    if (self(c)->compressed) return refuse_form(c, "permute", true);
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
    const int n = self(c)->compressed ? self(c)->csr.ndim : self(c)->coo.ndim;
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
    STRIA_TRY(fresh(&s, c, false));
    if (self(c)->compressed) return refuse_form(c, "select", true);
    STRIA_TRY(stria_coo_select(&s->coo, &self(c)->coo, c->args[1].dim, c->args[2].integer));
    if (s->coo.sparse_dim > 0) return deliver(c, s, STRIA_OK);
    const stria_status status = stria_coo_to_dense(&c->out, &s->coo);
    stria_coo_release(&s->coo);
    return status;
}

static stria_status number(struct invocation *c, enum value_kind kind, int64_t n)
{
    c->answers = true;
    c->answer.kind = kind;
    if (kind == VALUE_BOOL)
        c->answer.truth = n != 0;
    else
        c->answer.integer = n;
    return STRIA_OK;
}

static stria_status nnz(struct invocation *c)
{
    stria_view v;
    STRIA_TRY(raw_values(c));
    v = c->out.view;
    c->out.view = (stria_view){0};
    return number(c, VALUE_INT, v.shape[0]);
}

static stria_status is_coalesced(struct invocation *c)
{
    if (self(c)->compressed) return refuse_form(c, "is_coalesced", true);
    return number(c, VALUE_BOOL, self(c)->coo.coalesced);
}

static stria_status sparse_dim(struct invocation *c)
{
    return number(c, VALUE_INT, self(c)->compressed ? 2 : self(c)->coo.sparse_dim);
}

static stria_status dense_dim(struct invocation *c)
{
    const struct sparse *s = self(c);
    return number(c, VALUE_INT, s->compressed ? s->csr.ndim - 2 : s->coo.ndim - s->coo.sparse_dim);
}

static const struct function ops[] = {
    {"to_sparse(self, sparse_dim|sparseDims:int?=None)", to_sparse, WORLD_TORCH,
     "stria_coo_from_dense", "Lists the coordinates and values of what is not 0."},
    {"to_sparse_csr(self)", to_csr, WORLD_TORCH, "stria_csr_from_coo",
     "Lists what is not 0 by compressed rows."},
    {"to_sparse_csr(self:sparse)", coo_to_csr, WORLD_TORCH, "stria_csr_from_coo",
     "Lists what is not 0 by compressed rows."},
    {"sparse_coo_tensor(indices:data, values:data, size:ints?=None, is_coalesced:bool?=None)",
     from_coordinates, WORLD_TORCH, "stria_coo_make",
     "Makes a sparse array of coordinates and values."},
    {"sparse_csr_tensor(crow_indices:data, col_indices:data, values:data, size:ints)", from_rows,
     WORLD_TORCH, "stria_csr_make", "Makes a sparse matrix of compressed rows."},
    {"sparse_csc_tensor(ccol_indices:data, row_indices:data, values:data, size:ints)", from_columns,
     WORLD_TORCH, "stria_csr_make", "Makes a sparse matrix of compressed columns."},
    {"indices(self:sparse)", indices, WORLD_TORCH, "stria_coo_indices", "Views the coordinates."},
    {"values(self:sparse)", values, WORLD_TORCH, "stria_coo_values", "Views the values."},
    {"_indices(self:sparse)", raw_indices, WORLD_TORCH, "stria_coo_indices",
     "Views the coordinates, of an array that is not coalesced, too."},
    {"_values(self:sparse)", raw_values, WORLD_TORCH, "stria_coo_values",
     "Views the values, of an array that is not coalesced, too."},
    {"crow_indices(self:sparse)", crow_indices, WORLD_TORCH, "stria_csr_crow_indices",
     "Views where each row begins among the values."},
    {"col_indices(self:sparse)", col_indices, WORLD_TORCH, "stria_csr_col_indices",
     "Views the column of each value."},
    {"ccol_indices(self:sparse)", ccol_indices, WORLD_TORCH, "stria_csr_ccol_indices",
     "Views where each column begins among the values."},
    {"row_indices(self:sparse)", row_indices, WORLD_TORCH, "stria_csr_row_indices",
     "Views the row of each value."},
    {"coalesce(self:sparse)", coalesce, WORLD_TORCH, "stria_coo_coalesce",
     "Sorts the coordinates and adds the values of equal ones."},
    {"is_coalesced(self:sparse)", is_coalesced, WORLD_TORCH, "stria_coo",
     "Tells whether coordinates are sorted and different."},
    {"to_dense(self:sparse)", to_dense, WORLD_TORCH, "stria_coo_to_dense",
     "Writes all elements into a dense array."},
    {"permute(self:sparse, *dims:dims)", permute, WORLD_TORCH, "stria_coo_permute",
     "Reorders the dims."},
    {"transpose(self:sparse, dim0:dim, dim1:dim)", transpose, WORLD_TORCH, "stria_coo_transpose",
     "Exchanges two dims."},
    {"t(self:sparse)", t, WORLD_TORCH, "stria_coo_transpose", "Exchanges the dims of a matrix."},
    {"select(self:sparse, dim:dim, index:int)", pick, WORLD_TORCH, "stria_coo_select",
     "Takes one index along a dim, which goes."},
    {"_nnz(self:sparse)", nnz, WORLD_TORCH, "stria_coo",
     "Returns the number of values that are listed."},
    {"sparse_dim(self:sparse)", sparse_dim, WORLD_TORCH, "stria_coo",
     "Returns the number of dims that coordinates have."},
    {"dense_dim(self:sparse)", dense_dim, WORLD_TORCH, "stria_coo",
     "Returns the number of dims that each value has."},
};

const struct function_group stria__rows_sparse = {ops, sizeof ops / sizeof *ops};
