/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compressed matrices: construction, which checks every pointer and index, views of the parts, and
 * the transpose.
 */
#include <string.h>

#include "ops/index/indexed.h"
#include "ops/sparse/sparse.h"

/* The names of the parts in messages, for compressed rows or columns. */
struct words {
    const char *op, *pointers, *indices, *major, *minor;
};

static const struct words words_of[] = {
    [STRIA_CSR] = {"csr", "crow_indices", "col_indices", "row", "column"},
    [STRIA_CSC] = {"csc", "ccol_indices", "row_indices", "column", "row"},
};

/* ---- the parts as arrays -------------------------------------------------------------------- */

static stria_status check_dtypes(const stria_csr *a, const struct words *w)
{
    const stria_view *pointers = &a->pointers.view, *indices = &a->indices.view;
    STRIA_TRY(stria__sparse_check_index_dtype(pointers, w->pointers, w->op));
    STRIA_TRY(stria__sparse_check_index_dtype(indices, w->indices, w->op));
    if (pointers->dtype.kind == indices->dtype.kind) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "%s: %s and %s must both be i32 or both i64", w->op,
                       w->pointers, w->indices);
}

static stria_status check_parts(const stria_csr *a, const struct words *w)
{
    const stria_view *pointers = &a->pointers.view, *indices = &a->indices.view;
    const stria_view *values = &a->values.view;
    const int64_t major = a->shape[a->compression == STRIA_CSC];
    STRIA_TRY(check_dtypes(a, w));
    if (pointers->ndim != 1 || pointers->shape[0] - 1 != major)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: %s of shape %s; %lld %ss need 1 dim of one more than that", w->op,
                           w->pointers, stria__dims_text(pointers->ndim, pointers->shape).text,
                           (long long)major, w->major);
    if (indices->ndim != 1 || values->ndim < 1 || values->shape[0] != indices->shape[0])
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: %s of shape %s and values of shape %s; both need an item for each "
                           "entry, the first in its only dim, the second in dim 0",
                           w->op, w->indices, stria__dims_text(indices->ndim, indices->shape).text,
                           stria__dims_text(values->ndim, values->shape).text);
    if (values->ndim + 1 > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: rows, columns and %d dense dims are more than %d",
                           w->op, values->ndim - 1, STRIA_MAX_NDIM);
    return STRIA_OK;
}

/* ---- pointers and indices ------------------------------------------------------------------- */

static stria_status check_pointers(const int64_t *pointers, int64_t major, int64_t count,
                                   const struct words *w)
{
    if (pointers[0] != 0)
        return stria__fail(STRIA_ERR_INDEX, "%s: %s starts with %lld, not with 0", w->op,
                           w->pointers, (long long)pointers[0]);
    for (int64_t i = 0; i < major; i++)
        if (pointers[i + 1] < pointers[i])
            return stria__fail(STRIA_ERR_INDEX, "%s: %s falls from %lld to %lld behind %s %lld",
                               w->op, w->pointers, (long long)pointers[i],
                               (long long)pointers[i + 1], w->major, (long long)i);
    if (pointers[major] != count)
        return stria__fail(STRIA_ERR_INDEX, "%s: %s ends with %lld, but there are %lld entries",
                           w->op, w->pointers, (long long)pointers[major], (long long)count);
    return STRIA_OK;
}

/* Checks that the indices of one row rise and are in range. */
static stria_status check_row(const int64_t *indices, int64_t from, int64_t to, int64_t row,
                              int64_t minor, const struct words *w)
{
    for (int64_t k = from; k < to; k++) {
        if (indices[k] < 0 || indices[k] >= minor)
            return stria__fail(STRIA_ERR_INDEX,
                               "%s: entry %lld has %s %lld, but there are %lld of them", w->op,
                               (long long)k, w->minor, (long long)indices[k], (long long)minor);
        if (k > from && indices[k] <= indices[k - 1])
            return stria__fail(STRIA_ERR_INDEX,
                               "%s: in %s %lld %s %lld follows %s %lld; they must rise", w->op,
                               w->major, (long long)row, w->minor, (long long)indices[k], w->minor,
                               (long long)indices[k - 1]);
    }
    return STRIA_OK;
}

static stria_status check_indices(const stria_csr *a, const struct words *w)
{
    const int64_t minor = a->shape[a->compression == STRIA_CSR];
    OWNED_ARRAYS(pointers, indices);
    if (stria_buffer_is_meta(a->pointers.view.buffer) ||
        stria_buffer_is_meta(a->indices.view.buffer))
        return STRIA_OK;
    STRIA_TRY(stria__index_values(&pointers, &a->pointers.view, w->op));
    STRIA_TRY(stria__index_values(&indices, &a->indices.view, w->op));
    const int64_t *const p = items_i64(&pointers.view), major = pointers.view.shape[0] - 1;
    STRIA_TRY(check_pointers(p, major, indices.view.shape[0], w));
    for (int64_t i = 0; i < major; i++) {
        const int64_t from = p[i], to = p[i + 1];
        if (from < 0 || to > indices.view.shape[0]) /* The pointers have changed since. */
            return stria__fail(STRIA_ERR_INDEX, "%s: %s changed while they were read", w->op,
                               w->pointers);
        STRIA_TRY(check_row(items_i64(&indices.view), from, to, i, minor, w));
    }
    return STRIA_OK;
}

static stria_status describe(stria_csr *a, int64_t rows, int64_t columns)
{
    const struct words *const w = &words_of[a->compression];
    const stria_view *const values = &a->values.view;
    a->shape[0] = rows;
    a->shape[1] = columns;
    STRIA_TRY(stria__check_shape(2, a->shape, w->op));
    STRIA_TRY(check_parts(a, w));
    a->ndim = values->ndim + 1;
    for (int d = 2; d < a->ndim; d++)
        a->shape[d] = values->shape[d - 1];
    return stria__check_shape(a->ndim, a->shape, w->op);
}

stria_status stria_csr_make(stria_csr *out, const stria_view *pointers, const stria_view *indices,
                            const stria_view *values, stria_compression compression, int64_t rows,
                            int64_t columns, uint32_t flags, const stria_exec *exec)
{
    TAKES_EXEC(exec, "csr_make");
    stria_csr made;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "csr: out is NULL");
    STRIA_TRY(stria__check_view(pointers, "csr", "the view of pointers"));
    STRIA_TRY(stria__check_view(indices, "csr", "the view of indices"));
    STRIA_TRY(stria__check_view(values, "csr", "the view of values"));
    if (compression != STRIA_CSR && compression != STRIA_CSC)
        return stria__fail(STRIA_ERR_ARGUMENT, "csr: there is no compression %d", (int)compression);
    if (flags & ~(uint32_t)STRIA_SPARSE_TRUSTED)
        return stria__fail(STRIA_ERR_ARGUMENT, "csr: there are no flags %#x", (unsigned)flags);
    made.compression = compression;
    view_copy(&made.pointers.view, pointers);
    view_copy(&made.indices.view, indices);
    view_copy(&made.values.view, values);
    STRIA_TRY(describe(&made, rows, columns));
    if (!(flags & STRIA_SPARSE_TRUSTED)) STRIA_TRY(check_indices(&made, &words_of[compression]));
    made.pointers.owned = stria_buffer_retain(pointers->buffer);
    made.indices.owned = stria_buffer_retain(indices->buffer);
    made.values.owned = stria_buffer_retain(values->buffer);
    stria_csr_release(out);
    *out = made;
    return STRIA_OK;
}

void stria_csr_release(stria_csr *a)
{
    if (!a) return;
    stria_array_release(&a->pointers);
    stria_array_release(&a->indices);
    stria_array_release(&a->values);
}

stria_status stria_csr_transpose(stria_csr *out, const stria_csr *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "csr_transpose");
    STRIA_TRY(stria__csr_check(out, a, "transpose"));
    out->compression = a->compression == STRIA_CSR ? STRIA_CSC : STRIA_CSR;
    array_share(&out->pointers, &a->pointers.view);
    array_share(&out->indices, &a->indices.view);
    array_share(&out->values, &a->values.view);
    out->ndim = a->ndim;
    memcpy(out->shape, a->shape, (size_t)a->ndim * sizeof *a->shape);
    out->shape[0] = a->shape[1];
    out->shape[1] = a->shape[0];
    return STRIA_OK;
}

/* ---- the parts as views --------------------------------------------------------------------- */

static stria_status part(stria_view *out, const stria_csr *a, const stria_array *array,
                         stria_compression wanted, const char *name)
{
    STRIA_TRY(stria__csr_check(out, a, name));
    if (a->compression != wanted)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: the matrix is compressed by %ss; it has %s and %s", name,
                           words_of[a->compression].major, words_of[a->compression].pointers,
                           words_of[a->compression].indices);
    view_copy(out, &array->view);
    return STRIA_OK;
}

#define PART(name, member, compression)                                                            \
    stria_status stria_csr_##name(stria_view *out, const stria_csr *a)                             \
    {                                                                                              \
        return part(out, a, a ? &a->member : NULL, compression, #name);                            \
    }
PART(crow_indices, pointers, STRIA_CSR)
PART(col_indices, indices, STRIA_CSR)
PART(ccol_indices, pointers, STRIA_CSC)
PART(row_indices, indices, STRIA_CSC)

stria_status stria_csr_values(stria_view *out, const stria_csr *a)
{
    return part(out, a, a ? &a->values : NULL, a ? a->compression : STRIA_CSR, "values");
}
