/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short forms (doubt.h) of expm1, sinh, cosh and tanh. x = n ln 2 + r, |r| <= ln 2 / 2: ln 2 is off
 * by 2^-56 and r by less than 2^-47. Zeros keep their sign by sums that are differences.
 */
#ifndef STRIA_SIMD_MATH_EXP_SHORT_H
#define STRIA_SIMD_MATH_EXP_SHORT_H

#include "doubt.h"
#include "horner.h"

/* (e^r - 1) / r within 2^-43.3, sinh(r) / r within 2^-49, and (cosh(r) - 1) / r^2 within 2^-40. */
static const double expm1_short_c[] = {
    0x1.0000000000000p+0,  0x1.fffffffff71b2p-2,  0x1.5555555553b78p-3,
    0x1.555555742d965p-5,  0x1.1111111c478ebp-7,  0x1.6c164de86dafdp-10,
    0x1.a019ada3609f3p-13, 0x1.a15a600528a0fp-16, 0x1.72c72ca338df0p-19};
static const double sinh_short_c[] = {0x1.0000000000006p+0, 0x1.5555555550d79p-3,
                                      0x1.11111123c1f47p-7, 0x1.a01994bd214e7p-13,
                                      0x1.72e1150d0c9b6p-19};
static const double cosh_short_c[] = {0x1.fffffffffe062p-2, 0x1.55555565c7e0ep-5,
                                      0x1.6c166bde96885p-10, 0x1.a136bf03ec612p-16};

#define SHORT_TO_INTEGER 0x1.8p52

struct short_rest {
    uint64_t n; /* 2^52 n */
    double r;
};

static ALWAYS_INLINE struct short_rest short_rest(double x)
{
    const double shifted = fma_or_two_f64(x, 0x1.71547652b82fep+0, SHORT_TO_INTEGER);
    const double n = shifted - SHORT_TO_INTEGER;
    return (struct short_rest){f64_bits(shifted) << 52,
                               fma_or_two_f64(n, -0x1.62e42fefa39efp-1, x)};
}

static ALWAYS_INLINE bool expm1_has_short_f32(float x)
{
    return x < 88;
}

/* 2^n (e^r - 1) - (1 - 2^n). Below -80 it is -1. */
static ALWAYS_INLINE double expm1_short_f32(double x)
{
    const struct short_rest rest = short_rest(x > -80 ? x : -80);
    const double scale = f64_of_bits(f64_bits(1.0) + rest.n);
    const double less = rest.r * HORNER_OR_TWO(rest.r, expm1_short_c);
    return fma_or_two_f64(scale, less, -(1 - scale));
}

/* With A = (2^n - 2^-n) / 2 and B = (2^n + 2^-n) / 2 sinh x is A cosh r + B sinh r. */
struct short_hyperbolic {
    double minus_a, b, sinh_r, cosh_r_less; /* than 1 */
};

static ALWAYS_INLINE struct short_hyperbolic short_hyperbolic(double x)
{
    const struct short_rest rest = short_rest(x);
    const double up = f64_of_bits(f64_bits(0.5) + rest.n);
    const double down = f64_of_bits(f64_bits(0.5) - rest.n), z = rest.r * rest.r;
    return (struct short_hyperbolic){down - up, up + down, rest.r * HORNER_OR_TWO(z, sinh_short_c),
                                     z * HORNER_OR_TWO(z, cosh_short_c)};
}

static ALWAYS_INLINE double short_sinh(struct short_hyperbolic h)
{
    return fma_or_two_f64(h.b, h.sinh_r, -fma_or_two_f64(h.minus_a, h.cosh_r_less, h.minus_a));
}

static ALWAYS_INLINE double short_cosh(struct short_hyperbolic h)
{
    return fma_or_two_f64(-h.minus_a, h.sinh_r, fma_or_two_f64(h.b, h.cosh_r_less, h.b));
}

static ALWAYS_INLINE bool sinh_has_short_f32(float x)
{
    return (x < 88) & (x > -88);
}
#define cosh_has_short_f32 sinh_has_short_f32

static ALWAYS_INLINE double sinh_short_f32(double x)
{
    return short_sinh(short_hyperbolic(x));
}

static ALWAYS_INLINE double cosh_short_f32(double x)
{
    return short_cosh(short_hyperbolic(x));
}

static ALWAYS_INLINE bool tanh_has_short_f32(float x)
{
    return x == x;
}

/* Beyond 20 it is 1. */
static ALWAYS_INLINE double tanh_short_f32(double x)
{
    const double above = x > -20 ? x : -20, inside = above < 20 ? above : 20;
    const struct short_hyperbolic h = short_hyperbolic(inside);
    return short_sinh(h) / short_cosh(h);
}

#endif
