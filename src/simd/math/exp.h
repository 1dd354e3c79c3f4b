/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * e^x by a polynomial without tables. x is cut into n and a rest: e^x = 2^n e^r, |r| <= ln 2 / 2.
 * Coefficients are minimax for the relative error over the range of the rest, by Remez' algorithm
 * with 200 bits (mpmath), rounded to f64; the first one is 1. Every operation is one of IEEE 754 in
 * a fixed order, so that every level gives the same bits.
 */
#ifndef STRIA_SIMD_MATH_EXP_H
#define STRIA_SIMD_MATH_EXP_H

#include "../fma.h"

/* Added to a number below 2^51, it leaves the nearest integer in the lowest bits of the sum. */
#define TO_INTEGER 0x1.8p52
#define LOG2_E     0x1.71547652b82fep+0

/* Where a result is beyond the numbers it is what x says; a NaN stays what was computed of it. */
static ALWAYS_INLINE double exp_limit_f64(double x, double result)
{
    result = x > 710.0 ? __builtin_inf() : result;
    return x < -746.0 ? 0.0 : result;
}

/* 2^f, |f| <= 1/2: the polynomial of degree 10 is off by 2^-52 of the result. */
static ALWAYS_INLINE double exp2_fraction(double f)
{
    const double f2 = f * f, f4 = f2 * f2;
    const double c23 = fma_or_two_f64(0x1.c6b08d703e177p-5, f, 0x1.ebfbdff82c431p-3);
    const double c45 = fma_or_two_f64(0x1.5d87fe9b8f84dp-10, f, 0x1.3b2ab6fbd6d15p-7);
    const double c67 = fma_or_two_f64(0x1.ffcb58c8880d8p-17, f, 0x1.4309126bfe963p-13);
    const double c89 = fma_or_two_f64(0x1.b671b4a21060fp-24, f, 0x1.62c147a7b28f1p-20);
    const double c8_10 = fma_or_two_f64(0x1.e3a902e4b7395p-28, f2, c89);
    const double c2_5 = fma_or_two_f64(c45, f2, c23), c6_10 = fma_or_two_f64(c8_10, f2, c67);
    const double c2_10 = fma_or_two_f64(c6_10, f4, c2_5);
    return fma_or_two_f64(fma_or_two_f64(c2_10, f, 0x1.62e42fefa3a12p-1), f, 1.0);
}

/* x log2(e) - n of an f32, short of log2(e) by 2^-56 of x with fma, by less without. */
static ALWAYS_INLINE double exp_rest(double x, double n)
{
#ifdef HAVE_FMA
    return fma_f64(x, LOG2_E, -n);
#else
    const double high = 0x1.7154765p+0, low = 0x1.5c17f0bbbe88p-31; /* x * high is exact */
    return (x * high - n) + x * low;
#endif
}

/*
 * e^x of an f32. What the rest lacks and roundings come to up to 5 units of 2^-52 for large x.
 * Nevertheless every f32 comes out right, with fma and without: of all of them the result nearest
 * to the middle between two numbers is 1.26 units off it (x = -0x1.d2259ap+3), and what is near is
 * not wrong there by so much. All of them are tested (tests/nightly/every_math.c).
 *
 * n is added to the exponent of the polynomial: in a NaN that was an f32 these bits are 0.
 */
static ALWAYS_INLINE double exp_f32(double x)
{
    const double shifted = fma_or_two_f64(x, LOG2_E, TO_INTEGER), n = shifted - TO_INTEGER;
    const double power = exp2_fraction(exp_rest(x, n));
    const double result = f64_of_bits(f64_bits(power) + (f64_bits(shifted) << 52));
    const double limited = x > 89.0 ? __builtin_inf() : result;
    return x < -104.0 ? 0.0 : limited;
}

/*
 * (e^r - 1 - r) / r^2, |r| <= ln 2 / 2: e^r made of it is off by less than 2^-63. The first
 * coefficient is 1/2 and comes last, which leaves one rounding that matters.
 */
static ALWAYS_INLINE double exp_tail(double r, double r2)
{
    const double r4 = r2 * r2;
    const double c34 = fma_f64(0x1.5555555555531p-5, r, 0x1.555555555555ap-3);
    const double c56 = fma_f64(0x1.6c16c16c26feap-10, r, 0x1.111111110efc2p-7);
    const double c78 = fma_f64(0x1.a01a01527bd0ep-16, r, 0x1.a01a01b2694cfp-13);
    const double c910 = fma_f64(0x1.27e58cf11dc7ap-22, r, 0x1.71ddf26fbe2ffp-19);
    const double c1112 = fma_f64(0x1.1e67159d2d66ep-29, r, 0x1.af68618c295cfp-26);
    const double c7_12 = fma_f64(c1112, r4, fma_f64(c910, r2, c78));
    return fma_f64(fma_f64(c7_12, r4, fma_f64(c56, r2, c34)), r, 0.5);
}

/*
 * e^x of an f64. ln 2 is in two parts, of which the first has 42 bits: n has 11, and their product
 * is exact. What is lost of r, and of 1 + r, is kept apart until the last sum. The power of two is
 * multiplied in two halves, since it may be beyond the normal numbers by itself.
 *
 * The largest error found is 0.602 units in the last place (2^26 inputs,
 * tests/nightly/every_math.c), where the result is subnormal one of 0.75.
 */
static ALWAYS_INLINE double exp_f64(double x)
{
    const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
    const double to_integer = TO_INTEGER + 2048; /* n + 2048 is positive */
    const double shifted = fma_f64(x, LOG2_E, to_integer), n = shifted - to_integer;
    const double high = fma_f64(n, -ln2_high, x), r = fma_f64(n, -ln2_low, high);
    const double r2 = r * r, one_and_r = 1 + r;
    const double rest = fma_f64(n, -ln2_low, high - r);
    const double lost = fma_f64(rest, one_and_r, r - (one_and_r - 1));
    const double power = one_and_r + fma_f64(r2, exp_tail(r, r2), lost);
    const uint64_t k = f64_bits(shifted) & 0xFFF, half = k >> 1, other = k - half;
    const double result = power * f64_of_bits((half - 1) << 52) * f64_of_bits((other - 1) << 52);
    return exp_limit_f64(x, result);
}

#endif
