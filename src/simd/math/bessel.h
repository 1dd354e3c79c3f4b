/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The modified Bessel functions of the first kind, of order 0 and 1, and the same times e^-|x|. Up
 * to 20 their power series, whose terms are all positive and lose nothing, beyond a polynomial of
 * 1 / |x| for sqrt(|x|) e^-|x| I(|x|), minimax to 2^-58 (mpmath). Within 5 units in the last place.
 */
#ifndef STRIA_SIMD_MATH_BESSEL_H
#define STRIA_SIMD_MATH_BESSEL_H

#include "exp.h"

#include "core.h"

/* 1 / (k! (k + n)!), for x^2 / 4. */
static const double bessel_i0_near[] = {
    0x1.0000000000000p+0,   0x1.0000000000000p+0,   0x1.0000000000000p-2,   0x1.c71c71c71c71cp-6,
    0x1.c71c71c71c71cp-10,  0x1.23456789abcdfp-14,  0x1.02e85c0898b71p-19,  0x1.522a43f65486ap-25,
    0x1.522a43f65486ap-31,  0x1.0b313289be0b9p-37,  0x1.5601885e63e5dp-44,  0x1.69ca9cf3b7f54p-51,
    0x1.4197a7f5154bcp-58,  0x1.e725594ee52e9p-66,  0x1.3e22d70ef3b5fp-73,  0x1.69f7da8510bcdp-81,
    0x1.69f7da8510bcdp-89,  0x1.40a2dc2460523p-97,  0x1.faaf2fa1c79e5p-106, 0x1.674f8e46c208cp-114,
    0x1.cbeaf38dc529fp-123, 0x1.0afb53e9cec0bp-131, 0x1.1a6d4e307528fp-140, 0x1.1159d2b18fe1fp-149,
    0x1.e5f504c9e358cp-159, 0x1.8e189760fbc74p-168, 0x1.2d843c1f0a6f9p-177, 0x1.a787875e855a5p-187,
    0x1.149733d53cf71p-196, 0x1.50c6b70b8d80dp-206, 0x1.7f2d2fd687f7dp-216, 0x1.984bda886ca72p-226,
    0x1.984bda886ca72p-236, 0x1.7fed0e5ee6853p-246, 0x1.541631ef14d5ap-256, 0x1.1c48e3508671dp-266,
    0x1.c13d73dae76b2p-277, 0x1.50071207c836bp-287};

static const double bessel_i1_near[] = {
    0x1.0000000000000p+0,   0x1.0000000000000p-1,   0x1.5555555555555p-4,   0x1.c71c71c71c71cp-8,
    0x1.6c16c16c16c17p-12,  0x1.845c8a0ce5129p-17,  0x1.27e4fb7789f5cp-22,  0x1.522a43f65486ap-28,
    0x1.2c9758daf5cd0p-34,  0x1.ab81ea75fcdf4p-41,  0x1.f17697cf1cf13p-48,  0x1.e2637bef9ff1ap-55,
    0x1.8bce58901a35ep-62,  0x1.165e7c2d153f3p-69,  0x1.53585cdcbfb10p-77,  0x1.69f7da8510bcdp-85,
    0x1.54ad09e6a6575p-93,  0x1.1d028acb00491p-101, 0x1.aaae78f4066a6p-110, 0x1.1f72d8389b3a3p-118,
    0x1.5e69de22df5cep-127, 0x1.84564b82a1184p-136, 0x1.88f11edf3ed4cp-145, 0x1.6c77c3976a829p-154,
    0x1.37033643c4b3bp-163, 0x1.e9f6e1b270f54p-173, 0x1.655a5a37c0843p-182, 0x1.e4089ab52ab05p-192,
    0x1.313415e2783ccp-201, 0x1.673a5cd91f786p-211, 0x1.8b897bb42941ep-221, 0x1.984bda886ca72p-231,
    0x1.8bec76d1ddb95p-241, 0x1.6957950e06230p-251, 0x1.36efb8a0130c7p-261, 0x1.f965225644588p-272,
    0x1.84882cd8ff7f4p-282, 0x1.1af87af91463fp-292};

static const double bessel_i0_far[] = {
    0x1.9884533d43651p-2, 0x1.9884533d43799p-5, 0x1.cb94dda453fa7p-6,  0x1.debb126667e7ep-6,
    0x1.6e86e8aed2fc4p-5, 0x1.732d919671ca2p-4, 0x1.d162fae0b68c4p-3,  0x1.7b8b543edffcep-1,
    0x1.c98200f57f5e6p-1, 0x1.331107ccdf895p+5, -0x1.11f899c0d3449p+8, 0x1.dfe2185d01160p+10};

static const double bessel_i1_far[] = {
    0x1.9884533d43651p-2,  -0x1.32633e6df2914p-3, -0x1.7efc0e091e165p-5, -0x1.4f1c8cbd0574bp-5,
    -0x1.d73fcefffae87p-5, -0x1.c5a6ca6946265p-4, -0x1.13228a95b1d29p-2, -0x1.b3adacf72db84p-1,
    -0x1.1c3975c47c273p+0, -0x1.4c50fe088bcc2p+5, 0x1.23fc86bf4ea4ap+8,  -0x1.021a44db4f13ap+11};

/* The value is `near` up to 20, and else e^|x| times `far`. */
struct bessel {
    double near, far;
};

/*
 * The series of z = y^2 / 4 for |x| = a up to 20. What z and z^2 lose as they are rounded would be
 * multiplied by up to 10; so the result is moved by that and its logarithm's slope, near
 * 1 / sqrt(at_0 + z).
 */
static ALWAYS_INLINE double bessel_series(double a, const double *c, double at_0)
{
    const double y = a < 20 ? a : 20, half = 0.5 * y, z = half * half, square = z * z;
    const double lost = fma_f64(half, half, -z), square_lost = fma_f64(z, z, -square);
    const double moved = lost + (z > 0x1p-200 ? square_lost / (z + z) : 0);
    const double value = horner_terms(z, c, TERMS(bessel_i0_near));
    return fma_f64(value, moved / __builtin_sqrt(at_0 + z), value);
}

_Static_assert(TERMS(bessel_i0_near) == TERMS(bessel_i1_near), "one loop for both");

static ALWAYS_INLINE struct bessel bessel_0(double a)
{
    const double y = a > 20 ? a : 20;
    return (struct bessel){bessel_series(a, bessel_i0_near, 1),
                           HORNER(1 / y, bessel_i0_far) / __builtin_sqrt(y)};
}

static ALWAYS_INLINE struct bessel bessel_1(double a)
{
    const double y = a > 20 ? a : 20;
    return (struct bessel){0.5 * a * bessel_series(a, bessel_i1_near, 4),
                           HORNER(1 / y, bessel_i1_far) / __builtin_sqrt(y)};
}

/* With its power of e; from 720 on it is beyond the numbers. */
static ALWAYS_INLINE double bessel_whole(double a, struct bessel value)
{
    const struct exp_cut cut = exp_cut(a < 720 ? a : 720);
    const struct exp_sum sum = exp_core(cut.r, cut.low);
    const double far = exp_scaled((sum.high + sum.low) * value.far, cut.shifted);
    const double result = a > 720 ? __builtin_inf() : far;
    return a > 20 ? result : value.near;
}

static ALWAYS_INLINE double bessel_damped(double a, struct bessel value)
{
    const double near = value.near * exp_f64(-(a < 20 ? a : 20));
    return a > 20 ? value.far : near;
}

static ALWAYS_INLINE double i0_f64(double x)
{
    const double a = magnitude_f64(x), result = bessel_whole(a, bessel_0(a));
    return x == x ? result : x;
}

static ALWAYS_INLINE double i0e_f64(double x)
{
    const double a = magnitude_f64(x), result = bessel_damped(a, bessel_0(a));
    return x == x ? result : x;
}

static ALWAYS_INLINE double i1_f64(double x)
{
    const double a = magnitude_f64(x), result = bessel_whole(a, bessel_1(a));
    return x == x ? with_sign_f64(result, x) : x;
}

static ALWAYS_INLINE double i1e_f64(double x)
{
    const double a = magnitude_f64(x), result = bessel_damped(a, bessel_1(a));
    return x == x ? with_sign_f64(result, x) : x;
}

/* An f64 is far more than an f32 needs. */
static ALWAYS_INLINE double i0_f32(double x)
{
    return i0_f64(x);
}

static ALWAYS_INLINE double i0e_f32(double x)
{
    return i0e_f64(x);
}

/*
 * Beside 0 they are half of x and a little more or less, which f64 does not hold; where half of x
 * lies in the middle between two results, that decides.
 */
static ALWAYS_INLINE double i1_f32(double x)
{
    return magnitude_f64(x) < 0x1p-40 ? 0.5 * x * (1 + 0x1p-52) : i1_f64(x);
}

static ALWAYS_INLINE double i1e_f32(double x)
{
    return magnitude_f64(x) < 0x1p-40 ? 0.5 * x * (1 - 0x1p-53) : i1e_f64(x);
}

#endif
