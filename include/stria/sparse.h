/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse arrays: the elements that are stored, and their places. Both forms consist of ordinary
 * arrays, which they share with whoever made them: a write through a view of the values changes the
 * sparse array, and the other way round.
 *
 * Constructors check every index once, unless STRIA_SPARSE_TRUSTED says that the indices are known
 * to be right. Results are owned by the caller; the rule of array.h holds for out, which must not
 * be an input here. Errors: ARGUMENT, SHAPE, INDEX (with the entry, its index and the size), DTYPE,
 * OVERFLOW, MEMORY; UNSUPPORTED where indices have to be read and lie in a meta buffer.
 */
#ifndef STRIA_SPARSE_H
#define STRIA_SPARSE_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of the flags of constructors. */
enum {
    STRIA_SPARSE_TRUSTED = 1,  /* no index is checked */
    STRIA_SPARSE_COALESCED = 2 /* entries are in C order and no two have the same indices */
};

/* ---- coordinates: torch.sparse_coo --------------------------------------------------------- */

/*
 * An array of nnz entries. Indices address the first sparse_dim dims of the shape; the others are
 * dense dims of every entry. Entries with the same indices are summed. Fields are read only.
 */
typedef struct stria_coo {
    stria_array indices; /* i64 (sparse_dim, nnz); torch.Tensor._indices */
    stria_array values;  /* (nnz, dense sizes...); torch.Tensor._values */
    int sparse_dim, ndim;
    bool coalesced; /* as STRIA_SPARSE_COALESCED; always true of less than 2 entries */
    int64_t shape[STRIA_MAX_NDIM];
    uint64_t reserved[8]; /* the library's own */
} stria_coo;

/*
 * Makes an array that shares indices (i64, 2 dims, any strides) and values. With shape NULL it is
 * the smallest that has room for the indices, and ndim is ignored.
 * torch.sparse_coo_tensor(check_invariants=True).
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_coo_make(stria_coo *out, const stria_view *indices, const stria_view *values, int ndim,
               const int64_t *shape, uint32_t flags, const stria_exec *exec);
STRIA_API void stria_coo_release(stria_coo *a); /* NULL and released arrays are allowed */

/* View the arrays of a coalesced a, ARGUMENT otherwise; torch.Tensor.indices, values. */
STRIA_API STRIA_MUST_USE stria_status stria_coo_indices(stria_view *out, const stria_coo *a);
STRIA_API STRIA_MUST_USE stria_status stria_coo_values(stria_view *out, const stria_coo *a);

/*
 * Sorts the entries in C order of their indices and sums those with the same indices, in the order
 * in which they were stored, rounded to the dtype each time. The result shares all of a when a is
 * coalesced already. torch.Tensor.coalesce. DTYPE when items would have to be summed that cannot
 * be.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_coo_coalesce(stria_coo *out,
                                                                     const stria_coo *a,
                                                                     const stria_exec *exec);

/*
 * Writes a dense view, or makes a dense array in native byte order, with zeros where there is no
 * entry; torch.Tensor.to_dense.
 */
STRIA_API STRIA_MUST_USE stria_status stria_coo_to_dense(const stria_view *out, const stria_coo *a,
                                                         const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_coo_to_dense_new(stria_array *out,
                                                                         const stria_coo *a,
                                                                         const stria_exec *exec);
/*
 * Makes the coalesced array of the places along the first sparse_dim dims (0 .. ndim) that have an
 * element that is not zero; NaN is not zero, -0.0 is. torch.Tensor.to_sparse.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_coo_from_dense(stria_coo *out,
                                                                       const stria_view *a,
                                                                       int sparse_dim,
                                                                       const stria_exec *exec);

/*
 * Changes the order of the dims; sparse dims stay before dense dims (DIM). The indices are copied
 * when sparse dims move, the values are always shared. torch.permute, transpose.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_coo_permute(stria_coo *out,
                                                                    const stria_coo *a, int count,
                                                                    const int *dims,
                                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_coo_transpose(stria_coo *out,
                                                                      const stria_coo *a, int dim0,
                                                                      int dim1);
/*
 * Selects element `index` of dim, which is dropped. Of a sparse dim, these are copies of the
 * entries that have this index; of a dense dim, a view of the values. torch.select, which gives a
 * dense array when the last sparse dim is dropped; here the result is an array without sparse dims,
 * for stria_coo_to_dense_new.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_coo_select(stria_coo *out,
                                                                   const stria_coo *a, int dim,
                                                                   int64_t index,
                                                                   const stria_exec *exec);

/* ---- compressed rows or columns: torch.sparse_csr, sparse_csc ------------------------------ */

typedef enum stria_compression {
    STRIA_CSR = 0, /* entries row by row */
    STRIA_CSC = 1  /* entries column by column */
} stria_compression;

/*
 * A matrix of nnz entries, each an item or an array of dense dims. The entries of row i (CSR) are
 * pointers[i] .. pointers[i + 1] - 1, in rising order of their columns, each column at most once;
 * for CSC rows and columns are exchanged. Fields are read only.
 */
typedef struct stria_csr {
    stria_compression compression;
    stria_array pointers; /* rows + 1 of i32 or i64 */
    stria_array indices;  /* nnz of the same dtype, the column of each entry */
    stria_array values;   /* (nnz, dense sizes...) */
    int ndim;
    int64_t shape[STRIA_MAX_NDIM]; /* rows, columns, dense sizes */
    uint64_t reserved[8];          /* the library's own */
} stria_csr;

/*
 * Makes a matrix that shares the three arrays. torch.sparse_csr_tensor, sparse_csc_tensor
 * (check_invariants=True).
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_csr_make(stria_csr *out, const stria_view *pointers, const stria_view *indices,
               const stria_view *values, stria_compression compression, int64_t rows,
               int64_t columns, uint32_t flags, const stria_exec *exec);
STRIA_API void stria_csr_release(stria_csr *a); /* NULL and released arrays are allowed */

/*
 * View the arrays under torch's names, which tell how the matrix is compressed: the first two are
 * those of CSR, the next two those of CSC; ARGUMENT for the other one.
 */
STRIA_API STRIA_MUST_USE stria_status stria_csr_crow_indices(stria_view *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_col_indices(stria_view *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_ccol_indices(stria_view *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_row_indices(stria_view *out, const stria_csr *a);
STRIA_API STRIA_MUST_USE stria_status stria_csr_values(stria_view *out, const stria_csr *a);

/* Swaps rows and columns by changing the compression; all three arrays are shared. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_csr_transpose(stria_csr *out,
                                                                      const stria_csr *a,
                                                                      const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_csr_to_dense(const stria_view *out, const stria_csr *a,
                                                         const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_csr_to_dense_new(stria_array *out,
                                                                         const stria_csr *a,
                                                                         const stria_exec *exec);
/*
 * Compresses an array of two sparse dims, which is coalesced first if it is not. The columns and
 * values are shared with the coalesced form. torch.Tensor.to_sparse_csr.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_csr_from_coo(stria_csr *out,
                                                                     const stria_coo *a,
                                                                     const stria_exec *exec);

/* ---- products ------------------------------------------------------------------------------ */

/*
 * Multiplies a matrix of two sparse dims with a dense vector or matrix: out = a b, a vector where b
 * is one. Numbers are computed in f32, f64, c64 or c128, whichever their common dtype is or floats
 * of 2 bytes become, integers in 64 bits, which wrap; out may have any dtype to which the result
 * casts under same_kind rules. Entries with the same indices count as their sum. Threads take even
 * shares of the entries of rows; CSC and coordinates that are not coalesced are added by one
 * thread. Any strides and overlap. scipy.sparse a @ b, torch.sparse.mm. DTYPE, SHAPE, READONLY,
 * OVERLAP; INDEX for one that is beyond the matrix, which STRIA_SPARSE_TRUSTED lets in;
 * it is found while out is written.
 */
STRIA_API STRIA_MUST_USE stria_status stria_csr_matmul(const stria_view *out, const stria_csr *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_coo_matmul(const stria_view *out, const stria_coo *a,
                                                       const stria_view *b, const stria_exec *exec);
/* Do the same into new arrays. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_csr_matmul_new(stria_array *out,
                                                                       const stria_csr *a,
                                                                       const stria_view *b,
                                                                       const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_coo_matmul_new(stria_array *out,
                                                                       const stria_coo *a,
                                                                       const stria_view *b,
                                                                       const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
