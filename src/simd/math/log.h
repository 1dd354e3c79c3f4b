/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logarithms by a polynomial without tables. x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), and
 * log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R(s^2)) with s = f / (2 + f). All terms but f are small,
 * so their rounding errors hardly matter. R is minimax in s^2 with a relative error of 2^-51, and
 * is at most a hundredth of the result. Products are fused in software where there is no
 * instruction, and f32 is computed as f64 is, so the bits are the same at every level before any
 * rounding to f32.
 */
#pragma once

#include "core.h"

/* log10(2) in two parts. The first has 42 bits, so its product with k is exact. */
#define LOG10_2_HIGH 0x1.34413509f78p-2
#define LOG10_2_LOW  0x1.fef311f12b358p-46

struct log_cut {
    double k, f;
    double scale; /* 2^-k for k <= 1022 */
};

/* x is a positive normal number. */
static ALWAYS_INLINE struct log_cut log_cut(double x)
{
    const uint64_t least = UINT64_C(0x3FE6A09E667F3BCD); /* the bits of sqrt(1/2) */
    const uint64_t one = UINT64_C(1023) << 52, fraction = (UINT64_C(1) << 52) - 1;
    const uint64_t bits = f64_bits(x) + (one - least), exponent = bits >> 52;
    const double k = f64_of_bits(exponent | f64_bits(0x1p52)) - (0x1p52 + 1023);
    const double f = f64_of_bits((bits & fraction) + least) - 1;
    return (struct log_cut){k, f, f64_of_bits((UINT64_C(2046) - exponent) << 52)};
}

/* R / s^2 as a polynomial of z = s^2. */
static ALWAYS_INLINE double log_series(double z)
{
    const double z2 = z * z;
    const double c01 = fma_f64(0x1.99999999952d7p-2, z, 0x1.5555555555558p-1);
    const double c23 = fma_f64(0x1.c71c62e3f11e6p-3, z, 0x1.2492492df281ap-2);
    const double c45 = fma_f64(0x1.39fe51a7c18f9p-3, z, 0x1.7462b51cb66b1p-3);
    const double c4_6 = fma_f64(0x1.2b5900de53b32p-3, z2, c45);
    return fma_f64(fma_f64(c4_6, z2, c23), z2, c01);
}

/* Returns log(1 + f) - f + rest. */
static ALWAYS_INLINE double log_tail(double f, double rest)
{
    const double s = f / (2 + f), z = s * s, half = 0.5 * f;
    return fma_f64(-half, f, fma_f64(s, fma_f64(half, f, z * log_series(z)), rest));
}

/* k ln 2 + log(1 + f) + rest; k is 0, or k ln 2 is larger than f. */
static ALWAYS_INLINE struct pair log_parts(double k, double f, double rest)
{
    const double high = k * LN2_HIGH, sum = high + f, lost = (high - sum) + f;
    return (struct pair){sum, lost + fma_f64(k, LN2_LOW, log_tail(f, rest))};
}

/* The sum is rounded to odd: some f32 results are nearer to a middle than f64 can tell. */
static ALWAYS_INLINE double log_odd_sum(struct pair parts)
{
    const double sum = parts.high + parts.low;
    return odd_f64(sum, (parts.high - sum) + parts.low);
}

static ALWAYS_INLINE double log_sum(double k, double f, double rest)
{
    const struct pair parts = log_parts(k, f, rest);
    return parts.high + parts.low;
}

/* Handles zeros, infinity, NaN and negative x for logarithms. */
static ALWAYS_INLINE double log_limit(double x, double result)
{
    const double infinity = __builtin_inf(), edge = x == 0 ? -infinity : (double)__builtin_nanf("");
    const double inside = x > 0 ? result : edge;
    return x < infinity ? inside : x;
}

/* log_cut() for any positive x: a subnormal one is multiplied by 2^54 first. */
static ALWAYS_INLINE struct log_cut log_cut_any(double x)
{
    const bool tiny = x < 0x1p-1022;
    struct log_cut cut = log_cut(tiny ? x * 0x1p54 : x);
    cut.k = tiny ? cut.k - 54 : cut.k;
    return cut;
}

static ALWAYS_INLINE double log_f32(double x)
{
    const struct log_cut cut = log_cut(x);
    return log_limit(x, log_odd_sum(log_parts(cut.k, cut.f, 0)));
}

static ALWAYS_INLINE double log_f64(double x)
{
    const struct log_cut cut = log_cut_any(x);
    return log_limit(x, log_sum(cut.k, cut.f, 0));
}

/* k (high + low) + log(1 + f) (factor + factor_low), with log(1 + f) in two parts. */
static ALWAYS_INLINE struct pair log_scaled(double k, double f, double high, double low,
                                            double factor, double factor_low)
{
    const double tail = log_tail(f, 0), log = f + tail, log_low = (f - log) + tail;
    const double product = log * factor;
    const double rest = fma_f64(log, factor, -product) + fma_f64(log, factor_low, log_low * factor);
    const double whole = k * high, sum = whole + product, lost = (whole - sum) + product;
    return (struct pair){sum, lost + fma_f64(k, low, rest)};
}

static ALWAYS_INLINE struct pair log2_of(struct log_cut cut)
{
    return log_scaled(cut.k, cut.f, 1, 0, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
}

static ALWAYS_INLINE double log2_f32(double x)
{
    return log_limit(x, log_odd_sum(log2_of(log_cut(x))));
}

static ALWAYS_INLINE double log2_f64(double x)
{
    const struct pair parts = log2_of(log_cut_any(x));
    return log_limit(x, parts.high + parts.low);
}

static ALWAYS_INLINE struct pair log10_of(struct log_cut cut)
{
    return log_scaled(cut.k, cut.f, LOG10_2_HIGH, LOG10_2_LOW, 0x1.bcb7b1526e50ep-2,
                      0x1.95355baaafad3p-57);
}

static ALWAYS_INLINE double log10_f32(double x)
{
    return log_limit(x, log_odd_sum(log10_of(log_cut(x))));
}

static ALWAYS_INLINE double log10_f64(double x)
{
    const struct pair parts = log10_of(log_cut_any(x));
    return log_limit(x, parts.high + parts.low);
}

/* ---- log(1 + w) ----------------------------------------------------------------------------- */

/*
 * extra ln 2 + log(1 + w + low) for w + low > -1 and low far below w. If 1 + w needs no scaling, f
 * is w itself; elsewhere the rounding error of 1 + w is added to low. A small d changes log(m) by d
 * / m; since this is below the last place, a parabola is a sufficient approximation of 1 / m.
 */
static ALWAYS_INLINE struct pair log1p_parts(double extra, double w, double low)
{
    const double u = 1 + w, part = u - 1, lost = (1 - (u - part)) + (w - part);
    const struct log_cut cut = log_cut(u);
    const double far = u > 0x1p60 ? 0 : (lost + low) * cut.scale;
    const double f = cut.k == 0 ? w : cut.f, d = cut.k == 0 ? low : far;
    const double inverse =
        fma_f64(fma_f64(0x1.d41724ba1eb0ep-1, f, -0x1.14a309d18437ep+0), f, 0x1.01475c12c6c9ep+0);
    return log_parts(cut.k + extra, f, d * inverse);
}

static ALWAYS_INLINE double log1p_sum(double extra, double w, double low)
{
    const struct pair parts = log1p_parts(extra, w, low);
    return parts.high + parts.low;
}

/* log_limit() for log(1 + x), which is x if x is 0. */
static ALWAYS_INLINE double log1p_limit(double x, double result)
{
    const double infinity = __builtin_inf(),
                 edge = x == -1 ? -infinity : (double)__builtin_nanf("");
    const double inside = x > -1 ? result : edge;
    return x < infinity && x != 0 ? inside : x;
}

/*
 * For f32, 1 + x is exact in f64, or its rounding error is far below the last place of the result.
 * For a small x the first three terms of x - x^2 / 2 + x^3 / 3 - ... may be exactly in the middle
 * between two f32, where the fourth decides; so the sum is rounded to odd.
 */
static ALWAYS_INLINE double log1p_one_part(double extra, double w)
{
    const struct log_cut cut = log_cut(1 + w);
    const struct pair parts = log_parts(cut.k + extra, cut.k == 0 ? w : cut.f, 0);
    return log_odd_sum(parts);
}

static ALWAYS_INLINE double log1p_f32(double x)
{
    return log1p_limit(x, log1p_one_part(0, x));
}

static ALWAYS_INLINE double log1p_f64(double x)
{
    return log1p_limit(x, log1p_sum(0, x, 0));
}
