/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short forms (doubt.h) of log, log2, log10, log1p and atanh: k ln 2 + 2 atanh(s), where atanh(s)
 * is s times a polynomial of s^2. The error without that of the polynomial is below 2^-49; if k is
 * not 0, the sum is at least half of its larger term. k is negated, so that a sum of zeros keeps
 * the sign of s.
 */
#pragma once

#include "doubt.h"
#include "horner.h"

/* 2 atanh(s) / s for s^2 <= 0.02944, within 2^-45; divided by ln 2; divided by ln 10. */
static const double log_short_c[] = {0x1.fffffffffff12p+0, 0x1.55555556716dap-1,
                                     0x1.9999962baa6d7p-2, 0x1.24943845d454ep-2,
                                     0x1.c620e12262e86p-3, 0x1.9193ad599876cp-3};
static const double log2_short_c[] = {0x1.71547652b8252p+1, 0x1.ec709dc53a1cap-1,
                                      0x1.2776c295ae0c7p-1, 0x1.a61a2cf9f9e38p-2,
                                      0x1.47959c992a71fp-2, 0x1.21ad2d776d25ap-2};
static const double log10_short_c[] = {0x1.bcb7b1526e43fp-1, 0x1.287a7637eaf8fp-2,
                                       0x1.63c6247a94aa3p-3, 0x1.fc43023606a47p-4,
                                       0x1.8a737143c4812p-4, 0x1.5cce23b05c576p-4};

/* Coefficients of atanh(s) / s for s^2 <= 0.0405, within 2^-42.3. */
static const double atanh_short_c[] = {0x1.ffffffffff9d8p-1, 0x1.5555555ab87eep-2,
                                       0x1.99998d66ad051p-3, 0x1.249752be136dap-3,
                                       0x1.c53d4a86ec7fdp-4, 0x1.9cee7b020d8e1p-4};

#define SHORT_ONE      (UINT64_C(1023) << 52)
#define SHORT_FRACTION ((UINT64_C(1) << 52) - 1)

/* Returns -k for the biased exponent k + 1023 in `bits`, and +0 for k = 0. */
static ALWAYS_INLINE double short_minus_exponent(uint64_t bits)
{
    return (0x1p52 + 1023) - f64_of_bits(bits >> 52 | f64_bits(0x1p52));
}

/* x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2). */
struct short_cut {
    double minus_k, f;
};

static ALWAYS_INLINE struct short_cut short_cut(double x)
{
    const uint64_t least = UINT64_C(0x3FE6A09E667F3BCD); /* the bits of sqrt(1/2) */
    const uint64_t bits = f64_bits(x) + (SHORT_ONE - least);
    return (struct short_cut){short_minus_exponent(bits),
                              f64_of_bits((bits & SHORT_FRACTION) + least) - 1};
}

/* Returns k unit + s c(s^2). */
static ALWAYS_INLINE double log_short_sum(double minus_k, double unit, double s, const double *c)
{
    return fma_or_two_f64(minus_k, -unit, s * polynomial(EITHER, 6, c, s * s));
}

static ALWAYS_INLINE double log_short_of(struct short_cut cut, double unit, const double *c)
{
    return log_short_sum(cut.minus_k, unit, cut.f / (cut.f + 2), c);
}

/* For positive finite x no result is subnormal. */
static ALWAYS_INLINE bool log_has_short_f32(float x)
{
    return (x > 0) & (x < __builtin_inff());
}
#define log2_has_short_f32  log_has_short_f32
#define log10_has_short_f32 log_has_short_f32

static ALWAYS_INLINE double log_short_f32(double x)
{
    return log_short_of(short_cut(x), 0x1.62e42fefa39efp-1, log_short_c);
}

static ALWAYS_INLINE double log2_short_f32(double x)
{
    return log_short_of(short_cut(x), 1, log2_short_c);
}

static ALWAYS_INLINE double log10_short_f32(double x)
{
    return log_short_of(short_cut(x), 0x1.34413509f79ffp-2, log10_short_c);
}

static ALWAYS_INLINE bool log1p_has_short_f32(float x)
{
    return (x > -1) & (x < __builtin_inff());
}

/* The rounding error of 1 + x does not matter: f is x if k is 0, and otherwise x is not small. */
static ALWAYS_INLINE double log1p_short_f32(double x)
{
    struct short_cut cut = short_cut(1 + x);
    cut.f = cut.minus_k == 0 ? x : cut.f;
    return log_short_of(cut, 0x1.62e42fefa39efp-1, log_short_c);
}

static ALWAYS_INLINE bool atanh_has_short_f32(float x)
{
    return (x > -1) & (x < 1);
}

/*
 * Half the logarithm of above / below, 1 + x and 1 - x, with one division: with below 2^k in place
 * of `below`, s is (above - below) / (above + below). The difference of the bits of both gives k,
 * such that the quotient is within a factor of 2^0.587 of 2^k. If k is 0, s is x.
 */
static ALWAYS_INLINE double atanh_short_f32(double x)
{
    const double above = 1 + x, below = 1 - x;
    const uint64_t half = UINT64_C(1) << 51;
    const uint64_t bits = f64_bits(above) - f64_bits(below) + (SHORT_ONE + half);
    const double minus_k = short_minus_exponent(bits);
    const double scaled = f64_of_bits(f64_bits(below) + (bits & ~SHORT_FRACTION) - SHORT_ONE);
    const double difference = minus_k == 0 ? x + x : above - scaled;
    return log_short_sum(minus_k, 0x1.62e42fefa39efp-2, difference / (above + scaled),
                         atanh_short_c);
}
