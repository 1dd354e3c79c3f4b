/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * e^x, log(x) and log(1 + x) in f64, from which other functions are built. Their relative error is
 * within 2^-51 in the ranges that they state; they do not handle limits and special values. The
 * bits are the same at every level.
 */
#pragma once

#include "../map_ops.h"
#include "horner.h"

#define CORE_LOG2_E     0x1.71547652b82fep+0
#define CORE_LOG2_E_LOW 0x1.777d0ffda0d24p-56 /* log2(e) - CORE_LOG2_E */
#define CORE_LN_2       0x1.62e42fefa39efp-1

/* ln 2 in two parts. The first has 42 bits, so its product with an integer of 11 bits is exact. */
#define LN2_HIGH 0x1.62e42fefa38p-1
#define LN2_LOW  0x1.ef35793c7673p-45

/* Coefficients of g in 2^f = 1 + f g(f), |f| <= 1/2; 2^f has an error of 2^-52. */
static const double core_exp2[] = {
    0x1.62e42fefa3a12p-1,  0x1.ebfbdff82c431p-3,  0x1.c6b08d703e177p-5,  0x1.3b2ab6fbd6d15p-7,
    0x1.5d87fe9b8f84dp-10, 0x1.4309126bfe963p-13, 0x1.ffcb58c8880d8p-17, 0x1.62c147a7b28f1p-20,
    0x1.b671b4a21060fp-24, 0x1.e3a902e4b7395p-28};

/* e^x as 2^n (1 + rest), |x| <= 708; callers add in the form that their formulas need. */
struct core_power {
    double scale, rest;
};

static ALWAYS_INLINE struct core_power core_exp2_parts(double shifted, double f)
{
    return (struct core_power){f64_of_bits((f64_bits(shifted) + 1023) << 52),
                               f * HORNER(f, core_exp2)};
}

static ALWAYS_INLINE struct core_power core_exp_parts(double x)
{
    const double shifted = fma_f64(x, CORE_LOG2_E, TO_INTEGER), n = shifted - TO_INTEGER;
    return core_exp2_parts(shifted, fma_f64(x, CORE_LOG2_E_LOW, fma_f64(x, CORE_LOG2_E, -n)));
}

static ALWAYS_INLINE double core_exp(double x)
{
    const struct core_power p = core_exp_parts(x);
    return fma_f64(p.scale, p.rest, p.scale);
}

/* Coefficients of (atanh(s) / s - 1) / s^2 in z = s^2, for log((1 + s) / (1 - s)) = 2 atanh(s). */
static const double core_atanh_near[] = {
    0x1.5555555555592p-2, 0x1.999999997fd60p-3, 0x1.24924941f64a6p-3, 0x1.c71c5204fe55ep-4,
    0x1.74663fd667158p-4, 0x1.39a1a1efe30f9p-4, 0x1.2f0664ecbf93fp-4};

static const double core_atanh[] = {
    0x1.5555555555535p-2, 0x1.99999999a0837p-3, 0x1.2492492085abfp-3, 0x1.c71c741f77304p-4,
    0x1.745cb39dc8cc2p-4, 0x1.3b1de2fc68d2fp-4, 0x1.10676a2166409p-4, 0x1.efdd725bb9264p-5,
    0x1.559c7c0f53dbdp-5, 0x1.5c8a46e55b867p-4};

/* x = 2^k m with m in [sqrt(1/2), sqrt(2)), for s = (m - 1) / (m + 1). x is positive and normal. */
struct core_scaled {
    double k, m;
};

static ALWAYS_INLINE struct core_scaled core_scaled_of(double x)
{
    const uint64_t half_root = UINT64_C(0x3FE6A09E667F3BCD), one = UINT64_C(0x3FF) << 52;
    const uint64_t bits = f64_bits(x) + (one - half_root), exponent = bits >> 52;
    const double k = f64_of_bits(exponent | UINT64_C(0x433) << 52) - (0x1p52 + 1023);
    return (struct core_scaled){k, f64_of_bits(f64_bits(x) - (exponent << 52) + one)};
}

/* atanh(s), |s| <= 0.1716. */
static ALWAYS_INLINE double core_atanh_of_near(double s)
{
    const double z = s * s;
    return fma_f64(s * z, HORNER(z, core_atanh_near), s);
}

static ALWAYS_INLINE double core_log(double x)
{
    const struct core_scaled y = core_scaled_of(x);
    const double s = (y.m - 1) / (y.m + 1);
    return fma_f64(y.k, CORE_LN_2, 2 * core_atanh_of_near(s));
}

/* log(1 + x), 0 <= x <= 1. */
static ALWAYS_INLINE double core_log1p(double x)
{
    const double s = x / (2 + x), z = s * s;
    return 2 * fma_f64(s * z, HORNER(z, core_atanh), s);
}

/* ---- e^x with more bits ---------------------------------------------------------------------- */

/* Coefficients of (e^r - 1 - r) / r^2, |r| <= ln 2 / 2. The first term is added last. */
static const double exp_rest_c[] = {
    0x1.0000000000000p-1,  0x1.555555555555ap-3,  0x1.5555555555531p-5,  0x1.111111110efc2p-7,
    0x1.6c16c16c26feap-10, 0x1.a01a01b2694cfp-13, 0x1.a01a01527bd0ep-16, 0x1.71ddf26fbe2ffp-19,
    0x1.27e58cf11dc7ap-22, 0x1.af68618c295cfp-26, 0x1.1e67159d2d66ep-29};

/* Adding this leaves n + 2048 in the lowest bits. */
#define TO_SCALE (TO_INTEGER + 2048)

/* r + low = x - n ln 2. */
struct exp_cut {
    double shifted, n, r, low;
};

static ALWAYS_INLINE struct exp_cut exp_cut_by(double x, double to_integer)
{
    const double shifted = fma_f64(x, CORE_LOG2_E, to_integer), n = shifted - to_integer;
    const double high = fma_f64(n, -LN2_HIGH, x), r = fma_f64(n, -LN2_LOW, high);
    return (struct exp_cut){shifted, n, r, fma_f64(n, -LN2_LOW, high - r)};
}

static ALWAYS_INLINE struct exp_cut exp_cut(double x)
{
    return exp_cut_by(x, TO_SCALE);
}

/* 2^n for n + 2048 in `shifted`, as two factors because it may not be a normal number. */
struct exp_scale {
    double half, other;
};

static ALWAYS_INLINE struct exp_scale exp_scale(double shifted)
{
    const uint64_t k = f64_bits(shifted) & 0xFFF, half = k >> 1;
    return (struct exp_scale){f64_of_bits((half - 1) << 52), f64_of_bits((k - half - 1) << 52)};
}
