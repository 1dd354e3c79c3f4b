/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * e^x by reduction to r = x - n ln 2, |r| <= ln 2 / 2, and a polynomial of degree 11 without
 * tables. Coefficients are minimax for the relative error of e^r, by Remez' algorithm in mpmath
 * with 200 bits, rounded to f64: the polynomial alone is off by less than 2^-57. Every operation is
 * one of IEEE 754 in a fixed order, so that every level gives the same bits.
 */
#ifndef STRIA_SIMD_EXP_H
#define STRIA_SIMD_EXP_H

#include "fma.h"

/* Added to a number below 2^51, it leaves the nearest integer in the lowest bits of the sum. */
#define TO_INTEGER 0x1.8p52

#define LOG2_E   0x1.71547652b82fep+0
#define LN2_HIGH 0x1.62e42fefa38p-1 /* the first 42 bits: exact times any n below 2^11 */
#define LN2_LOW  0x1.ef35793c7673p-45

/* x between low and high; NaN stays. */
static ALWAYS_INLINE float exp_clamp_f32(float x, float low, float high)
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

static ALWAYS_INLINE double exp_clamp_f64(double x, double low, double high)
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

/*
 * e^x of an f32, in f64. Beyond the limits f32 has no other result than 0 and infinity. The
 * exponent is added to the bits: of a NaN that was an f32 the lowest bits are 0.
 */
static ALWAYS_INLINE double exp_wide(float narrow)
{
    const double x = (double)exp_clamp_f32(narrow, -104.0F, 89.0F);
    const double shifted = fma_f64(x, LOG2_E, TO_INTEGER), n = shifted - TO_INTEGER;
    const double r = fma_f64(n, -LN2_LOW, fma_f64(n, -LN2_HIGH, x));
    double p = 0x1.ad597a8fdd02cp-26;
    p = fma_f64(p, r, 0x1.28af9caffce83p-22);
    p = fma_f64(p, r, 0x1.71df48ccd360fp-19);
    p = fma_f64(p, r, 0x1.a019975637520p-16);
    p = fma_f64(p, r, 0x1.a01a0111c84a4p-13);
    p = fma_f64(p, r, 0x1.6c16c1855cfdfp-10);
    p = fma_f64(p, r, 0x1.111111112f84cp-7);
    p = fma_f64(p, r, 0x1.555555555018ap-5);
    p = fma_f64(p, r, 0x1.55555555554b3p-3);
    p = fma_f64(p, r, 0x1.000000000000bp-1);
    p = fma_f64(p, r, 0x1.0000000000000p+0);
    p = fma_f64(p, r, 1.0);
    return f64_of_bits(f64_bits(p) + (f64_bits(shifted) << 52));
}

static ALWAYS_INLINE float exp_f32(float x)
{
    return (float)exp_wide(x);
}

/*
 * For another rounding, to f16 or bf16: NOTE [Round to odd] in number.h. The 29 bits that f32 does
 * not have become one.
 */
static ALWAYS_INLINE float exp_odd(float x)
{
    const uint64_t cut = (UINT64_C(1) << 29) - 1, bits = f64_bits(exp_wide(x));
    return (float)f64_of_bits((bits | ((bits & cut) + cut)) & ~cut);
}

/*
 * e^x of an f64. 1 + r and what is lost of r are kept apart until the last sum. The power of two is
 * multiplied in two halves, since it may be beyond the normal numbers by itself.
 */
static ALWAYS_INLINE double exp_f64(double x)
{
    const uint64_t low_bits = 0xFFF, bias = 1023, half = 1024;
    x = exp_clamp_f64(x, -746.0, 710.0);
    const double to_integer = TO_INTEGER + 2048; /* keeps the lowest bits positive */
    const double shifted = fma_f64(x, LOG2_E, to_integer), n = shifted - to_integer;
    const double high = fma_f64(n, -LN2_HIGH, x), r = fma_f64(n, -LN2_LOW, high);
    const double rest = fma_f64(n, -LN2_LOW, high - r);
    double q = 0x1.ad7f79dc81172p-26;
    q = fma_f64(q, r, 0x1.28ad69a3189a2p-22);
    q = fma_f64(q, r, 0x1.71df253c733fcp-19);
    q = fma_f64(q, r, 0x1.a0199a15d9e2bp-16);
    q = fma_f64(q, r, 0x1.a01a012a67fffp-13);
    q = fma_f64(q, r, 0x1.6c16c18426c8bp-10);
    q = fma_f64(q, r, 0x1.1111111127ba2p-7);
    q = fma_f64(q, r, 0x1.555555555088ap-5);
    q = fma_f64(q, r, 0x1.55555555554fap-3);
    q = fma_f64(q, r, 0x1.000000000000ap-1);
    const double one_and_r = 1 + r, lost = (r - (one_and_r - 1)) + rest;
    const double p = one_and_r + fma_f64(r * r, q, lost);
    const uint64_t k = f64_bits(shifted) & low_bits, first = k >> 1, second = k - first;
    return p * f64_of_bits((first + bias - half) << 52) * f64_of_bits((second + bias - half) << 52);
}

#endif
