/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contractions: matrix products, and sums of products over any dims, of views of any layout.
 * Operands that a BLAS takes as they lie are handed to it; the others are copied to scratch memory
 * in blocks of a bounded size, never as a whole, in the order of dims that copies least.
 *
 * Dtypes. The operands are promoted to one dtype, as those of stria_multiply are; 8-bit floats are
 * refused. f32, f64, c64 and c128 are multiplied and added in that dtype, f16 and bf16 in f32, and
 * the result is rounded once, to out's dtype. Integers of up to 32 bits are added modulo 2^32,
 * those of 64 bits modulo 2^64. Of bools it is whether any pair is true. out may be of any dtype to
 * which the result may be cast under STRIA_CAST_SAME_KIND.
 *
 * Bits. Floats have the bits of the BLAS in use, or of fused products where these are faster: of a
 * matrix with a vector, of thin matrices, for which a BLAS would pack for longer than it
 * multiplies, and of large ones where the BLAS does not know the CPU. Both differ between
 * libraries, CPUs and numbers of threads. With STRIA_REPRODUCIBLE in exec->hints they are defined,
 * the same on every machine, for every layout and any number of threads: an element is the sum of
 * its products, from +0 and from the first index to the last, in the order in which the summed dims
 * stand in the first operand, each product and each sum rounded to the dtype (real parts and
 * imaginary parts as the four products of numbers that they consist of). Stria's own kernels do
 * that; they also run where there is no BLAS, for integers, and for small matrices. Where one of
 * two operands has summed dims alone (a vector), the defined result is that of stria_vecdot, which
 * a BLAS that takes both as they lie replaces, too, unless neither has other dims. Of no elements a
 * sum is +0. NaNs have any payload.
 *
 * Threads. A BLAS starts threads of its own when it is loaded, and shares its products among as
 * many as it has been told (OPENBLAS_NUM_THREADS); stria_exec is for the rest. Where no others may
 * be started have STRIA_BLAS=none, or a table of NULLs for stria_set_blas.
 *
 * Shapes. out has exactly the shape of the result, any layout, and no two of its elements share a
 * byte. It may overlap operands: the result is as if these had been copied first, or OVERLAP with
 * STRIA_NO_OVERLAP. Lazy conj and neg bits and either byte order are fine. Where a view lies in a
 * meta buffer everything is checked and nothing is computed.
 *
 * Errors, before anything is written: ARGUMENT (NULL, no view, a bad exec, text that is no
 * subscripts), SHAPE (sizes that differ, or out's), DIM, DTYPE, READONLY, OVERLAP, MEMORY (scratch
 * memory of up to some MiB, and intermediate results of more than two operands).
 */
#ifndef STRIA_CONTRACT_H
#define STRIA_CONTRACT_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Matrix products of the last two dims of a and b; the dims before them broadcast. An operand of 1
 * dim is a row as a, a column as b, and that dim is not in the result. numpy.matmul, torch.matmul.
 * SHAPE for 0 dims, and where a has not as many columns as b has rows; BROADCAST.
 */
STRIA_API STRIA_MUST_USE stria_status stria_matmul(const stria_view *out, const stria_view *a,
                                                   const stria_view *b, const stria_exec *exec);
/*
 * Sums products over `count` dims of a with as many of b, which have the same sizes; the result has
 * the other dims of a, then those of b. numpy.tensordot(axes=), torch.tensordot(dims=).
 */
STRIA_API STRIA_MUST_USE stria_status stria_tensordot(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, int count,
                                                      const int *dims_a, const int *dims_b,
                                                      const stria_exec *exec);
/*
 * The same for each index of batch_count dims more, which a and b have both: these come first in
 * the result, in the order of their list. jax.lax.dot_general, Nx.dot.
 */
STRIA_API STRIA_MUST_USE stria_status
stria_tensordot_batch(const stria_view *out, const stria_view *a, const stria_view *b, int count,
                      const int *dims_a, const int *dims_b, int batch_count,
                      const int *dims_batch_a, const int *dims_batch_b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_tensordot_batch_new(stria_array *out, const stria_view *a, const stria_view *b, int count,
                          const int *dims_a, const int *dims_b, int batch_count,
                          const int *dims_batch_a, const int *dims_batch_b, const stria_exec *exec);
/*
 * Sums products of n >= 1 operands as subscripts tell, "ij,jk->ik": each letter is a dim, those of
 * one letter have one size or 1, which broadcasts, and what is not behind the arrow is summed over.
 * A letter twice in an operand is its diagonal. "..." stands for the dims without letters, which
 * broadcast. Without an arrow the result has the letters that stand there once, in the order of the
 * alphabet, behind "...". Spaces are skipped. More than two operands are multiplied two at a time,
 * those first whose product is smallest beside them. numpy.einsum, torch.einsum. ARGUMENT names the
 * place in the text, SHAPE the letter and the operands that disagree.
 */
STRIA_API STRIA_MUST_USE stria_status stria_einsum(const stria_view *out, const char *subscripts,
                                                   int n, const stria_view *const *operands,
                                                   const stria_exec *exec);
/* Multiplies every element of a with every one of b: out has the dims of a, then those of b.
 * torch.outer and numpy.outer of 1-d views; numpy.multiply.outer. */
STRIA_API STRIA_MUST_USE stria_status stria_outer(const stria_view *out, const stria_view *a,
                                                  const stria_view *b, const stria_exec *exec);

/*
 * Do the same into a new array in C order of the dtype to which the operands promote, without
 * memory where an operand lies in a meta buffer. *out is owned by the caller.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_matmul_new(stria_array *out,
                                                                   const stria_view *a,
                                                                   const stria_view *b,
                                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_tensordot_new(stria_array *out, const stria_view *a, const stria_view *b, int count,
                    const int *dims_a, const int *dims_b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_einsum_new(stria_array *out, const char *subscripts, int n, const stria_view *const *operands,
                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_outer_new(stria_array *out,
                                                                  const stria_view *a,
                                                                  const stria_view *b,
                                                                  const stria_exec *exec);
/*
 * Tells how stria_einsum would compute, each product of two operands in turn: which dims are rows,
 * columns and summed, what is copied, and by what it is multiplied; for people to read, it changes
 * with versions and machines. text receives at most size bytes, terminated. Errors as those of
 * stria_einsum; ARGUMENT too where text is NULL or size is 0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_einsum_explain(char *text, size_t size, size_t *length,
                                                           const stria_view *out,
                                                           const char *subscripts, int n,
                                                           const stria_view *const *operands,
                                                           const stria_exec *exec);

/* ---- the BLAS ------------------------------------------------------------------------------- */

/* A function of any type; the caller casts it. */
typedef void stria_blas_function(void);

/*
 * The functions cblas_sgemm, cblas_dgemm, cblas_cgemm and cblas_zgemm of a BLAS, whose integers
 * have int_bits bits: 32, or 64 (ILP64). A NULL means that Stria's own kernels do that dtype.
 * cblas_sgemv and so on multiply with vectors, where they are not NULL.
 */
typedef struct stria_blas {
    stria_blas_function *sgemm, *dgemm, *cgemm, *zgemm, *sgemv, *dgemv, *cgemv, *zgemv;
    int int_bits;
    const char *name; /* for people to read, borrowed for as long as the table is in use; or NULL */
    uint64_t reserved[2]; /* must be zero */
} stria_blas;

/*
 * Sets what all threads use from now on: the functions of a BLAS that the host has loaded, a table
 * of NULLs for none, or NULL for the default. That is looked for when the first product wants it
 * (dlopen): what STRIA_BLAS in the environment names, the file of a library or "none"; else what
 * the library was configured with (CMake's STRIA_BLAS); else OpenBLAS, MKL or BLIS where the
 * dynamic linker finds one. Call it before other threads multiply. ARGUMENT for other int_bits.
 */
STRIA_API STRIA_MUST_USE stria_status stria_set_blas(const stria_blas *blas);
/*
 * Says which BLAS is in use, looking for it if that was not done, its integers, and, of OpenBLAS,
 * for which CPU its kernels are: "libopenblas.so.0: OpenBLAS 0.3.21, kernels for Prescott, 32-bit
 * integers", or "none", and what STRIA_BLAS names in vain. An old OpenBLAS takes a CPU that it does
 * not know for one without AVX and is 7 times as slow; OPENBLAS_CORETYPE=Haswell or SkylakeX in the
 * environment tells it better, and the text says so then. text receives at most size bytes,
 * terminated; ARGUMENT where it is NULL or size is 0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_blas_describe(char *text, size_t size, size_t *length);

/*
 * How a view is a matrix for a BLAS or LAPACK, which store matrices by columns: rows x columns
 * items at the view's address, the dense lines `ld` items apart. trans is 'N' where columns are
 * dense, 'T' where rows are, so that the library sees the transposed matrix, and 'C' where these
 * are conjugated. Where the view must be copied first, `why` says why, and
 * stria_clone_ordered_new(order) makes a copy that is one, in the order that copies fastest.
 */
typedef struct stria_blas_matrix {
    int64_t rows, columns, ld;
    char trans;           /* 0: it must be copied */
    stria_order order;    /* STRIA_ORDER_F ('N') or STRIA_ORDER_C ('T'), of the copy too */
    const char *why;      /* static text, or NULL where it is a matrix as it lies */
    uint64_t reserved[2]; /* the library's own */
} stria_blas_matrix;

/* Tells that of a view of 2 dims (SHAPE), of f32, f64, c64 or c128 (DTYPE). */
STRIA_API STRIA_MUST_USE stria_status stria_as_blas_matrix(stria_blas_matrix *out,
                                                           const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
