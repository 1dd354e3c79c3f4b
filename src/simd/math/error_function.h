/* SPDX-License-Identifier: BSD-3-Clause */
/* The error function, its complement, and its inverse. */
#pragma once

#include "pair.h"

static const double erf_p[] = {
    0x1.06eba8214db6ap-3,   -0x1.3e325b883b76fp-2,  -0x1.0185272e80ce3p-4,  -0x1.b8bc0e1636955p-7,
    -0x1.629b6547e8e1ep-10, -0x1.004475c620964p-13, -0x1.d2cee82c89e94p-18, -0x1.59dd5fc04a437p-22,
    -0x1.3fa4af5bd4e9cp-27, -0x1.6b7270fd7bfcdp-33, -0x1.8dc0cf10bfe5ap-47};

static const double erf_q[] = {0x1.0000000000000p+0,  0x1.04c6f4fab0d3ap-1,  0x1.fa228c069035fp-4,
                               0x1.3508055d23116p-6,  0x1.07b97062640f3p-9,  0x1.497e53944459dp-13,
                               0x1.315c186eebac9p-17, 0x1.9c6e112cb05f5p-22, 0x1.7b048e8a071efp-27,
                               0x1.7dcfc44d75475p-33};

/*
 * erf(x) = x + x R(x^2) with a rational function, to 2^-54 of erf, as far as erf differs from 1 in
 * f32. The result is correctly rounded, with fma and without.
 */
static ALWAYS_INLINE double erf_f32(double x)
{
    double y = x > 3.925 ? 3.925 : x;
    y = y < -3.925 ? -3.925 : y;
    const double z = y * y;
    return fma_or_two_f64(y, HORNER_OR_TWO(z, erf_p) / HORNER_OR_TWO(z, erf_q), y);
}

static const double erfc_p[] = {0x1.0000000000000p+0, 0x1.0b8f9c295aebdp+1, 0x1.1630e2b698ff1p+1,
                                0x1.6f9f5a324f065p+0, 0x1.5048a71bb27bap-1, 0x1.b745b09c71c74p-3,
                                0x1.99225815a3c02p-5, 0x1.067e8474ff955p-7, 0x1.a749c315953fcp-11,
                                0x1.4a0fdf994137ap-15};

static const double erfc_q[] = {0x1.0000000000000p+0,  0x1.9bfe56ab6fc72p+1, 0x1.3389b58d1cbd1p+2,
                                0x1.19128ac04e0e8p+2,  0x1.5d3b1cc222a8ap+1, 0x1.352bd93d145efp+0,
                                0x1.8c8763f40646dp-2,  0x1.6d843294aa7cbp-4, 0x1.d266c805a04f5p-7,
                                0x1.77211c71cdc65p-10, 0x1.248284a51f051p-14};

/* e^(x^2) erfc(x), 0 <= x <= 10.07, with an error of 2^-55; beyond, erfc is 0 in f32. */
static ALWAYS_INLINE double erfc_scaled_f32(double x)
{
    return HORNER(x, erfc_p) / HORNER(x, erfc_q);
}

/*
 * The square of an f32 is exact, so the product is within 2^-51. The result is correctly rounded.
 * From 10.5 on, erfc is below half of the smallest f32.
 */
static ALWAYS_INLINE double erfc_f32(double x)
{
    double y = magnitude_f64(x);
    y = y > 10.5 ? 10.5 : y;
    const double tail = core_exp(-(y * y)) * erfc_scaled_f32(y);
    return x < 0 ? 2 - tail : tail;
}

static const double erfinv_p[] = {
    0x1.c5bf891b4ef6bp-1,  0x1.8a7c09b40f138p-2,  0x1.c3a7b2daf1a92p-4,  0x1.781d539b1f131p-6,
    0x1.db1f5cf242afap-9,  0x1.d7bb1b77e682dp-12, 0x1.72091a595c1cdp-15, 0x1.c6876f0456844p-19,
    0x1.b09c99c311c8fp-23, 0x1.3bbdb6392278fp-27, 0x1.487ac6813044ep-32, 0x1.ebf891e673393p-40};

static const double erfinv_q[] = {
    0x1.0000000000000p+0,  0x1.6217519a69b86p-3,  0x1.0edb776bf58a3p-4,  0x1.260657bccefa0p-7,
    0x1.83d243e2f0380p-10, 0x1.3a96da957986cp-13, 0x1.b5c6ad40d7d37p-17, 0x1.eba060eb7d1bbp-21,
    0x1.75bbe8ccf2564p-25, 0x1.0ba02265b0a48p-29, 0x1.0b07c214e7cd0p-35, 0x1.891bf4b6ac98fp-45};

/* x R(w) with w = -log(1 - x^2) < 16: the logarithm removes the singularities at -1 and 1. */
static ALWAYS_INLINE double erfinv_f32(double x)
{
    const double w = -core_log((1 - x) * (1 + x));
    const double y = x * HORNER(w, erfinv_p) / HORNER(w, erfinv_q), a = magnitude_f64(x);
    const double inside = a == 1 ? with_sign_f64(__builtin_inf(), x) : y;
    return a <= 1 ? inside : __builtin_nan("");
}

/* erf(x) / x - 1 as a polynomial of z = x^2, |x| <= 0.84375. */
static const double erf_small[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379e6p-2,  0x1.ce2f21a042abep-4,  -0x1.b82ce312814ddp-6,
    0x1.565bcd0cdb93fp-8,  -0x1.c02db39d0a85ap-11, 0x1.f9a3174a4b508p-14, -0x1.f4d0b92134e3ep-17,
    0x1.b9c97cf54b9a8p-20, -0x1.5e178fe79246dp-23, 0x1.e7f754ee98f9dp-27, -0x1.e79eab91c6e11p-31};

/* log((x + 9/16) e^(x^2) erfc(x)) + 63/128 < 0.1 in 1 / (x + 9/16), 0.48 <= x <= 27.5. */
static const double erfc_log_p[] = {
    -0x1.48682473cf9dap-4, 0x1.ecfa15152fb5ap-7,  0x1.25d0e84cbda12p-1, 0x1.00a4fde827e2dp+3,
    0x1.b5a1bc1e95832p+4,  0x1.1db45371daf72p+6,  0x1.961558488109cp+6, 0x1.3ebb34ebcd11cp+6,
    -0x1.9688342865bc1p+4, -0x1.404a1d9046d34p+6, -0x1.2ab420265c81dp+3};

static const double erfc_log_q[] = {
    0x1.0000000000000p+0, 0x1.b4fec2d30e660p+2, 0x1.23dd620aeb079p+5, 0x1.e22960d1a8c0fp+6,
    0x1.3457084a526ecp+8, 0x1.16dc6dd7bb038p+9, 0x1.76242140c3ed0p+9, 0x1.4d7354bb7a6f4p+9,
    0x1.6ba7b7f72d9c5p+8, 0x1.2a2ff13ef048ap+6, 0x1.664b7bc8b18f5p+1};

/*
 * erfc(x) is e^-(x^2 + 63/128 - g) / (x + 9/16). The rational function g is in the exponent, so its
 * error matters little. The quotient is corrected by its remainder and by the extra bits of the
 * power.
 */
struct erfc_tail {
    double m, half, other; /* erfc(x) is m * half * other, which may be subnormal */
    double m_low, g;       /* the rounding error of m; the value of the rational function */
};

static ALWAYS_INLINE double erfc_log(double inverse)
{
    return HORNER(inverse, erfc_log_p) / HORNER(inverse, erfc_log_q);
}

/* Computes erfc(x + low) for low far below x. */
static ALWAYS_INLINE struct erfc_tail erfc_tail_of(double x, double low)
{
    const struct pair divisor = pair_of_sum(x, 0.5625), square = pair_of_product(x, x);
    const double inverse = 1 / divisor.high, g = erfc_log(inverse);
    const struct pair high = pair_of_sum(-square.high, -0.4921875);
    const struct pair exponent = pair_of_sum(high.high, g);
    const double square_low = fma_f64(x + x, low, square.low);
    const struct pair_power p = pair_exp(exponent.high, exponent.low + (high.low - square_low));
    const double ratio = p.m.high * inverse;
    const double rest =
        fma_f64(-ratio, divisor.high, p.m.high) - ratio * (divisor.low + low) + p.m.low;
    const double m = fma_f64(rest, inverse, ratio);
    return (struct erfc_tail){m, p.half, p.other, fma_f64(rest, inverse, ratio - m), g};
}

/* Below this Phi(x) - 1/2 is x times a polynomial; Phi is the normal distribution. */
#define PHI_NEAR      0.70710678118654752
#define PHI_SLOPE     0x1.9884533d43651p-2 /* 1 / sqrt(2 pi) */
#define PHI_SLOPE_LOW -0x1.cbc0d30ebfd15p-56

static const double phi_c[] = {
    -0x1.1058377e2cee0p-4,  0x1.46d04297691cdp-7,   -0x1.37403f6b9fb60p-10,
    0x1.e42b0d505a5b5p-14,  -0x1.3ce8fa3229f63p-17, 0x1.6589ed977de07p-21,
    -0x1.62175af82e00fp-25, 0x1.371798e512419p-29,  -0x1.c11791b1f1b45p-34};

static ALWAYS_INLINE struct pair phi_near(double x)
{
    const double z = x * x, high = x * PHI_SLOPE;
    const double lost = fma_f64(x, PHI_SLOPE, -high);
    return pair_of_sorted(high, fma_f64(x, fma_f64(z, HORNER(z, phi_c), PHI_SLOPE_LOW), lost));
}

static ALWAYS_INLINE double erfc_tail_f64(double x)
{
    const struct erfc_tail tail = erfc_tail_of(x, 0);
    return tail.m * tail.half * tail.other;
}

/* The error is within 0.9 units (0.89 found). Tiny x are scaled up to avoid underflow. */
static ALWAYS_INLINE double erf_f64(double x)
{
    const double a = magnitude_f64(x), inside = a < 0.84375 ? x : 0, z = inside * inside;
    const double near = a < 0x1p-800 ? x * 0x1p200 : inside, back = a < 0x1p-800 ? 0x1p-200 : 1;
    const double small = fma_f64(near, HORNER(z, erf_small), near) * back;
    double large = a > 0.84375 ? a : 0.84375;
    large = 1 - erfc_tail_f64(large < 6 ? large : 6);
    large = x < 0 ? -large : large;
    const double result = a < 0.84375 ? small : large;
    return x == x && x != 0 ? result : x;
}

/* The error is within 0.9 units in the last place (0.86 found), or 1.1 for subnormal results. */
static ALWAYS_INLINE double erfc_f64(double x)
{
    const double a = magnitude_f64(x), near = a < 0.5 ? x : 0, z = near * near;
    const struct pair one = pair_of_sorted(1, -near);
    const double small = one.high + (one.low - near * HORNER(z, erf_small));
    double large = a > 0.5 ? a : 0.5;
    large = erfc_tail_f64(large < 27.3 ? large : 27.3);
    large = x < 0 ? 2 - large : large;
    const double result = a < 0.5 ? small : large;
    return x == x ? result : x;
}

/* erfinv(x) / x as a function of -log(1 - x^2) below 37.5, within 2^-24. */
static const double erfinv_start_p[] = {
    0x1.c5bf881cfc22fp-1,  0x1.4c83e3a0fbb70p-2,  0x1.16d3d029faa54p-4, 0x1.3daaed7ea270ap-7,
    0x1.e6edec595246ep-11, 0x1.d715a1c90fb20p-15, 0x1.95513ab3f1272p-22};

static const double erfinv_start_q[] = {
    0x1.0000000000000p+0,  0x1.ac7a8e5e83c66p-4,  0x1.2a2b9cf9bdc2ap-5, 0x1.5e9d7cdb3a60fp-9,
    0x1.395c3d11a202fp-12, 0x1.a6f5c40bf90f8p-18, 0x1.43ae0aaf35d09p-27};

/*
 * Makes one step of Halley's method from that start, by |x| - erf(y) or, in the tail, by erfc(y) -
 * (1 - |x|). The error is within 0.9 units in the last place.
 */
static ALWAYS_INLINE double erfinv_f64(double x)
{
    const double a = magnitude_f64(x), inside = a < 1 ? a : 0;
    const double w = -core_log((1 - inside) * (1 + inside));
    const double y = inside * HORNER(w, erfinv_start_p) / HORNER(w, erfinv_start_q), y2 = y * y;
    const bool near = y < 0.5;
    const double z = near ? y2 : 0, lacks = (inside - y) - y * HORNER(z, erf_small);
    const struct erfc_tail tail = erfc_tail_of(near ? 0.5 : y, 0);
    const double scale = tail.half * tail.other;
    const double beyond = fma_f64(tail.m, scale, inside - 1) + tail.m_low * scale;
    const double step = (near ? lacks : beyond) * (core_exp(y2) * 0x1.c5bf891b4ef6bp-1);
    const double root = y + fma_f64(y, step * step, step);
    const double with_sign = f64_of_bits(f64_bits(root) | (f64_bits(x) & UINT64_C(1) << 63));
    const double up = x * 0x1p500, slope = 0x1.c5bf891b4ef6bp-1, slope_low = -0x1.618f13eb7ca89p-55;
    const double slow = fma_f64(up, slope, up * slope_low) * 0x1p-500;
    const double tiny = a < 0x1p-500 ? with_sign_f64(slow, x) : with_sign;
    const double result = a == 1 ? with_sign_f64(__builtin_inf(), x) : tiny;
    return a <= 1 ? result : __builtin_nan("");
}
