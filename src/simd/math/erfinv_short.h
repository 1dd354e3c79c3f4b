/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The short form (doubt.h) of erfinv for -log(1 - x^2) below 8.05: a rational function of lower
 * degree than the one for all x. One x in 6000 is beyond.
 */
#ifndef STRIA_SIMD_MATH_ERFINV_SHORT_H
#define STRIA_SIMD_MATH_ERFINV_SHORT_H

#include "log_short.h"

/*
 * erfinv(x) / x as a function of w = -log(1 - x^2), within 2^-41.9; minimax for the relative error.
 */
static const double erfinv_short_p[] = {
    0x1.c5bf891b4e7f9p-1, 0x1.2a7d76885ef6ap-2,  0x1.6e73838f42fc6p-4,  0x1.331eb67e5044dp-6,
    0x1.73db6246bb020p-9, 0x1.4d72a08279db2p-12, 0x1.9c6def61a71f2p-16, 0x1.18afb51e6087ep-20};

static const double erfinv_short_q[] = {
    0x1.0000000000000p+0,  0x1.12e8e2570c366p-4,  0x1.2025407882d2ap-4,  0x1.26913912d5721p-8,
    0x1.76a0bbacaad37p-10, 0x1.1f990b138142fp-14, 0x1.ee67a2616cd28p-18, 0x1.f0db48c48ebcdp-25};

static ALWAYS_INLINE bool erfinv_has_short_f32(float x)
{
    return ((x > 0x1p-120f) & (x < 0.9998f)) | ((x < -0x1p-120f) & (x > -0.9998f));
}

static ALWAYS_INLINE double erfinv_short_f32(double x)
{
    const double w = -log_short_f32((1 - x) * (1 + x));
    return x * HORNER_OR_TWO(w, erfinv_short_p) / HORNER_OR_TWO(w, erfinv_short_q);
}

#endif
