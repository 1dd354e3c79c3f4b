/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of functions.def: sparse arrays. They are values of their own, made from dense arrays or
 * from their parts, and an expression comes back from them by a part or by to_dense.
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

stria_status stria__row_to_sparse(struct invocation *c)
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

stria_status stria__row_to_csr(struct invocation *c)
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

stria_status stria__row_coo_to_csr(struct invocation *c)
{
    STRIA_TRY(check_form(c, false));
    return compress(c, &self(c)->coo);
}

stria_status stria__row_from_coordinates(struct invocation *c)
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

stria_status stria__row_from_compressed(struct invocation *c, stria_compression form)
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
                   stria_csr_make(&s->csr, form, c->args[0].view, c->args[1].view, entries,
                                  size->ints[0], size->ints[1], 0));
}

/* ---- parts: views ---------------------------------------------------------------------------- */

stria_status stria__row_sparse_indices(struct invocation *c)
{
    STRIA_TRY(check_form(c, false));
    return stria_coo_indices(&c->out.view, &self(c)->coo);
}

stria_status stria__row_sparse_values(struct invocation *c)
{
    return self(c)->compressed ? stria_csr_values(&c->out.view, &self(c)->csr)
                               : stria_coo_values(&c->out.view, &self(c)->coo);
}

stria_status stria__row_raw_indices(struct invocation *c)
{
    STRIA_TRY(check_form(c, false));
    c->out.view = self(c)->coo.indices.view;
    return STRIA_OK;
}

stria_status stria__row_raw_values(struct invocation *c)
{
    c->out.view = *values_of(self(c));
    return STRIA_OK;
}

stria_status stria__row_compressed_part(struct invocation *c, csr_part *part)
{
    STRIA_TRY(check_form(c, true));
    return part(&c->out.view, &self(c)->csr);
}

/* ---- other forms ----------------------------------------------------------------------------- */

stria_status stria__row_to_dense(struct invocation *c)
{
    return self(c)->compressed ? stria_csr_to_dense(&c->out, &self(c)->csr)
                               : stria_coo_to_dense(&c->out, &self(c)->coo);
}

stria_status stria__row_coalesce(struct invocation *c)
{
    struct sparse *s;
    STRIA_TRY(check_form(c, false));
    STRIA_TRY(fresh(&s, c, false));
    return deliver(c, s, stria_coo_coalesce(&s->coo, &self(c)->coo));
}

stria_status stria__row_sparse_permute(struct invocation *c)
{
    struct sparse *s;
    STRIA_TRY(check_form(c, false));
    STRIA_TRY(fresh(&s, c, false));
    return deliver(
        c, s, stria_coo_permute(&s->coo, &self(c)->coo, (int)c->args[1].count, c->args[1].dims));
}

/* Rows and columns of a compressed matrix change places by their names alone. */
stria_status stria__row_sparse_transpose(struct invocation *c)
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

stria_status stria__row_sparse_t(struct invocation *c)
{
    const int n = ndim_of(self(c));
    if (n != 2)
        return stria__call_refuse(c, STRIA_ERR_SHAPE, "t: the array has %d dims, a sparse matrix 2",
                                  n);
    c->args[1].dim = 0;
    c->args[2].dim = 1;
    return stria__row_sparse_transpose(c);
}

stria_status stria__row_sparse_select(struct invocation *c)
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

stria_status stria__row_nnz(struct invocation *c)
{
    return stria__call_integer(c, values_of(self(c))->shape[0]);
}

stria_status stria__row_is_coalesced(struct invocation *c)
{
    STRIA_TRY(check_form(c, false));
    return stria__call_truth(c, self(c)->coo.coalesced);
}

/* Of dims that coordinates or compressed rows and columns have. */
static int sparse_dims(const struct sparse *s)
{
    return s->compressed ? 2 : s->coo.sparse_dim;
}

stria_status stria__row_sparse_dim(struct invocation *c)
{
    return stria__call_integer(c, sparse_dims(self(c)));
}

stria_status stria__row_dense_dim(struct invocation *c)
{
    return stria__call_integer(c, ndim_of(self(c)) - sparse_dims(self(c)));
}
