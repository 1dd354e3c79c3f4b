/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse of the error function, which the C library does not have. */
#pragma once

#include <math.h>

/*
 * Newton's steps (of third order) on erf, or on erfc for what is close to 1, from a start within
 * 0.01 (Winitzki). For |x| below 1e-9 the first two terms of the series.
 */
static inline long double erfinv_long(long double x)
{
    const long double root_pi_half = 0.88622692545275801364908374167057259L, a = fabsl(x);
    if (!(a < 1)) return a == 1 ? x * (long double)INFINITY : (long double)NAN;
    if (a < 1e-9L) return x * root_pi_half * (1 + 0.2617993877991494L * x * x);
    const long double w = -logl((1 - a) * (1 + a)), part = 4.330746750799873L - w / 2;
    long double y = sqrtl(sqrtl(part * part + w / 0.147L) - part);
    for (int step = 0; step < 4; step++) {
        const long double lacks = a < 0.5L ? a - erfl(y) : erfcl(y) - (1 - a);
        const long double by = lacks * root_pi_half * expl(y * y);
        y += by * (1 + y * by);
    }
    return copysignl(y, x);
}
