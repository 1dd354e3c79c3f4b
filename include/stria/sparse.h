/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse arrays: the elements that are there, and where. Both forms are made of ordinary arrays,
 * which they share with whoever made them: what is written through a view of the values is seen by
 * the sparse array, and the other way round.
 *
 * Constructors look at every index once and refuse what does not fit; STRIA_SPARSE_TRUSTED is the
 * way around that for indices that are known to be right. Results are owned by the caller, and out
 * must not be an input. Errors: ARGUMENT, SHAPE, INDEX (with the entry, its index and the size),
 * DTYPE, OVERFLOW, MEMORY; UNSUPPORTED where indices have to be read and lie in a meta buffer.
 */
#ifndef STRIA_SPARSE_H
#define STRIA_SPARSE_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of the flags of constructors. */
enum {
    STRIA_SPARSE_TRUSTED = 1,  /* no index is looked at */
    STRIA_SPARSE_COALESCED = 2 /* entries are in C order and no two have the same indices */
};

/* ---- coordinates: torch.sparse_coo --------------------------------------------------------- */

/*
 * nnz entries; the first sparse_dim dims of the shape are addressed by indices, the others are dense
 * dims of every entry. Entries with the same indices add up. Fields are read only.
 */
typedef struct stria_coo {
    stria_array indices; /* i64 (sparse_dim, nnz); torch.Tensor._indices */
    stria_array values;  /* (nnz, dense sizes...); torch.Tensor._values */
    int sparse_dim, ndim;
    bool coalesced; /* as STRIA_SPARSE_COALESCED; always with less than 2 entries */
    int64_t shape[STRIA_MAX_NDIM];
} stria_coo;

/*
 * Shares indices (i64, 2 dims, any strides) and values. shape NULL: the smallest that has room, and
 * ndim is not looked at. torch.sparse_coo_tensor(check_invariants=True).
 */
STRIA_API STRIA_MUST_USE stria_status stria_coo_make(stria_coo *out, const stria_view *indices,
                                                     const stria_view *values, int ndim,
                                                     const int64_t *shape, uint32_t flags);
STRIA_API void stria_coo_release(stria_coo *a); /* NULL and released ones are allowed */

/* Views of the arrays of a coalesced a, ARGUMENT otherwise; torch.Tensor.indices, values. */
STRIA_API STRIA_MUST_USE stria_status stria_coo_indices(stria_view *out, const stria_coo *a);
STRIA_API STRIA_MUST_USE stria_status stria_coo_values(stria_view *out, const stria_coo *a);

/*
 * Entries in C order of their indices, those with the same indices summed in the order in which
 * they stood, rounded to the dtype each time. Shares all of a when that is coalesced already.
 * torch.Tensor.coalesce. DTYPE when items that cannot be added have to be.
 */
STRIA_API STRIA_MUST_USE stria_status stria_coo_coalesce(stria_coo *out, const stria_coo *a);

/* A new array with zeros elsewhere, in native byte order; torch.Tensor.to_dense. */
STRIA_API STRIA_MUST_USE stria_status stria_coo_to_dense(stria_array *out, const stria_coo *a);
/*
 * The places along the first sparse_dim dims (0 .. ndim) where some element is not zero, coalesced;
 * NaN is not zero, -0.0 is. torch.Tensor.to_sparse.
 */
STRIA_API STRIA_MUST_USE stria_status stria_coo_from_dense(stria_coo *out, const stria_view *a,
                                                           int sparse_dim);

/*
 * Dims in another order: sparse ones stay before dense ones (DIM). The indices are copied when
 * sparse dims move, the values never. torch.permute, transpose.
 */
STRIA_API STRIA_MUST_USE stria_status stria_coo_permute(stria_coo *out, const stria_coo *a,
                                                        int ndim, const int *dims);
STRIA_API STRIA_MUST_USE stria_status stria_coo_transpose(stria_coo *out, const stria_coo *a,
                                                          int dim0, int dim1);
/*
 * Element `index` of dim, which goes. Of a sparse dim: the entries that have this index, copied; of
 * a dense dim: a view of the values. torch.select, which gives a dense array when the last sparse
 * dim goes; here that is an array without sparse dims, for stria_coo_to_dense.
 */
STRIA_API STRIA_MUST_USE stria_status stria_coo_select(stria_coo *out, const stria_coo *a, int dim,
                                                       int64_t index);

/* ---- compressed rows or columns: torch.sparse_csr, sparse_csc ------------------------------ */

typedef enum stria_compression {
    STRIA_CSR, /* entries row by row */
    STRIA_CSC  /* entries column by column */
} stria_compression;

/*
 * A matrix of nnz entries, each an item or an array of dense dims. The entries of row i (CSR) are
 * pointers[i] .. pointers[i + 1] - 1, in rising order of their column, each column at most once;
 * for CSC rows and columns change places. Fields are read only.
 */
typedef struct stria_csr {
    stria_compression compression;
    stria_array pointers; /* rows + 1 of i32 or i64 */
    stria_array indices;  /* nnz of the same dtype: the column of each entry */
    stria_array values;   /* (nnz, dense sizes...) */
    int ndim;
    int64_t shape[STRIA_MAX_NDIM]; /* rows, columns, dense sizes */
} stria_csr;

/* Shares the three arrays. torch.sparse_csr_tensor, sparse_csc_tensor (check_invariants=True). */
STRIA_API STRIA_MUST_USE stria_status stria_csr_make(stria_csr *out, stria_compression compression,
                                                     const stria_view *pointers,
                                                     const stria_view *indices,
                                                     const stria_view *values, int64_t rows,
                                                     int64_t columns, uint32_t flags);
STRIA_API void stria_csr_release(stria_csr *a); /* NULL and released ones are allowed */

/*
 * Views of the arrays under torch's names, which say how the matrix is compressed: the first two
 * are those of CSR, the next two of CSC; ARGUMENT for the other one.
 */
STRIA_API STRIA_MUST_USE stria_status stria_csr_crow_indices(stria_view *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_col_indices(stria_view *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_ccol_indices(stria_view *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_row_indices(stria_view *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_values(stria_view *out, const stria_csr *a);

/* Rows and columns swapped by compressing the other way: all three arrays are shared. */
STRIA_API STRIA_MUST_USE stria_status stria_csr_transpose(stria_csr *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_to_dense(stria_array *out, const stria_csr *a);
/*
 * Two sparse dims, coalesced first where they are not; the columns and values are shared with the
 * coalesced form. torch.Tensor.to_sparse_csr.
 */
STRIA_API STRIA_MUST_USE stria_status stria_csr_from_coo(stria_csr *out, const stria_coo *a);

#ifdef __cplusplus
}
#endif

#endif
