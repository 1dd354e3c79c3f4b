/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of functions that libstria_linalg hands over. Both libraries are of one version. */
#pragma once

#include "stria/fft.h"
#include "stria/linalg.h"

typedef stria_status fft_into(const stria_view *out, const stria_view *a,
                              const stria_fft_options *options, const stria_exec *exec);
typedef stria_status fft_made(stria_array *out, const stria_view *a,
                              const stria_fft_options *options, const stria_exec *exec);

enum fft_function { FFT_FFT, FFT_IFFT, FFT_RFFT, FFT_IRFFT, FFT_HFFT, FFT_IHFFT, FFT_FUNCTIONS };

enum linalg_function {
    LINALG_SOLVE,
    LINALG_SOLVE_TRIANGULAR,
    LINALG_INV,
    LINALG_DET,
    LINALG_CHOLESKY,
    LINALG_SVDVALS,
    LINALG_EIGVALSH,
    LINALG_EIGVALS,
    LINALG_COND,
    LINALG_MATRIX_RANK,
    LINALG_PINV,
    LINALG_SLOGDET,
    LINALG_LU_FACTOR,
    LINALG_EIG,
    LINALG_EIGH,
    LINALG_QR,
    LINALG_SVD,
    LINALG_LSTSQ
};

struct stria_linalg_table {
    int version;
    /* A function of the libstria that it works with, which is the caller's unless there are two. */
    const char *(*library)(void);
    fft_into *fft[FFT_FUNCTIONS];
    fft_made *fft_new[FFT_FUNCTIONS];
    __typeof__(stria_solve_new) *solve;
    __typeof__(stria_triangular_solve_new) *triangular_solve;
    __typeof__(stria_inv_new) *inv;
    __typeof__(stria_det_new) *det;
    __typeof__(stria_slogdet_new) *slogdet;
    __typeof__(stria_lu_factor_new) *lu_factor;
    __typeof__(stria_cholesky_new) *cholesky;
    __typeof__(stria_qr_new) *qr;
    __typeof__(stria_svd_new) *svd;
    __typeof__(stria_eigh_new) *eigh;
    __typeof__(stria_eig_new) *eig;
    __typeof__(stria_cond_new) *cond;
    __typeof__(stria_matrix_rank_new) *matrix_rank;
    __typeof__(stria_pinv_new) *pinv;
    __typeof__(stria_lstsq_new) *lstsq;
};

/* Returns the table; declared weak where calls by name look for it. */
STRIA_API const struct stria_linalg_table *stria_linalg_table(void);
