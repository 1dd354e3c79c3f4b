/* SPDX-License-Identifier: BSD-3-Clause */
/* The narrow form (narrow.h) of rsqrt. */
#pragma once

#include "narrow.h"

#ifdef HAVE_VF

/*
 * x = 4^k m with 1/2 <= m < 2. The estimate of 1 / sqrt(m) differs from CPU to CPU; its relative
 * error is below 2^-11.4 on all of them. (1 - m guess^2) / 2 corrects it to y, with an error of
 * 2^-22.2. (1 - m y^2) / 2, known within 2^-46, is the relative error of y within 2^-43.8.
 */
static ALWAYS_INLINE struct narrow rsqrt_vf(vf x)
{
    const vu bits = (vu)x, m_bits = (bits & 0x00FFFFFF) | 0x3F000000;
    const vu half_exponent = (vu)((vs)(bits - m_bits) >> 1);
    const vf guess = vf_rsqrt_nearly((vf)m_bits), minus_half = (vf)m_bits * -0.5F,
             half = vf_all(0.5F);
    const vf e = vf_fma(minus_half * guess, guess, half);
    const vf y = vf_fma(guess, e, guess);
    const struct vf_pair square = vf_pair_of_product(y, y);
    const vf rest = vf_fma(minus_half, square.low, vf_fma(minus_half, square.high, half));
    const struct narrow root =
        narrow_rounded((struct vf_pair){y, y * rest}, vf_all(0x1p-42F), narrow_not_normal(x));
    return (struct narrow){(vf)((vu)root.value - half_exponent), root.doubt};
}

#endif
