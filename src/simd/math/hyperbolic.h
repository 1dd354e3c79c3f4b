/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sinh, cosh and tanh. With |x| = n ln 2 + r, A = (2^n - 2^-n) / 2 and B = (2^n + 2^-n) / 2
 *
 *     sinh |x| = A cosh r + B sinh r        cosh |x| = B cosh r + A sinh r
 *
 * in which nothing cancels: for n = 0 sinh is sinh r. Both are computed divided by 2^n, so that A
 * and B become (1 -+ 2^-2n) / 2. cosh r and sinh r are polynomials, within 2^-53 in all but
 * their first terms.
 */
#pragma once

#include "exp.h"
#include "inverse_hyperbolic.h"

/* (sinh r - r) / r as a polynomial of z = r^2. */
static ALWAYS_INLINE double sinh_tail(double z)
{
    const double z2 = z * z;
    const double c01 = fma_f64(0x1.1111111111111p-7, z, 0x1.5555555555555p-3);
    const double c23 = fma_f64(0x1.71de3a5aaaf32p-19, z, 0x1.a01a01a0196a5p-13);
    const double c45 = fma_f64(0x1.61bfc9f4f7abcp-33, z, 0x1.ae642c71ad6fcp-26);
    return z * fma_f64(fma_f64(c45, z2, c23), z2, c01);
}

/* cosh r - 1 as a polynomial of z = r^2. */
static ALWAYS_INLINE double cosh_tail(double z)
{
    const double z2 = z * z;
    const double c01 = fma_f64(0x1.6c16c16c167dep-10, z, 0x1.5555555555555p-5);
    const double c23 = fma_f64(0x1.27e4e1ea1029ep-22, z, 0x1.a01a01a47db6bp-16);
    return fma_f64(z, 0.5, z2 * fma_f64(fma_f64(0x1.1f66f85bfcfc3p-29, z2, c23), z2, c01));
}

/* `minus` and `plus` are A / 2^n and B / 2^n; for large n they have more than 53 bits. */
struct hyperbolic {
    double shifted; /* n, for exp_scaled */
    double r;       /* |x| - n ln 2 */
    double minus, minus_low, plus, plus_low;
    double sinh_low, cosh_low; /* sinh r - r, cosh r - 1 */
};

static ALWAYS_INLINE struct hyperbolic hyperbolic(double a)
{
    const struct exp_cut cut = exp_cut(a);
    const double part = 0.5 * power_below(cut.n > 60 ? 120 : cut.n + cut.n), z = cut.r * cut.r;
    const double minus = 0.5 - part, plus = 0.5 + part;
    return (struct hyperbolic){.shifted = cut.shifted,
                               .r = cut.r,
                               .minus = minus,
                               .minus_low = (0.5 - minus) - part,
                               .plus = plus,
                               .plus_low = (0.5 - plus) + part,
                               .sinh_low = fma_f64(cut.r, sinh_tail(z), cut.low),
                               .cosh_low = cosh_tail(z)};
}

/* (c + c_low) cosh r + (s + s_low) sinh r; c is 0 or c > s r. */
static ALWAYS_INLINE struct pair hyperbolic_sum(struct hyperbolic h, double c, double c_low,
                                                double s, double s_low)
{
    const double product = s * h.r, sum = c + product;
    const double lost = ((c - sum) + product) + fma_f64(s, h.r, -product);
    const double rest = fma_f64(s, h.sinh_low, fma_f64(s_low, h.r, c_low));
    return (struct pair){sum, lost + fma_f64(c, h.cosh_low, rest)};
}

static ALWAYS_INLINE struct pair sinh_sum(struct hyperbolic h)
{
    return hyperbolic_sum(h, h.minus, h.minus_low, h.plus, h.plus_low);
}

static ALWAYS_INLINE struct pair cosh_sum(struct hyperbolic h)
{
    return hyperbolic_sum(h, h.plus, h.plus_low, h.minus, h.minus_low);
}

static ALWAYS_INLINE double sinh_scaled(double x, double a, double sum, double shifted)
{
    const double result = exp_scaled(sum, shifted);
    return signed_as(x, a > 711 ? __builtin_inf() : a == 0 ? a : result);
}

static ALWAYS_INLINE double sinh_f64(double x)
{
    const double a = magnitude_f64(x);
    const struct hyperbolic h = hyperbolic(a);
    const struct pair sum = sinh_sum(h);
    return sinh_scaled(x, a, sum.high + sum.low, h.shifted);
}

/* The sum is rounded to odd: for 0x1.250bfep-11 it is nearer to a middle than f64 can tell. */
static ALWAYS_INLINE double sinh_f32(double x)
{
    const double a = magnitude_f64(x);
    const struct hyperbolic h = hyperbolic(a);
    const struct pair parts = sinh_sum(h);
    const double sum = parts.high + parts.low;
    return sinh_scaled(x, a, odd_f64(sum, (parts.high - sum) + parts.low), h.shifted);
}

static ALWAYS_INLINE double cosh_f64(double x)
{
    const double a = magnitude_f64(x);
    const struct hyperbolic h = hyperbolic(a);
    const struct pair sum = cosh_sum(h);
    const double result = exp_scaled(sum.high + sum.low, h.shifted);
    return a > 711 ? __builtin_inf() : result;
}

#define cosh_f32 cosh_f64

/* sinh x / cosh x; beyond 20 it is 1. For f32 the rounding errors of both do not matter. */
static ALWAYS_INLINE double tanh_f32(double x)
{
    const double a = magnitude_f64(x);
    const struct hyperbolic h = hyperbolic(a > 20 ? 20 : a);
    const struct pair above = sinh_sum(h);
    const struct pair below = cosh_sum(h);
    const double result = (above.high + above.low) / (below.high + below.low);
    return signed_as(x, a == a ? result : a);
}

static ALWAYS_INLINE double tanh_f64(double x)
{
    const double a = magnitude_f64(x);
    const struct hyperbolic h = hyperbolic(a > 20 ? 20 : a);
    const struct pair above = sinh_sum(h);
    const struct pair below = cosh_sum(h);
    const double n = above.high + above.low, n_low = (above.high - n) + above.low;
    const double d = below.high + below.low, d_low = (below.high - d) + below.low;
    const double q = n / d, rest = fma_f64(-q, d, n) + (n_low - q * d_low);
    return signed_as(x, a == a ? q + rest / d : a);
}
