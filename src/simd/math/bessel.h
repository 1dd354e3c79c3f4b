/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The modified Bessel functions of the first kind, of order 0 and 1, and their products with
 * e^-|x|. Up to 12 they are power series, whose terms are all positive; beyond, sqrt(|x|) e^-|x|
 * I(|x|) is a polynomial of 1 / |x| within 2^-57. The error is within 1 unit in the last place.
 */
#pragma once

#include "exp.h"
#include "exp_short.h"

#include "pair.h"

/*
 * Three tables per order n. _near: 1 / (k! (k + n)!), the coefficients of the series of x^2 / 4 up
 * to 12; the terms that are left out are below 2^-58 of the sum. _near_low: the rounding errors of
 * the first of them. _far: the coefficients in 1 / x, from 12 on, of the polynomial after its first
 * term 1 / sqrt(2 pi).
 */
static const double bessel_i0_near[] = {
    0x1.0000000000000p+0,   0x1.0000000000000p+0,   0x1.0000000000000p-2,   0x1.c71c71c71c71cp-6,
    0x1.c71c71c71c71cp-10,  0x1.23456789abcdfp-14,  0x1.02e85c0898b71p-19,  0x1.522a43f65486ap-25,
    0x1.522a43f65486ap-31,  0x1.0b313289be0b9p-37,  0x1.5601885e63e5dp-44,  0x1.69ca9cf3b7f54p-51,
    0x1.4197a7f5154bcp-58,  0x1.e725594ee52e9p-66,  0x1.3e22d70ef3b5fp-73,  0x1.69f7da8510bcdp-81,
    0x1.69f7da8510bcdp-89,  0x1.40a2dc2460523p-97,  0x1.faaf2fa1c79e5p-106, 0x1.674f8e46c208cp-114,
    0x1.cbeaf38dc529fp-123, 0x1.0afb53e9cec0bp-131, 0x1.1a6d4e307528fp-140, 0x1.1159d2b18fe1fp-149,
    0x1.e5f504c9e358cp-159, 0x1.8e189760fbc74p-168, 0x1.2d843c1f0a6f9p-177, 0x1.a787875e855a5p-187,
    0x1.149733d53cf71p-196};

static const double bessel_i0_near_low[] = {
    0x0.0000000000000p+0,   0x0.0000000000000p+0,   0x0.0000000000000p+0,
    0x1.c71c71c71c71cp-60,  0x1.c71c71c71c71cp-64,  0x1.23456789abcdfp-74,
    -0x1.b6edec0692e65p-75, -0x1.604db055bd075p-79, -0x1.604db055bd075p-85};

static const double bessel_i0_far[] = {
    0x1.9884533d43650p-5,   0x1.cb94dda4ed772p-6,  0x1.debb118356a1bp-6,   0x1.6e87424417b61p-5,
    0x1.731728a5f0950p-4,   0x1.d5772fadd1bb7p-3,  0x1.2e70e3176cc46p-1,   0x1.5180c0ab0e081p+3,
    -0x1.d942a8c851fb8p+8,  0x1.4a8cd34f6cac2p+14, -0x1.4e7ed4d805d8ep+19, 0x1.f9270c6c3245dp+23,
    -0x1.19e26d6ff8a2ep+28, 0x1.c987b43264860p+31, -0x1.058260585ab86p+35, 0x1.8d89d0ddd1e03p+37,
    -0x1.66ed7c64f03e7p+39, 0x1.21d870882402fp+40};

static const double bessel_i1_near[] = {
    0x1.0000000000000p+0,   0x1.0000000000000p-1,   0x1.5555555555555p-4,   0x1.c71c71c71c71cp-8,
    0x1.6c16c16c16c17p-12,  0x1.845c8a0ce5129p-17,  0x1.27e4fb7789f5cp-22,  0x1.522a43f65486ap-28,
    0x1.2c9758daf5cd0p-34,  0x1.ab81ea75fcdf4p-41,  0x1.f17697cf1cf13p-48,  0x1.e2637bef9ff1ap-55,
    0x1.8bce58901a35ep-62,  0x1.165e7c2d153f3p-69,  0x1.53585cdcbfb10p-77,  0x1.69f7da8510bcdp-85,
    0x1.54ad09e6a6575p-93,  0x1.1d028acb00491p-101, 0x1.aaae78f4066a6p-110, 0x1.1f72d8389b3a3p-118,
    0x1.5e69de22df5cep-127, 0x1.84564b82a1184p-136, 0x1.88f11edf3ed4cp-145, 0x1.6c77c3976a829p-154,
    0x1.37033643c4b3bp-163, 0x1.e9f6e1b270f54p-173, 0x1.655a5a37c0843p-182, 0x1.e4089ab52ab05p-192,
    0x1.313415e2783ccp-201};

static const double bessel_i1_near_low[] = {
    0x0.0000000000000p+0,  0x0.0000000000000p+0,   0x1.5555555555555p-58,
    0x1.c71c71c71c71cp-62, -0x1.f49f49f49f49fp-67, 0x1.5b66c77d88e9ap-71,
    0x1.cbbc05b4fa99ap-76, -0x1.604db055bd075p-82, -0x1.39289cbdfd5bdp-88};

static const double bessel_i1_far[] = {
    -0x1.32633e6df28bcp-3, -0x1.7efc0e097031cp-5,  -0x1.4f1c8c4316824p-5, -0x1.d7402ff80484fp-5,
    -0x1.c58e355c9db8dp-4, -0x1.1569331930059p-2,  -0x1.5c6535104763ep-1, -0x1.82d1ebed8ab02p+3,
    0x1.0cda7c98111d9p+9,  -0x1.7337fd67670d8p+14, 0x1.73e3d55ca73b9p+19, -0x1.164fe7b0f3dd5p+24,
    0x1.342cfacbbc121p+28, -0x1.f0c624d8ea17ap+31, 0x1.1a3d29d016884p+35, -0x1.aacef763553bfp+37,
    0x1.7f99b81bf7e08p+39, -0x1.348ac5a0d2544p+40};

#define BESSEL_FIRST     0x1.9884533d43651p-2 /* 1 / sqrt(2 pi) */
#define BESSEL_FIRST_LOW -0x1.cbc0d30ebfd15p-56

/* Up to 12 the value is a power series; beyond, it is e^a times a polynomial of 1 / a. */
#define BESSEL_NEAR 12

/* The sum of these terms, or of the following ones, is a tenth of the result or more. */
enum { BESSEL_PAIRS = TERMS(bessel_i0_near_low), BESSEL_TERMS = TERMS(bessel_i0_near) };

_Static_assert(BESSEL_TERMS == TERMS(bessel_i1_near), "one loop for both");
_Static_assert(BESSEL_PAIRS == TERMS(bessel_i1_near_low), "one loop for both");

static ALWAYS_INLINE struct pair bessel_series(double a, const double *c, const double *c_low)
{
    const double half = 0.5 * (a < BESSEL_NEAR ? a : BESSEL_NEAR);
    const struct pair z = pair_of_product(half, half);
    struct pair p = {polynomial(ONCE, BESSEL_TERMS - BESSEL_PAIRS, c + BESSEL_PAIRS, z.high), 0};
    UNROLL
    for (int i = BESSEL_PAIRS - 1; i >= 0; i--) {
        const struct pair product = pair_of_product(p.high, z.high);
        const struct pair sum = pair_of_sum(c[i], product.high);
        const double rest = fma_f64(p.low, z.high, fma_f64(p.high, z.low, product.low));
        p = (struct pair){sum.high, sum.low + (rest + c_low[i])};
    }
    return pair_of_sorted(p.high, p.low);
}

/*
 * e^-a I(a) for a >= 12: a polynomial of 1 / a over the root of a. Adding 2^-51, below a quarter of
 * a unit, keeps GCC from dividing by 0 (NOTE [Flags] in math.inc).
 */
static ALWAYS_INLINE struct pair bessel_far(double a, const double *c)
{
    const double down = a > 0x1p900 ? 0x1p-200 : 1, back = a > 0x1p900 ? 0x1p-100 : 1;
    const double z = (a > BESSEL_NEAR ? a : BESSEL_NEAR) + 0x1p-51, u = 1 / z, y = z * down;
    const double root = __builtin_sqrt(y), inverse = 1 / root;
    const double root_low = fma_f64(-root, root, y) * (0.5 * inverse);
    const double rest = u * polynomial(ONCE, TERMS(bessel_i0_far), c, u);
    const struct pair top = pair_of_sorted(BESSEL_FIRST, rest);
    const double q = top.high * inverse, top_low = top.low + BESSEL_FIRST_LOW;
    const double left = fma_f64(-q, root, top.high) + (top_low - q * root_low);
    const struct pair value = pair_of_sorted(q, left * inverse);
    return (struct pair){value.high * back, value.low * back};
}

/* e^x p. */
static ALWAYS_INLINE double bessel_power_times(double x, struct pair p)
{
    const struct exp_cut cut = exp_cut(x);
    const struct pair sum = exp_core(cut.r, cut.low), power = pair_of_sorted(sum.high, sum.low);
    const struct pair product = pair_of_product(power.high, p.high);
    const double low = fma_f64(power.high, p.low, fma_f64(power.low, p.high, product.low));
    return exp_scaled(product.high + low, cut.shifted);
}

/* The functions without the factor e^-|x|; from 720 on they overflow. */
static ALWAYS_INLINE double bessel_unscaled(double a, struct pair near, struct pair far)
{
    const double beyond = bessel_power_times(a <= 720 ? a : 0, far);
    const double result = a > 720 ? __builtin_inf() : beyond;
    return a > BESSEL_NEAR ? result : near.high + near.low;
}

static ALWAYS_INLINE double bessel_scaled(double a, struct pair near, struct pair far)
{
    const double within = bessel_power_times(a < BESSEL_NEAR ? -a : -BESSEL_NEAR, near);
    const double beyond = a < __builtin_inf() ? far.high + far.low : 0;
    return a > BESSEL_NEAR ? beyond : within;
}

static ALWAYS_INLINE struct pair bessel_0_near(double a)
{
    return bessel_series(a, bessel_i0_near, bessel_i0_near_low);
}

/* a / 2 times the series. */
static ALWAYS_INLINE struct pair bessel_1_near(double a)
{
    const struct pair sum = bessel_series(a, bessel_i1_near, bessel_i1_near_low);
    const double half = 0.5 * (a < BESSEL_NEAR ? a : BESSEL_NEAR);
    const struct pair product = pair_of_product(sum.high, half);
    return (struct pair){product.high, fma_f64(sum.low, half, product.low)};
}

static ALWAYS_INLINE double i0_f64(double x)
{
    const double a = magnitude_f64(x),
                 result = bessel_unscaled(a, bessel_0_near(a), bessel_far(a, bessel_i0_far));
    return x == x ? result : x;
}

static ALWAYS_INLINE double i0e_f64(double x)
{
    const double a = magnitude_f64(x),
                 result = bessel_scaled(a, bessel_0_near(a), bessel_far(a, bessel_i0_far));
    return x == x ? result : x;
}

static ALWAYS_INLINE double i1_f64(double x)
{
    const double a = magnitude_f64(x),
                 result = bessel_unscaled(a, bessel_1_near(a), bessel_far(a, bessel_i1_far));
    return x == x ? with_sign_f64(result, x) : x;
}

static ALWAYS_INLINE double i1e_f64(double x)
{
    const double a = magnitude_f64(x),
                 result = bessel_scaled(a, bessel_1_near(a), bessel_far(a, bessel_i1_far));
    return x == x ? with_sign_f64(result, x) : x;
}

/* The results of f32 are those of f64, which is far more precise. */
#define i0_of_f64(y, x)  (y)
#define i0e_of_f64(y, x) (y)

/*
 * I0(x) and I1(x) / x as polynomials of x^2 / 4, up to |x| = 12, with errors of 2^-43.9 and 2^-46.
 */
static const double bessel_i0_short[] = {
    0x1.ffffffffffddfp-1,  0x1.0000000002186p+0,  0x1.ffffffffb1c60p-3,  0x1.c71c71cb391f8p-6,
    0x1.c71c719142832p-10, 0x1.23456919d73f6p-14, 0x1.02e84d94f1b7cp-19, 0x1.522af44e46a54p-25,
    0x1.522480072f727p-31, 0x1.0b531aaa281f1p-37, 0x1.54e5d0fc0e88ap-44, 0x1.70653270d8df7p-51,
    0x1.25e84eb2741ccp-58, 0x1.42bca7021199cp-65, 0x1.ce2b830d496d4p-77, 0x1.d72932ede94b8p-80};

static const double bessel_i1_short[] = {
    0x1.fffffffffff8ep-2,  0x1.0000000000b42p-2,  0x1.555555553f4a2p-5,  0x1.c71c71c91e0bbp-9,
    0x1.6c16c154c9dc9p-13, 0x1.845c8b45d73aep-18, 0x1.27e4f1195dfbfp-23, 0x1.522ab96e99639p-29,
    0x1.2c93bedcc3b59p-35, 0x1.aba9f7c5290b3p-42, 0x1.f0378d8d56a77p-49, 0x1.e97fcc1ae4a8ep-56,
    0x1.6f1e78abcc726p-63, 0x1.65aa3aa7869c7p-70, 0x1.d072ad870503ep-81, 0x1.c860f168acc40p-85};

static ALWAYS_INLINE bool i0_has_short_f32(float x)
{
    return magnitude_f32(x) <= BESSEL_NEAR;
}
#define i0e_has_short_f32 i0_has_short_f32

static ALWAYS_INLINE bool i1_has_short_f32(float x)
{
    return (x >= -BESSEL_NEAR) & (x <= BESSEL_NEAR) & is_usual_f32(x);
}
#define i1e_has_short_f32 i1_has_short_f32

static ALWAYS_INLINE double i0_short_f32(double x)
{
    return HORNER_OR_TWO(0.25 * x * x, bessel_i0_short);
}

static ALWAYS_INLINE double i0e_short_f32(double x)
{
    return i0_short_f32(x) * exp_short_f32(-magnitude_f64(x));
}

static ALWAYS_INLINE double i1_short_f32(double x)
{
    return x * HORNER_OR_TWO(0.25 * x * x, bessel_i1_short);
}

static ALWAYS_INLINE double i1e_short_f32(double x)
{
    return i1_short_f32(x) * exp_short_f32(-magnitude_f64(x));
}

/*
 * Near 0 i1(x) is slightly more and i1e(x) slightly less than x / 2, by less than f64 can
 * represent. If x / 2 is in the middle between two results, that difference decides.
 */
static ALWAYS_INLINE double i1_of_f64(double y, double x)
{
    return y * (magnitude_f64(x) < 0x1p-40 ? 1 + 0x1p-52 : 1);
}

static ALWAYS_INLINE double i1e_of_f64(double y, double x)
{
    return y * (magnitude_f64(x) < 0x1p-40 ? 1 - 0x1p-53 : 1);
}
