/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The digamma function, the derivative of log Gamma. From 10 on it is log(z) - 1 / (2 z) less a
 * series of 1 / z^2; a smaller z is moved up, digamma(z) = digamma(z + 1) - 1 / z; negative numbers
 * are reflected. Beside its zeros the error is absolute, less than 2^-48. f32 is the f64, rounded.
 */
#ifndef STRIA_SIMD_MATH_DIGAMMA_H
#define STRIA_SIMD_MATH_DIGAMMA_H

#include "log.h"

#include "core.h"
#include "trig.h"

/* -B(2 k) / (2 k), Bernoulli's numbers: eight of them are within 2^-57 from 10 on. */
static const double digamma_series[] = {
    -0x1.5555555555555p-4, 0x1.1111111111111p-7, -0x1.0410410410410p-8, 0x1.1111111111111p-8,
    -0x1.f07c1f07c1f08p-8, 0x1.5995995995996p-6, -0x1.5555555555555p-4, 0x1.c5e5e5e5e5e5ep-2};

enum { DIGAMMA_STEPS = 10 };

static ALWAYS_INLINE double digamma_positive(double z)
{
    const bool small = z < DIGAMMA_STEPS;
    double sum = 0;
    UNROLL
    for (int i = DIGAMMA_STEPS - 1; i >= 0; i--)
        sum += 1 / (z + i);
    const double y = small ? z + DIGAMMA_STEPS : z, inverse = 1 / y, w = inverse * inverse;
    const double far = fma_f64(-0.5, inverse, w * HORNER(w, digamma_series));
    return (log_f64(y) + far) - (small ? sum : 0);
}

/* -inf at +0 and +inf at -0, as their neighbours have it; NaN at the other poles and at -inf. */
static ALWAYS_INLINE double digamma_f64(double x)
{
    const double inf = __builtin_inf(), z = x < 0 ? 1 - x : x;
    const double sine = sinpi_f64(x), cosine = cospi_f64(x);
    const double up = digamma_positive(z), cotangent = cosine / (sine + (sine == 0 ? 1.0 : 0.0));
    const double result = x < 0 ? up - 0x1.921fb54442d18p+1 * cotangent : up;
    const double at_pole = x == 0 ? with_sign_f64(inf, negated_f64(x)) : __builtin_nan("");
    const double finite = (((x <= 0) & (sine == 0)) | (x == -inf)) ? at_pole : result;
    return x == x ? (x == inf ? inf : finite) : x;
}

static ALWAYS_INLINE double digamma_f32(double x)
{
    return digamma_f64(x);
}

#endif
