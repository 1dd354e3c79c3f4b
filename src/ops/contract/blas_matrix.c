/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes views as matrices for libraries that store matrices by columns. */
#include "stria/contract.h"
#include "view/view.h"

/* Says why lines of n items, `dense` bytes from one item to the next, are no matrix, or NULL. */
static const char *refusal(int64_t item, int64_t n, int64_t dense, int64_t lines, int64_t apart)
{
    if (n > 1 && dense != item) return "neither its rows nor its columns are dense";
    if (lines > 1 && apart < n * item) return "its lines overlap, or go backwards";
    return lines > 1 && apart % item != 0 ? "its lines are no whole number of items apart" : NULL;
}

stria_status stria_as_blas_matrix(stria_blas_matrix *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "as_blas_matrix"));
    if (a->dtype.kind < STRIA_F32 || a->dtype.kind > STRIA_C128)
        return stria__fail(STRIA_ERR_DTYPE, "as_blas_matrix: %s, takes f32, f64, c64 and c128",
                           stria__dtype_text(a->dtype).text);
    if (a->ndim != 2)
        return stria__fail(STRIA_ERR_SHAPE, "as_blas_matrix: %d dims, takes 2", a->ndim);
    const int64_t item = a->dtype.itemsize, rows = a->shape[0], columns = a->shape[1];
    const int64_t down = a->strides[0], across = a->strides[1];
    const bool conjugated = a->flags & STRIA_CONJ;
    /* One row or one column is stored both ways; the nearer items are taken as dense. */
    const bool by_columns = columns == 1 || (rows != 1 && magnitude(down) < magnitude(across));
    const int64_t n = by_columns ? rows : columns, lines = by_columns ? columns : rows;
    const int64_t apart = by_columns ? across : down;
    const char *why = refusal(item, n, by_columns ? down : across, lines, apart);
    if (a->dtype.swapped)
        why = "its items have the other byte order";
    else if (a->flags & STRIA_NEG)
        why = "its elements are negated lazily";
    else if (conjugated && by_columns)
        why = "its columns are conjugated lazily";
    else if (!stria_is_aligned(a))
        why = "its items are not aligned";
    *out = (stria_blas_matrix){.rows = rows,
                               .columns = columns,
                               .ld = lines > 1 && !why ? apart / item
                                     : n > 1           ? n
                                                       : 1,
                               .trans = (char)(why          ? 0
                                               : by_columns ? 'N'
                                               : conjugated ? 'C'
                                                            : 'T'),
                               .order = by_columns ? STRIA_ORDER_F : STRIA_ORDER_C,
                               .why = why};
    return STRIA_OK;
}
