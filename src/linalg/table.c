/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of this library for calls by name. */
#include "lang/linalg_table.h"

#include "stria/version.h"

const struct stria_linalg_table *stria_linalg_table(void)
{
    static const struct stria_linalg_table table = {
        .version = STRIA_VERSION,
        .library = stria_version,
        .fft = {stria_fft, stria_ifft, stria_rfft, stria_irfft, stria_hfft, stria_ihfft},
        .fft_new = {stria_fft_new, stria_ifft_new, stria_rfft_new, stria_irfft_new, stria_hfft_new,
                    stria_ihfft_new},
        .solve = stria_solve_new,
        .triangular_solve = stria_triangular_solve_new,
        .inv = stria_inv_new,
        .det = stria_det_new,
        .slogdet = stria_slogdet_new,
        .lu_factor = stria_lu_factor_new,
        .cholesky = stria_cholesky_new,
        .qr = stria_qr_new,
        .svd = stria_svd_new,
        .eigh = stria_eigh_new,
        .eig = stria_eig_new,
        .cond = stria_cond_new,
        .matrix_rank = stria_matrix_rank_new,
        .pinv = stria_pinv_new,
        .lstsq = stria_lstsq_new,
    };
    return &table;
}
