/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions of compressed matrices to dense ones, and from coordinates. */
#include <string.h>

#include "array.h"
#include "ops/index/indexed.h"
#include "ops/make.h"
#include "ops/sparse/sparse.h"
#include "status.h"
#include "view/view.h"

/* ---- to dense ------------------------------------------------------------------------------- */

/* A matrix as dense i64 lists. */
struct lists {
    const int64_t *pointers, *indices;
    int64_t major, count;
};

/*
 * Computes the place of every entry in the C order of rows and columns. Trusted pointers may be
 * wrong and are not followed out of the list. The product of the sizes fits in 64 bits.
 */
static stria_status add_places(int64_t *places, const struct lists *in, int64_t major_step,
                               int64_t minor_step)
{
    for (int64_t i = 0; i < in->major; i++) {
        const int64_t from = in->pointers[i], to = in->pointers[i + 1];
        if (from < 0 || to > in->count)
            return stria__fail(STRIA_ERR_INDEX,
                               "to_dense: pointer %lld .. %lld lies outside the %lld entries",
                               (long long)from, (long long)to, (long long)in->count);
        for (int64_t k = from; k < to; k++)
            places[k] = (int64_t)((uint64_t)i * (uint64_t)major_step +
                                  (uint64_t)in->indices[k] * (uint64_t)minor_step);
    }
    return STRIA_OK;
}

static stria_status places_of(stria_array *out, const stria_csr *a, const stria_view *pointers,
                              const stria_view *indices)
{
    const struct lists in = {(const int64_t *)(const void *)pointers->data,
                             (const int64_t *)(const void *)indices->data, pointers->shape[0] - 1,
                             indices->shape[0]};
    const bool rows = a->compression == STRIA_CSR;
    stria_array made;
    array_none(&made);
    STRIA_TRY(stria_zeros(&made, stria_dtype_of(STRIA_I64), 1, &in.count));
    return stria__deliver(out, &made,
                          add_places((int64_t *)(void *)made.view.data, &in, rows ? a->shape[1] : 1,
                                     rows ? 1 : a->shape[1]));
}

static stria_status read_places(stria_array *out, const stria_csr *a)
{
    stria_array pointers, indices;
    array_none(&pointers);
    array_none(&indices);
    STRIA_TRY(stria__sparse_check_readable(&a->pointers.view, "to_dense"));
    STRIA_TRY(stria__sparse_check_readable(&a->indices.view, "to_dense"));
    STRIA_TRY(stria__index_values(&pointers, &a->pointers.view, "to_dense"));
    stria_status status = stria__index_values(&indices, &a->indices.view, "to_dense");
    if (status == STRIA_OK) {
        status = places_of(out, a, &pointers.view, &indices.view);
        stria_array_release(&indices);
    }
    stria_array_release(&pointers);
    return status;
}

stria_status stria_csr_to_dense(stria_array *out, const stria_csr *a)
{
    stria_array places;
    array_none(&places);
    STRIA_TRY(stria__csr_check(out, a, "to_dense"));
    STRIA_TRY(read_places(&places, a));
    const stria_status status =
        stria__sparse_scatter(out, a->ndim, a->shape, 2, &places.view, &a->values.view, false);
    stria_array_release(&places);
    return status;
}

/* ---- from coordinates ----------------------------------------------------------------------- */

/*
 * Counts the entries of each row. pointers has rows + 1 zeros; the rows of the entries rise.
 * Trusted rows may be wrong, and are checked here.
 */
static stria_status count_rows(int64_t *pointers, int64_t rows, const int64_t *row, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (row[i] < 0 || row[i] >= rows)
            return stria__fail(STRIA_ERR_INDEX, "to_sparse_csr: entry %lld is in row %lld of %lld",
                               (long long)i, (long long)row[i], (long long)rows);
        pointers[row[i] + 1]++;
    }
    for (int64_t i = 0; i < rows; i++)
        pointers[i + 1] += pointers[i];
    return STRIA_OK;
}

static stria_status pointers_of(stria_array *out, const stria_coo *a, const stria_view *row)
{
    const int64_t rows = a->shape[0];
    int64_t length;
    stria_array dense, made;
    array_none(&dense);
    array_none(&made);
    if (add_overflows(rows, 1, &length))
        return stria__fail(STRIA_ERR_OVERFLOW, "to_sparse_csr: %lld rows and one do not fit",
                           (long long)rows);
    STRIA_TRY(stria__index_values(&dense, row, "to_sparse_csr"));
    stria_status status = stria_zeros(&made, stria_dtype_of(STRIA_I64), 1, &length);
    if (status == STRIA_OK)
        status = stria__deliver(out, &made,
                                count_rows((int64_t *)(void *)made.view.data, rows,
                                           (const int64_t *)(const void *)dense.view.data,
                                           coo_count(a)));
    stria_array_release(&dense);
    return status;
}

static stria_status compress(stria_csr *out, const stria_coo *a)
{
    stria_view row, column;
    stria_array pointers;
    array_none(&pointers);
    STRIA_TRY(stria_select(&row, &a->indices.view, 0, 0));
    STRIA_TRY(stria_select(&column, &a->indices.view, 0, 1));
    STRIA_TRY(pointers_of(&pointers, a, &row));
    const stria_status status =
        stria_csr_make(out, STRIA_CSR, &pointers.view, &column, &a->values.view, a->shape[0],
                       a->shape[1], STRIA_SPARSE_TRUSTED);
    stria_array_release(&pointers);
    return status;
}

stria_status stria_csr_from_coo(stria_csr *out, const stria_coo *a)
{
    stria_coo sorted;
    stria__coo_none(&sorted);
    STRIA_TRY(stria__coo_check(out, a, "to_sparse_csr"));
    if (a->sparse_dim != 2)
        return stria__fail(STRIA_ERR_SHAPE, "to_sparse_csr: %d sparse dims; a matrix has 2",
                           a->sparse_dim);
    STRIA_TRY(stria__sparse_check_readable(&a->indices.view, "to_sparse_csr"));
    STRIA_TRY(stria_coo_coalesce(&sorted, a));
    const stria_status status = compress(out, &sorted);
    stria_coo_release(&sorted);
    return status;
}
