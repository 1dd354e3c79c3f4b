/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions of compressed matrices to dense ones, and from coordinates. */
#include <string.h>

#include "ops/doors.h"
#include "ops/index/indexed.h"
#include "ops/sparse/sparse.h"

/* ---- to dense ------------------------------------------------------------------------------- */

/*
 * Computes the place of every entry in the C order of rows and columns. Trusted pointers may be
 * wrong and are not followed out of the list. The product of the sizes fits in 64 bits.
 */
static stria_status add_places(const stria_view *places, const stria_csr *a,
                               const int64_t *pointers, const int64_t *indices)
{
    const bool rows = a->compression == STRIA_CSR;
    const uint64_t major = rows ? (uint64_t)a->shape[1] : 1,
                   minor = rows ? 1 : (uint64_t)a->shape[1];
    const int64_t count = places->shape[0];
    for (int64_t i = 0; i < a->pointers.view.shape[0] - 1; i++) {
        const int64_t from = pointers[i], to = pointers[i + 1];
        if (from < 0 || to > count)
            return stria__fail(STRIA_ERR_INDEX,
                               "to_dense: pointer %lld .. %lld lies outside the %lld entries",
                               (long long)from, (long long)to, (long long)count);
        for (int64_t k = from; k < to; k++)
            items_i64(places)[k] = (int64_t)((uint64_t)i * major + (uint64_t)indices[k] * minor);
    }
    return STRIA_OK;
}

static stria_status csr_to_dense(const stria_view *out, stria_array *made, const stria_csr *a,
                                 const stria_exec *exec)
{
    OWNED_ARRAYS(pointers, indices, places);
    TAKES_EXEC(exec, "to_dense");
    STRIA_TRY(stria__csr_check(out ? (const void *)out : made, a, "to_dense"));
    STRIA_TRY(stria__sparse_check_readable(&a->pointers.view, "to_dense"));
    STRIA_TRY(stria__sparse_check_readable(&a->indices.view, "to_dense"));
    STRIA_TRY(stria__index_values(&pointers, &a->pointers.view, "to_dense"));
    STRIA_TRY(stria__index_values(&indices, &a->indices.view, "to_dense"));
    STRIA_TRY(stria_zeros(&places, stria_dtype_of(STRIA_I64), 1, indices.view.shape));
    STRIA_TRY(add_places(&places.view, a, items_i64(&pointers.view), items_i64(&indices.view)));
    struct entries e = {2, &places.view, &a->values.view, false};
    return stria__sparse_scatter(out, made, a->ndim, a->shape, &e, exec);
}

DOORS(csr_to_dense, (const stria_csr *a), csr_to_dense(out, made, a, exec))

/* ---- from coordinates ----------------------------------------------------------------------- */

/*
 * Counts the entries of each row. pointers has rows + 1 zeros; the rows of the entries rise.
 * Trusted rows may be wrong, and are checked here.
 */
static stria_status count_rows(int64_t *pointers, int64_t rows, const int64_t *row, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t to = row[i];
        if (to < 0 || to >= rows)
            return stria__fail(STRIA_ERR_INDEX, "to_sparse_csr: entry %lld is in row %lld of %lld",
                               (long long)i, (long long)to, (long long)rows);
        pointers[to + 1]++;
    }
    for (int64_t i = 0; i < rows; i++)
        pointers[i + 1] += pointers[i];
    return STRIA_OK;
}

static stria_status compress(stria_csr *out, const stria_coo *a)
{
    const int64_t rows = a->shape[0];
    int64_t length;
    stria_view row, column;
    OWNED_ARRAYS(dense, pointers);
    STRIA_TRY(stria_select(&row, &a->indices.view, 0, 0));
    STRIA_TRY(stria_select(&column, &a->indices.view, 0, 1));
    if (add_overflows(rows, 1, &length))
        return stria__fail(STRIA_ERR_OVERFLOW, "to_sparse_csr: %lld rows and one do not fit",
                           (long long)rows);
    STRIA_TRY(stria__index_values(&dense, &row, "to_sparse_csr"));
    STRIA_TRY(stria_zeros(&pointers, stria_dtype_of(STRIA_I64), 1, &length));
    STRIA_TRY(count_rows(items_i64(&pointers.view), rows, items_i64(&dense.view), coo_count(a)));
    return stria_csr_make(out, &pointers.view, &column, &a->values.view, STRIA_CSR, rows,
                          a->shape[1], STRIA_SPARSE_TRUSTED, NULL);
}

stria_status stria_csr_from_coo(stria_csr *out, const stria_coo *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "csr_from_coo");
    OWNED_COO(sorted);
    STRIA_TRY(stria__coo_check(out, a, "to_sparse_csr"));
    if (a->sparse_dim != 2)
        return stria__fail(STRIA_ERR_SHAPE, "to_sparse_csr: %d sparse dims; a matrix has 2",
                           a->sparse_dim);
    STRIA_TRY(stria__sparse_check_readable(&a->indices.view, "to_sparse_csr"));
    STRIA_TRY(stria_coo_coalesce(&sorted, a, NULL));
    return compress(out, &sorted);
}
