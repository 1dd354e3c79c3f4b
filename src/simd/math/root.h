/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cbrt and rsqrt by multiplications: the first terms of a power series correct a first guess from
 * the exponent, which has an error of a few percent, twice. For f64 the remainder is then computed
 * exactly and corrected.
 */
#pragma once

#include "horner.h"
#include "sign.h"

/* f64 are scaled to this range, in which their cubes and squares are normal numbers. */
#define ROOT_MOST  0x1p800
#define ROOT_LEAST 0x1p-800

/* ---- square root ----------------------------------------------------------------------------- */

static ALWAYS_INLINE double sqrt_f32(double x)
{
    return (double)__builtin_sqrtf((float)x);
}

static ALWAYS_INLINE double sqrt_f64(double x)
{
    return __builtin_sqrt(x);
}

/* ---- 1 / sqrt x ------------------------------------------------------------------------------ */

/* ((1 - e)^(-1/2) - 1) / e for the error e of the guess, |e| <= 0.0682, within 2^-19. */
static const double rsqrt_c[] = {0x1.ffffbadeae609p-2, 0x1.8116c18fede76p-2, 0x1.414d975af9515p-2};

/* The error is one or two units in the last place. */
static ALWAYS_INLINE double rsqrt_nearly(double x)
{
    const double guess = f64_of_bits(UINT64_C(0x5FE6E8E200000000) - (f64_bits(x) >> 1));
    const double e = fma_f64(-x * guess, guess, 1);
    const double y = fma_f64(guess * e, HORNER(e, rsqrt_c), guess);
    const double d = fma_f64(-x * y, y, 1);
    return fma_f64(y * d, fma_f64(d, 0.375, 0.5), y);
}

/* x is positive and finite. Divisions of f32 are twice as fast and overlap the products. */
static ALWAYS_INLINE double rsqrt_near_f32(double x)
{
    const double guess = (double)(1 / __builtin_sqrtf((float)x));
    const double e = fma_or_two_f64(x * guess, guess, -1);
    return fma_or_two_f64(guess * e, fma_or_two_f64(e, 0.375, -0.5), guess);
}

/* x is from ROOT_LEAST to ROOT_MOST. */
static ALWAYS_INLINE double rsqrt_near_f64(double x)
{
    const double y = rsqrt_nearly(x), y2 = y * y, y2_low = fma_f64(y, y, -y2);
    const double rest = fma_f64(-x, y2_low, fma_f64(-x, y2, 1));
    return fma_f64(y * 0.5, rest, y);
}

static ALWAYS_INLINE bool rsqrt_is_near_f32(float x)
{
    return x > 0 && x < __builtin_inff();
}

static ALWAYS_INLINE bool rsqrt_is_near_f64(double x)
{
    return x >= ROOT_LEAST && x <= ROOT_MOST;
}

/* Handles zero, infinity and negative numbers. */
static ALWAYS_INLINE double rsqrt_limit(double x, double result)
{
    const double infinity = __builtin_inf(), zero = with_sign(infinity, x, 0);
    const double other = x == 0 ? zero : __builtin_nan("");
    result = x > 0 ? result : other;
    return x == infinity ? 0 : result;
}

static ALWAYS_INLINE double rsqrt_f32(double x)
{
    return rsqrt_limit(x, rsqrt_near_f32(x));
}

static ALWAYS_INLINE double rsqrt_f64(double x)
{
    const double down = x > ROOT_MOST ? 0x1p-600 : 1, scale = x < ROOT_LEAST ? 0x1p600 : down;
    const double down_2 = x > ROOT_MOST ? 0x1p-300 : 1, back = x < ROOT_LEAST ? 0x1p300 : down_2;
    return rsqrt_limit(x, rsqrt_near_f64(x * scale) * back);
}

/* ---- cube root ------------------------------------------------------------------------------- */

/* ((1 - e)^(-1/3) - 1) / e for the error e of the guess, |e| <= 0.1022, within 2^-18. */
static const double cbrt_c[] = {0x1.55545e9ae0d19p-2, 0x1.c9b176fcf89b2p-3, 0x1.653ec40522f7bp-3};

/* The first coefficients of ((1 - e)^(-2/3) - 1) / e. */
static const double cbrt_rest_c[] = {2.0 / 3, 5.0 / 9, 40.0 / 81};

/* x^(-1/3), x > 0, within 2^-18. The guess is made from a third of the bits of x. */
static ALWAYS_INLINE double inverse_cbrt(const enum rounding rounding, double x)
{
    const uint64_t third = (f64_bits(x) >> 32) * 0x55555556 >> 32;
    const double guess = f64_of_bits(UINT64_C(0x553EE94B00000000) - (third << 32));
    const double e = multiply_add(rounding, -x * guess, guess * guess, 1);
    return multiply_add(rounding, guess * e, polynomial(rounding, 3, cbrt_c, e), guess);
}

/* The cube root from y = x^(-1/3), with an error of one or two units in the last place. */
static ALWAYS_INLINE double cbrt_nearly(const enum rounding rounding, double x, double y)
{
    const double root = x * y * y, e = multiply_add(rounding, -root, y, 1);
    return multiply_add(rounding, root * e, polynomial(rounding, 3, cbrt_rest_c, e), root);
}

/* Zero, infinity and NaN are their own cube roots. */
static ALWAYS_INLINE double cbrt_limit(double x, double root)
{
    const double a = magnitude_f64(x);
    root = a < __builtin_inf() ? root : a + a;
    return with_sign(a == 0 ? 0 : root, x, 0);
}

static ALWAYS_INLINE double cbrt_f32(double x)
{
    const double a = magnitude_f64(x);
    return cbrt_limit(x, cbrt_nearly(EITHER, a, inverse_cbrt(EITHER, a)));
}

static ALWAYS_INLINE double cbrt_f64(double x)
{
    const double m = magnitude_f64(x);
    const double down = m > ROOT_MOST ? 0x1p-600 : 1, scale = m < ROOT_LEAST ? 0x1p600 : down;
    const double up = m > ROOT_MOST ? 0x1p200 : 1, back = m < ROOT_LEAST ? 0x1p-200 : up;
    const double a = m * scale, y = inverse_cbrt(ONCE, a), root = cbrt_nearly(ONCE, a, y);
    const double root2 = root * root, root2_low = fma_f64(root, root, -root2);
    const double rest = fma_f64(-root2_low, root, fma_f64(-root2, root, a));
    return cbrt_limit(x, fma_f64(rest, y * y * (1.0 / 3), root) * back);
}
