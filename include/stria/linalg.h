/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear systems and factorizations of views by LAPACK, which is loaded when the first of these is
 * called. They are functions of libstria_linalg, which a program links beside libstria
 * (-lstria_linalg); calls by name and text load it.
 *
 * Which LAPACK: the file that STRIA_LAPACK in the environment names, or "none"; else that of
 * STRIA_BLAS; else OpenBLAS, MKL or the reference where the dynamic linker finds one. UNSUPPORTED
 * where there is none. Its threads are its own; a batch of matrices of up to 256 rows and columns
 * is divided among those of exec.
 *
 * Views of any layout, of f32, f64, c64 or c128; integers and bools are read as f32, or as f64 with
 * STRIA_PROMOTE_AS_NUMPY in exec->hints. The last two dims are matrices, the dims before them a
 * batch. New arrays are owned by the caller; their matrices lie by columns.
 *
 * A matrix that cannot be done is ARGUMENT, and the message tells which one of the batch and why;
 * singular values, and eigenvalues of any matrix, are those of finite numbers.
 * Other errors: DTYPE, SHAPE, BROADCAST, UNSUPPORTED, also for matrices whose vectors a LAPACK of
 * 32-bit integers cannot compute, MEMORY. Nothing is changed then. exec->watch is asked
 * between matrices.
 */
#ifndef STRIA_LINALG_H
#define STRIA_LINALG_H

#include <stddef.h>

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Solves a x = b for square a. A b of 1 dim is one vector; other batches broadcast. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_solve_new(stria_array *out,
                                                                  const stria_view *a,
                                                                  const stria_view *b,
                                                                  const stria_exec *exec);
/* Does that for triangular a, of which the other triangle is not read; `unit`: nor its diagonal,
 * which is 1. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_triangular_solve_new(stria_array *out, const stria_view *a, const stria_view *b, bool upper,
                           bool unit, const stria_exec *exec);
/* Inverts square a. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_inv_new(stria_array *out,
                                                                const stria_view *a,
                                                                const stria_exec *exec);
/* Determinants; and their signs (of complex numbers of magnitude 1) and logarithms of magnitude. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_det_new(stria_array *out,
                                                                const stria_view *a,
                                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_slogdet_new(stria_array *out_sign,
                                                                    stria_array *out_logarithm,
                                                                    const stria_view *a,
                                                                    const stria_exec *exec);
/* a = P L U: L below the diagonal of out_lu, where it has ones, and U above; out_pivots, i32, tell
 * with which row, from 1, each row changed places. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_lu_factor_new(stria_array *out_lu,
                                                                      stria_array *out_pivots,
                                                                      const stria_view *a,
                                                                      const stria_exec *exec);
/* Positive definite a = L L^H, whose lower triangle is read; upper: U^H U, the upper one. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_cholesky_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     bool upper,
                                                                     const stria_exec *exec);
/* a = Q R; Q has as many columns as the smaller side of a, or is square if `complete`. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_qr_new(stria_array *out_q,
                                                               stria_array *out_r,
                                                               const stria_view *a, bool complete,
                                                               const stria_exec *exec);
/* a = U diag(S) Vh, S falling; `full`: U and Vh are square. out_u and out_vh may both be NULL. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_svd_new(stria_array *out_u,
                                                                stria_array *out_s,
                                                                stria_array *out_vh,
                                                                const stria_view *a, bool full,
                                                                const stria_exec *exec);
/* Eigenvalues of Hermitian a, rising, and eigenvectors, the columns of out_v, which may be NULL;
 * the lower triangle is read, or the upper one. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_eigh_new(stria_array *out_w,
                                                                 stria_array *out_v,
                                                                 const stria_view *a, bool upper,
                                                                 const stria_exec *exec);
/* Eigenvalues of any square a, which are complex, and eigenvectors; out_v may be NULL. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_eig_new(stria_array *out_w,
                                                                stria_array *out_v,
                                                                const stria_view *a,
                                                                const stria_exec *exec);
/* The ratio of the largest to the smallest singular value. SHAPE: there are none. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_cond_new(stria_array *out,
                                                                 const stria_view *a,
                                                                 const stria_exec *exec);
/* The number, i64, of singular values above rtol times the largest one; rtol < 0: above what
 * rounding leaves of 0, the longer side times the distance of 1 to the next number. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_matrix_rank_new(stria_array *out,
                                                                        const stria_view *a,
                                                                        double rtol,
                                                                        const stria_exec *exec);
/* The pseudoinverse by those singular values. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_pinv_new(stria_array *out,
                                                                 const stria_view *a, double rtol,
                                                                 const stria_exec *exec);
/* The x of least norm for which a x is nearest to b, likewise, the sums of squares of what is left
 * of each column of b, the ranks, and the singular values. A b of 1 dim is one vector. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_lstsq_new(
    stria_array *out_x, stria_array *out_residuals, stria_array *out_rank, stria_array *out_s,
    const stria_view *a, const stria_view *b, double rtol, const stria_exec *exec);

/* Do the same into views, of any strides; svd, eigh and eig take NULL where theirs do. Shapes and
 * dtypes are those of the new arrays, or dtypes to which these cast under STRIA_CAST_SAME_KIND. A
 * view may overlap a and b, but no other result: OVERLAP. READONLY. */
STRIA_API STRIA_MUST_USE stria_status stria_solve(const stria_view *out, const stria_view *a,
                                                  const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_triangular_solve(const stria_view *out,
                                                             const stria_view *a,
                                                             const stria_view *b, bool upper,
                                                             bool unit, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_inv(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_det(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_slogdet(const stria_view *out_sign,
                                                    const stria_view *out_logarithm,
                                                    const stria_view *a, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_lu_factor(const stria_view *out_lu,
                                                      const stria_view *out_pivots,
                                                      const stria_view *a, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cholesky(const stria_view *out, const stria_view *a,
                                                     bool upper, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_qr(const stria_view *out_q, const stria_view *out_r,
                                               const stria_view *a, bool complete,
                                               const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_svd(const stria_view *out_u, const stria_view *out_s,
                                                const stria_view *out_vh, const stria_view *a,
                                                bool full, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_eigh(const stria_view *out_w, const stria_view *out_v,
                                                 const stria_view *a, bool upper,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_eig(const stria_view *out_w, const stria_view *out_v,
                                                const stria_view *a, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cond(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_matrix_rank(const stria_view *out, const stria_view *a,
                                                        double rtol, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_pinv(const stria_view *out, const stria_view *a,
                                                 double rtol, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_lstsq(const stria_view *out_x,
                                                  const stria_view *out_residuals,
                                                  const stria_view *out_rank,
                                                  const stria_view *out_s, const stria_view *a,
                                                  const stria_view *b, double rtol,
                                                  const stria_exec *exec);

/* Says which LAPACK is in use, looking for it if that was not done: "libopenblas.so.0, 32-bit
 * integers", or "none". */
STRIA_API STRIA_MUST_USE stria_status stria_lapack_describe(char *text, size_t size,
                                                            size_t *length);

#ifdef __cplusplus
}
#endif

#endif
