/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short forms (doubt.h) of powers, expm1, sinh, cosh, tanh and the sigmoid. x = n ln 2 + r with |r|
 * <= ln 2 / 2; ln 2 has an error of 2^-56, and r of less than 2^-47. Some sums are written as
 * differences to keep the sign of zeros.
 */
#pragma once

#include "doubt.h"
#include "horner.h"

/* (e^r - 1) / r within 2^-43.3, sinh(r) / r within 2^-49, (cosh(r) - 1) / r^2 within 2^-40. */
static const double expm1_short_c[] = {
    0x1.0000000000000p+0,  0x1.fffffffff71b2p-2,  0x1.5555555553b78p-3,
    0x1.555555742d965p-5,  0x1.1111111c478ebp-7,  0x1.6c164de86dafdp-10,
    0x1.a019ada3609f3p-13, 0x1.a15a600528a0fp-16, 0x1.72c72ca338df0p-19};
static const double sinh_short_c[] = {0x1.0000000000006p+0, 0x1.5555555550d79p-3,
                                      0x1.11111123c1f47p-7, 0x1.a01994bd214e7p-13,
                                      0x1.72e1150d0c9b6p-19};
static const double cosh_short_c[] = {0x1.fffffffffe062p-2, 0x1.55555565c7e0ep-5,
                                      0x1.6c166bde96885p-10, 0x1.a136bf03ec612p-16};

/* Coefficients of (2^f - 1) / f, |f| <= 1/2; 2^f is within 2^-45. */
static const double exp2_short_c[] = {
    0x1.62e42fefa39efp-1,  0x1.ebfbdff823cedp-3,  0x1.c6b08d7047e52p-5,
    0x1.3b2ab7181b755p-7,  0x1.5d87fe86fe88ep-10, 0x1.4308ac85aa947p-13,
    0x1.ffcb9515a8016p-17, 0x1.63d136366db24p-20, 0x1.b63880a30e9ffp-24};

/* 2^(n + f), with n in the lowest bits of `shifted`. */
static ALWAYS_INLINE double short_power(double shifted, double f)
{
    const double power = fma_or_two_f64(f, HORNER_OR_TWO(f, exp2_short_c), 1.0);
    return f64_of_bits(f64_bits(power) + (f64_bits(shifted) << 52));
}

/* base^x, given log2(base). The exponent has an error of at most 2^-46. */
static ALWAYS_INLINE double short_power_of(double x, double log2)
{
    const double shifted = fma_or_two_f64(x, log2, TO_INTEGER);
    return short_power(shifted, fma_or_two_f64(x, log2, -(shifted - TO_INTEGER)));
}

static ALWAYS_INLINE bool exp_has_short_f32(float x)
{
    return (x > -87) & (x < 89);
}

static ALWAYS_INLINE double exp_short_f32(double x)
{
    return short_power_of(x, 0x1.71547652b82fep+0);
}

static ALWAYS_INLINE bool exp2_has_short_f32(float x)
{
    return (x > -126) & (x < 129);
}

static ALWAYS_INLINE double exp2_short_f32(double x)
{
    const double shifted = x + TO_INTEGER;
    return short_power(shifted, x - (shifted - TO_INTEGER));
}

static ALWAYS_INLINE bool exp10_has_short_f32(float x)
{
    return (x > -37) & (x < 39);
}

static ALWAYS_INLINE double exp10_short_f32(double x)
{
    return short_power_of(x, 0x1.a934f0979a371p+1);
}

static ALWAYS_INLINE bool sigmoid_has_short_f32(float x)
{
    return x > -87;
}

/* From 60 on it is 1. */
static ALWAYS_INLINE double sigmoid_short_f32(double x)
{
    const double inside = x < 60 ? x : 60;
    return 1 / (1 + short_power_of(inside, -0x1.71547652b82fep+0));
}

struct short_rest {
    uint64_t n; /* 2^52 n */
    double r;
};

static ALWAYS_INLINE struct short_rest short_rest(double x)
{
    const double shifted = fma_or_two_f64(x, 0x1.71547652b82fep+0, TO_INTEGER);
    const double n = shifted - TO_INTEGER;
    return (struct short_rest){f64_bits(shifted) << 52,
                               fma_or_two_f64(n, -0x1.62e42fefa39efp-1, x)};
}

static ALWAYS_INLINE bool expm1_has_short_f32(float x)
{
    return x < 88;
}

/* e^x - 1 = 2^n (e^r - 1) - (1 - 2^n). Below -80 it is -1. */
static ALWAYS_INLINE double expm1_short_f32(double x)
{
    const struct short_rest rest = short_rest(x > -80 ? x : -80);
    const double scale = f64_of_bits(f64_bits(1.0) + rest.n);
    const double less = rest.r * HORNER_OR_TWO(rest.r, expm1_short_c);
    return fma_or_two_f64(scale, less, -(1 - scale));
}

/* sinh x = A cosh r + B sinh r with A = (2^n - 2^-n) / 2 and B = (2^n + 2^-n) / 2. */
struct short_hyperbolic {
    double minus_a, b, sinh_r, cosh_r_less; /* cosh r - 1 */
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
