/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The short form (doubt.h) of erfinv for -log(1 - x^2) below 8.05: a rational function of lower
 * degree than the one for all x. One x in 6000 is beyond.
 */
#pragma once

#include "log_short.h"

/*
 * erfinv(x) / x as a function of w = -log(1 - x^2), within 2^-41.9.
 */
static const double erfinv_short_p[] = {
    0x1.c5bf891b4e7f8p-1, 0x1.2a7ad23f76663p-2,  0x1.6e6fcee4d5401p-4,  0x1.331bc49d820f6p-6,
    0x1.73d83cf4e8ebap-9, 0x1.4d70749791aa2p-12, 0x1.9c6c650b72fa5p-16, 0x1.18afccd25f4cep-20};

static const double erfinv_short_q[] = {
    0x1.0000000000000p+0,  0x1.12dcf5ead5492p-4,  0x1.202431237541fp-4,  0x1.268adb73fb2a2p-8,
    0x1.769f2c60c8c0fp-10, 0x1.1f9675b19e538p-14, 0x1.ee6750a5d2aedp-18, 0x1.f0dba57e33c9ap-25};

static ALWAYS_INLINE bool erfinv_has_short_f32(float x)
{
    return ((x > 0x1p-120f) & (x < 0.9998f)) | ((x < -0x1p-120f) & (x > -0.9998f));
}

static ALWAYS_INLINE double erfinv_short_f32(double x)
{
    const double w = -log_short_f32((1 - x) * (1 + x));
    return x * HORNER_OR_TWO(w, erfinv_short_p) / HORNER_OR_TWO(w, erfinv_short_q);
}
