/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks that functions of both sparse forms share. */
#include "ops/sparse/sparse.h"

static stria_status check_pointers(const void *out, const void *a, const char *op)
{
    if (out && a) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "%s: %s is NULL", op, out ? "the array" : "out");
}

static stria_status check_parts(const stria_view *indices, const stria_view *values, const char *op)
{
    STRIA_TRY(stria__check_view(indices, op, "the array of indices"));
    return stria__check_view(values, op, "the array of values");
}

static stria_status refuse_dims(const char *op, int ndim)
{
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "%s: the sparse array of %d dims is not one that was made by the library",
                       op, ndim);
}

stria_status stria__coo_check(const void *out, const stria_coo *a, const char *op)
{
    STRIA_TRY(check_pointers(out, a, op));
    STRIA_TRY(check_parts(&a->indices.view, &a->values.view, op));
    if (a->ndim < 0 || a->ndim > STRIA_MAX_NDIM || a->sparse_dim < 0 || a->sparse_dim > a->ndim ||
        a->indices.view.ndim != 2 || a->values.view.ndim != a->ndim - a->sparse_dim + 1)
        return refuse_dims(op, a->ndim);
    return STRIA_OK;
}

stria_status stria__csr_check(const void *out, const stria_csr *a, const char *op)
{
    STRIA_TRY(check_pointers(out, a, op));
    STRIA_TRY(stria__check_view(&a->pointers.view, op, "the array of pointers"));
    STRIA_TRY(check_parts(&a->indices.view, &a->values.view, op));
    if (a->ndim < 2 || a->ndim > STRIA_MAX_NDIM || a->pointers.view.ndim != 1 ||
        a->indices.view.ndim != 1 || a->values.view.ndim != a->ndim - 1 ||
        (a->compression != STRIA_CSR && a->compression != STRIA_CSC))
        return refuse_dims(op, a->ndim);
    return STRIA_OK;
}

stria_status stria__sparse_check_index_dtype(const stria_view *indices, const char *name,
                                             const char *op)
{
    const bool i64 = stria_dtype_equal(indices->dtype, stria_dtype_of(STRIA_I64));
    const bool i32 = stria_dtype_equal(indices->dtype, stria_dtype_of(STRIA_I32));
    if (indices->flags & STRIA_NEG)
        return stria__fail(STRIA_ERR_DTYPE, "%s: %s are lazily negated; clone them first", op,
                           name);
    if (i64 || i32) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "%s: %s are of dtype %s; astype them to i64", op, name,
                       stria__dtype_text(indices->dtype).text);
}

stria_status stria__sparse_check_readable(const stria_view *indices, const char *op)
{
    if (!stria_buffer_is_meta(indices->buffer)) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "%s: the result depends on indices, which have no memory", op);
}
