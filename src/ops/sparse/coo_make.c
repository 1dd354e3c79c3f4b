/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinate arrays: construction, which checks every index, and views of the two parts. */
#include <string.h>

#include "ops/operands.h"
#include "ops/index/indexed.h"
#include "ops/sparse/sparse.h"
#include "plan/threads.h"

/* Dense rows of indices, one for each sparse dim. */
struct rows {
    const int64_t *at;
    int dims;
    int64_t n;
};

/* ---- the parts as arrays -------------------------------------------------------------------- */

static stria_status check_parts(const stria_view *indices, const stria_view *values)
{
    const char *const op = "coo";
    STRIA_TRY(stria__sparse_check_index_dtype(indices, "indices", op));
    if (indices->dtype.kind != STRIA_I64)
        return stria__fail(STRIA_ERR_DTYPE, "coo: indices are of dtype i32; astype them to i64");
    if (indices->ndim != 2)
        return stria__fail(STRIA_ERR_SHAPE,
                           "coo: indices of shape %s; they must be (sparse dims, entries)",
                           stria__dims_text(indices->ndim, indices->shape).text);
    if (values->ndim < 1 || values->shape[0] != indices->shape[1])
        return stria__fail(STRIA_ERR_SHAPE,
                           "coo: indices of shape %s have %lld entries, values of shape %s must "
                           "have as many in dim 0",
                           stria__dims_text(2, indices->shape).text, (long long)indices->shape[1],
                           stria__dims_text(values->ndim, values->shape).text);
    if (indices->shape[0] > STRIA_MAX_NDIM - (values->ndim - 1))
        return stria__fail(STRIA_ERR_SHAPE, "coo: %lld sparse and %d dense dims are more than %d",
                           (long long)indices->shape[0], values->ndim - 1, STRIA_MAX_NDIM);
    return STRIA_OK;
}

static stria_status check_sizes(int sparse_dim, const stria_view *values, int ndim,
                                const int64_t *shape)
{
    const int dense = values->ndim - 1;
    STRIA_TRY(stria__check_shape(ndim, shape, "coo"));
    bool fits = ndim == sparse_dim + dense;
    for (int d = 0; fits && d < dense; d++)
        fits = shape[sparse_dim + d] == values->shape[1 + d];
    if (fits) return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE,
                       "coo: shape %s is not %d sparse dims and the dense dims %s of the values",
                       stria__dims_text(ndim, shape).text, sparse_dim,
                       stria__dims_text(dense, values->shape + 1).text);
}

/* ---- the indices ---------------------------------------------------------------------------- */

static stria_status check_ranges(const struct rows *rows, const int64_t *shape)
{
    for (int d = 0; d < rows->dims; d++)
        for (int64_t i = 0; i < rows->n; i++) {
            if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
            const int64_t index = rows->at[d * rows->n + i];
            if (index < 0 || index >= shape[d])
                return stria__fail(STRIA_ERR_INDEX,
                                   "coo: entry %lld has index %lld in dim %d, which has size %lld",
                                   (long long)i, (long long)index, d, (long long)shape[d]);
        }
    return STRIA_OK;
}

static stria_status check_order(const struct rows *rows)
{
    for (int64_t i = 1; i < rows->n; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        int d = 0;
        int64_t rise = 0;
        for (; d < rows->dims && rise == 0; d++)
            rise = rows->at[d * rows->n + i] - rows->at[d * rows->n + i - 1];
        if (rise <= 0)
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "coo: entries %lld and %lld %s, so that they are not coalesced; "
                               "leave the flag out and coalesce",
                               (long long)i - 1, (long long)i,
                               rise ? "are not in order" : "have the same indices");
    }
    return STRIA_OK;
}

/* Infers the size of each dim: the largest index and 1 more. */
static void infer(int64_t *shape, const struct rows *rows)
{
    for (int d = 0; d < rows->dims; d++) {
        shape[d] = 0;
        for (int64_t i = 0; i < rows->n; i++) {
            if (i % ASKED_STEPS == 0 && stria__is_stopped()) return;
            const int64_t index = rows->at[d * rows->n + i];
            if (index >= shape[d] && index < INT64_MAX) shape[d] = index + 1;
        }
    }
}

static struct rows rows_of(const stria_array *dense, const stria_coo *a)
{
    return (struct rows){items_i64(&dense->view), a->sparse_dim, coo_count(a)};
}

static stria_status check_indices(const stria_coo *a, uint32_t flags)
{
    OWNED_ARRAY(dense);
    STRIA_TRY(stria__index_values(&dense, &a->indices.view, "coo"));
    const struct rows rows = rows_of(&dense, a);
    STRIA_TRY(check_ranges(&rows, a->shape));
    return flags & STRIA_SPARSE_COALESCED ? check_order(&rows) : STRIA_OK;
}

static stria_status infer_shape(stria_coo *a)
{
    OWNED_ARRAY(dense);
    STRIA_TRY(stria__sparse_check_readable(&a->indices.view, "coo without a shape"));
    STRIA_TRY(stria__index_values(&dense, &a->indices.view, "coo"));
    const struct rows rows = rows_of(&dense, a);
    infer(a->shape, &rows);
    STRIA_TRY(stria__watch_end(NULL));
    a->ndim = a->sparse_dim + a->values.view.ndim - 1;
    for (int d = a->sparse_dim; d < a->ndim; d++)
        a->shape[d] = a->values.view.shape[d - a->sparse_dim + 1];
    return stria__check_shape(a->ndim, a->shape, "coo");
}

/*
 * Sets the sizes and checks what the flags promise; the arrays are borrowed until everything is
 * checked.
 */
static stria_status describe(stria_coo *a, int ndim, const int64_t *shape, uint32_t flags)
{
    a->sparse_dim = (int)a->indices.view.shape[0];
    a->coalesced = flags & STRIA_SPARSE_COALESCED || coo_count(a) < 2;
    if (shape) {
        STRIA_TRY(check_sizes(a->sparse_dim, &a->values.view, ndim, shape));
        a->ndim = ndim;
        memcpy(a->shape, shape, (size_t)ndim * sizeof *shape);
    } else {
        STRIA_TRY(infer_shape(a));
    }
    if (flags & STRIA_SPARSE_TRUSTED || stria_buffer_is_meta(a->indices.view.buffer))
        return STRIA_OK;
    return check_indices(a, flags);
}

stria_status stria_coo_make(stria_coo *out, const stria_view *indices, const stria_view *values,
                            int ndim, const int64_t *shape, uint32_t flags, const stria_exec *exec)
{
    TAKES_EXEC(exec, "coo_make");
    WATCHES(NULL);
    stria_coo made;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "coo: out is NULL");
    STRIA_TRY(stria__check_view(indices, "coo", "the view of indices"));
    STRIA_TRY(stria__check_view(values, "coo", "the view of values"));
    if (flags & ~(uint32_t)(STRIA_SPARSE_TRUSTED | STRIA_SPARSE_COALESCED))
        return stria__fail(STRIA_ERR_ARGUMENT, "coo: there are no flags %#x", (unsigned)flags);
    STRIA_TRY(check_parts(indices, values));
    view_copy(&made.indices.view, indices);
    view_copy(&made.values.view, values);
    STRIA_TRY(describe(&made, ndim, shape, flags));
    made.indices.owned = stria_buffer_retain(indices->buffer);
    made.values.owned = stria_buffer_retain(values->buffer);
    stria_coo_release(out);
    *out = made;
    return STRIA_OK;
}

void stria__coo_deliver(stria_coo *out, stria_coo *made)
{
    (void)stria__deliver(&out->values, &made->values, STRIA_OK);
    (void)stria__deliver(&out->indices, &made->indices, STRIA_OK);
}

void stria__coo_describe(stria_coo *out, const stria_coo *a)
{
    out->sparse_dim = a->sparse_dim;
    out->ndim = a->ndim;
    out->coalesced = a->coalesced;
    memcpy(out->shape, a->shape, (size_t)a->ndim * sizeof *a->shape);
}

void stria__coo_share(stria_coo *out, const stria_coo *a)
{
    stria__coo_describe(out, a);
    array_share(&out->indices, &a->indices.view);
    array_share(&out->values, &a->values.view);
}

void stria_coo_release(stria_coo *a)
{
    if (!a) return;
    stria_array_release(&a->indices);
    stria_array_release(&a->values);
}

/* ---- the parts as views --------------------------------------------------------------------- */

static stria_status part(stria_view *out, const stria_coo *a, const stria_array *array,
                         const char *name)
{
    STRIA_TRY(stria__coo_check(out, a, name));
    if (!a->coalesced)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: some of the %lld entries may have the same indices; coalesce "
                           "first, or take the field .%s, which holds them as they are",
                           name, (long long)coo_count(a), name);
    view_copy(out, &array->view);
    return STRIA_OK;
}

stria_status stria_coo_indices(stria_view *out, const stria_coo *a)
{
    return part(out, a, a ? &a->indices : NULL, "indices");
}

stria_status stria_coo_values(stria_view *out, const stria_coo *a)
{
    return part(out, a, a ? &a->values : NULL, "values");
}
