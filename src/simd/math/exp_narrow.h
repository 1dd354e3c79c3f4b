/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Narrow forms (narrow.h) of powers and of functions that are built from them: e^x = 2^n e^r with x
 * = n ln 2 + r, where n is a multiple of 1/32 or 1/16 and |r| <= ln 2 / 32. The fractional part of
 * 2^n comes from a table.
 */
#pragma once

#include "narrow.h"

#ifdef HAVE_VF

/* 2^n for the fractions n, and the relative rounding errors of these. */
static const float narrow_powers[] = {
    BOTH(0x1p+0F, 0x1.059b0ep+0F),        BOTH(0x1.0b5586p+0F, 0x1.11301ep+0F),
    BOTH(0x1.172b84p+0F, 0x1.1d4874p+0F), BOTH(0x1.2387a6p+0F, 0x1.29e9ep+0F),
    BOTH(0x1.306fep+0F, 0x1.371a74p+0F),  BOTH(0x1.3dea64p+0F, 0x1.44e086p+0F),
    BOTH(0x1.4bfdaep+0F, 0x1.5342b6p+0F), BOTH(0x1.5ab07ep+0F, 0x1.6247ecp+0F),
    BOTH(0x1.6a09e6p+0F, 0x1.71f75ep+0F), BOTH(0x1.7a1148p+0F, 0x1.82589ap+0F),
    BOTH(0x1.8ace54p+0F, 0x1.93737cp+0F), BOTH(0x1.9c4918p+0F, 0x1.a5503cp+0F),
    BOTH(0x1.ae89fap+0F, 0x1.b7f77p+0F),  BOTH(0x1.c199bep+0F, 0x1.cb720ep+0F),
    BOTH(0x1.d5818ep+0F, 0x1.dfc974p+0F), BOTH(0x1.ea4afap+0F, 0x1.f50766p+0F)};
static const float narrow_powers_low[] = {
    BOTH(0x0p+0F, -0x1.947414p-25F),          BOTH(0x1.8d96d4p-25F, -0x1.dda2fcp-25F),
    BOTH(-0x1.9c0c22p-27F, -0x1.a2fbb2p-25F), BOTH(0x1.964904p-25F, -0x1.2b0dbcp-25F),
    BOTH(0x1.125002p-25F, -0x1.cde8cep-26F),  BOTH(0x1.370be4p-25F, 0x1.336de2p-30F),
    BOTH(-0x1.0a355p-25F, -0x1.c541b4p-26F),  BOTH(-0x1.00d8acp-27F, -0x1.6cb284p-25F),
    BOTH(0x1.26055cp-26F, 0x1.8b2bb8p-26F),   BOTH(-0x1.05cb44p-25F, -0x1.1c2142p-26F),
    BOTH(0x1.67a1cap-28F, -0x1.348e56p-25F),  BOTH(0x1.a3b5e4p-28F, -0x1.0b7ec8p-25F),
    BOTH(-0x1.f9c304p-27F, -0x1.e4c886p-26F), BOTH(-0x1.6961b4p-28F, -0x1.b5151ep-28F),
    BOTH(-0x1.a5217cp-28F, -0x1.ab7132p-26F), BOTH(0x1.61428ep-28F, -0x1.2ad5f8p-27F)};

/* Coefficients of (e^r - 1 - r) / r^2; e^r is within 2^-36. */
static const float power_c[] = {0x1p-1F, 0x1.5556ep-3F, 0x1.55565cp-5F};

/* Adding this leaves the number of table steps in the lowest bits of the sum. */
#define NARROW_TO_STEPS    (VF_TABLE_BITS == 5 ? 0x1.8p18F : 0x1.8p19F)
#define NARROW_LN_2        0x1.62e43p-1F /* 21 bits */
#define NARROW_LN_2_LOW    -0x1.05c61p-29F
#define NARROW_LOG2_E      0x1.715476p+0F
#define NARROW_LOG2_10     0x1.a934fp+1F
#define NARROW_LOG10_2     0x1.34413p-2F /* 21 bits */
#define NARROW_LOG10_2_LOW 0x1.427de8p-24F
#define NARROW_LN_10       0x1.26bb1cp+1F
#define NARROW_LN_10_LOW   -0x1.12aabap-25F

/* 2^k t (1 + r + less), with k in the bits of an exponent. 1 + r + less has an error of 2^-34. */
struct narrow_power {
    vf t, r, less;
    vu k;
};

/* The relative rounding error of 2^n, for the steps n in the lowest bits of `shifted`. */
static ALWAYS_INLINE vf narrow_power_low(vf shifted)
{
    return vf_lookup(narrow_powers_low, (vu)shifted);
}

/* 2^n e^r (1 + low), |low| < 2^-22. */
static ALWAYS_INLINE struct narrow_power narrow_power(vf shifted, vf r, vf low)
{
    const vu n = (vu)shifted;
    const vf slope = vf_fma(vf_all(power_c[2]), r, vf_all(power_c[1]));
    const vf square = vf_fma(slope, r, vf_all(power_c[0]));
    return (struct narrow_power){vf_lookup(narrow_powers, n), r,
                                 vf_fma(vf_fma(r, square, low), r, low),
                                 (n & ~NARROW_LAST) << (23 - VF_TABLE_BITS)};
}

/* e^x. x - n ln 2 is exact except for the low part of ln 2. */
static ALWAYS_INLINE struct narrow_power narrow_exp(vf x)
{
    const vf shifted = vf_fma(x, vf_all(NARROW_LOG2_E), vf_all(NARROW_TO_STEPS));
    const vf n = shifted - NARROW_TO_STEPS, r = vf_fma(n, vf_all(-NARROW_LN_2), x);
    return narrow_power(shifted, r, vf_fma(n, vf_all(-NARROW_LN_2_LOW), narrow_power_low(shifted)));
}

/* t (1 + r + less) as a pair. */
static ALWAYS_INLINE struct vf_pair narrow_power_pair(struct narrow_power p)
{
    const vf high = vf_fma(p.t, p.r, p.t);
    return (struct vf_pair){high, vf_fma(p.t, p.less, vf_fma(p.t, p.r, p.t - high))};
}

static ALWAYS_INLINE struct narrow narrow_power_rounded(struct narrow_power p, vm doubt)
{
    const struct narrow m =
        narrow_rounded(narrow_power_pair(p), vf_all(NARROW_OFF(0x1.ep-33F)), doubt);
    return (struct narrow){(vf)((vu)m.value + p.k), m.doubt};
}

static ALWAYS_INLINE struct narrow exp_vf(vf x)
{
    return narrow_vanishing(narrow_power_rounded(narrow_exp(x), narrow_beyond(x, 87)), x, -104);
}

static ALWAYS_INLINE struct narrow exp2_vf(vf x)
{
    const vf shifted = x + NARROW_TO_STEPS, f = x - (shifted - NARROW_TO_STEPS);
    const struct vf_pair r = vf_pair_of_product(f, vf_all(NARROW_LN_2));
    const vf r_low = vf_fma(f, vf_all(NARROW_LN_2_LOW), r.low);
    return narrow_power_rounded(narrow_power(shifted, r.high, r_low + narrow_power_low(shifted)),
                                narrow_beyond(x, 126));
}

/* The rest of x is in two parts, and so is its product with ln 10. */
static ALWAYS_INLINE struct narrow exp10_vf(vf x)
{
    const vf shifted = vf_fma(x, vf_all(NARROW_LOG2_10), vf_all(NARROW_TO_STEPS));
    const vf n = shifted - NARROW_TO_STEPS, rest = vf_fma(n, vf_all(-NARROW_LOG10_2), x);
    const vf f = vf_fma(n, vf_all(-NARROW_LOG10_2_LOW), rest);
    const vf f_low = vf_fma(n, vf_all(-NARROW_LOG10_2_LOW), rest - f);
    const struct vf_pair r = vf_pair_of_product(f, vf_all(NARROW_LN_10));
    const vf r_low =
        vf_fma(f, vf_all(NARROW_LN_10_LOW), vf_fma(f_low, vf_all(NARROW_LN_10), r.low));
    return narrow_power_rounded(narrow_power(shifted, r.high, r_low + narrow_power_low(shifted)),
                                narrow_beyond(x, 37));
}

/* ---- the sigmoid ---------------------------------------------------------------------------- */

/*
 * Pairs of this section need not be normalized: low is below 2^-10 of high. Only high waits for a
 * division. low is added to the remainder of the quotient, to which its square counts too.
 */

/* e^x with a relative error of 2^-34. */
static ALWAYS_INLINE struct vf_pair narrow_exp_pair(vf x)
{
    const struct narrow_power p = narrow_exp(x);
    const struct vf_pair m = narrow_power_pair(p);
    const vf scale = (vf)(p.k + (UINT32_C(127) << 23));
    return (struct vf_pair){m.high * scale, m.low * scale};
}

/* a + number for a pair a that is not negative. */
static ALWAYS_INLINE struct vf_pair vf_pair_and(struct vf_pair a, float number)
{
    const vf b = vf_all(number);
    const struct vf_pair sum = vf_pair_of_sorted(vf_max(a.high, b), vf_min(a.high, b));
    return (struct vf_pair){sum.high, sum.low + a.low};
}

static ALWAYS_INLINE struct vf_pair vf_pair_inverse(struct vf_pair d)
{
    const vf q = 1 / d.high, rest = vf_fma(-q, d.low, vf_fma(-q, d.high, vf_all(1)));
    return (struct vf_pair){q, q * vf_fma(rest, rest, rest)};
}

static ALWAYS_INLINE struct vf_pair vf_pair_quotient(struct vf_pair a, struct vf_pair d)
{
    const vf inverse = 1 / d.high, q = a.high * inverse;
    const vf rest = vf_fma(-q, d.low, vf_fma(-q, d.high, a.high) + a.low), low = rest * inverse;
    return (struct vf_pair){q, vf_fma(low, -d.low * inverse, low)};
}

/* 1 / (1 + e^-x) for |x| < 64, with a relative error of 2^-33.5. */
static ALWAYS_INLINE struct vf_pair narrow_sigmoid(vf x)
{
    return vf_pair_inverse(vf_pair_and(narrow_exp_pair(-x), 1));
}

/* From 63 on it is 1. vf_min() returns its second operand if that is NaN. */
static ALWAYS_INLINE struct narrow sigmoid_vf(vf x)
{
    const vf a = vf_min(vf_all(63), x);
    return narrow_rounded_part(narrow_sigmoid(a), NARROW_OFF(0x1.2p-33F), narrow_beyond(a, 64));
}

/* ---- e^x - 1 and hyperbolic functions ------------------------------------------------------- */

/* e^x - 1 as u = a - 1 plus a (e^r - 1), within 2^-34 of e^x; relative 2^-29 if a is 1. */
static ALWAYS_INLINE struct vf_pair narrow_expm1_of(struct narrow_power p, vf a, struct vf_pair u)
{
    const vf high = vf_fma(a, p.r, u.high), lost = vf_fma(a, p.r, u.high - high);
    return (struct vf_pair){high, vf_fma(a, p.less, u.low + lost)};
}

/* The smaller of two bounds, which are parts of a and of b. */
static ALWAYS_INLINE vf narrow_bound(vf a, float part_of_a, vf b, float part_of_b)
{
    return vf_min(a * part_of_a, b * part_of_b);
}

/* Below -80 it is -1. vf_max() returns its second operand if that is NaN. */
static ALWAYS_INLINE struct narrow expm1_vf(vf x)
{
    x = vf_max(vf_all(-80), x);
    const struct narrow_power p = narrow_exp(x);
    const vf a = (vf)((vu)p.t + p.k);
    const struct vf_pair e = narrow_expm1_of(p, a, vf_pair_of_sum(a, vf_all(-1)));
    const struct narrow y = narrow_rounded(
        e, narrow_bound(a + 0x1p-14F, NARROW_OFF(0x1.2p-33F), vf_abs(e.high), NARROW_OFF_NEAR),
        narrow_beyond(x, 87));
    return (struct narrow){vf_with_sign(y.value, x), y.doubt};
}

/* e^x - 1 for x >= 0. */
static ALWAYS_INLINE struct vf_pair narrow_expm1_pair(vf x)
{
    const struct narrow_power p = narrow_exp(x);
    const vf a = (vf)((vu)p.t + p.k);
    return narrow_expm1_of(p, a, vf_pair_of_sorted(a, vf_all(-1)));
}

/* tanh |x| = e / (e + 2) with e = e^(2 |x|) - 1. From 39 on it is 1. */
static ALWAYS_INLINE struct narrow tanh_vf(vf x)
{
    const vf a = vf_min(vf_all(39), vf_abs(x));
    const struct vf_pair e = narrow_expm1_pair(a + a);
    const struct vf_pair q = vf_pair_quotient(e, vf_pair_and(e, 2));
    const struct narrow y = narrow_rounded(
        q, vf_min(q.high * NARROW_OFF_NEAR, vf_all(NARROW_OFF(0x1p-34F))), narrow_beyond(a, 40));
    return (struct narrow){vf_with_sign(y.value, x), y.doubt};
}

static ALWAYS_INLINE struct narrow cosh_vf(vf x)
{
    const vf a = vf_abs(x);
    const struct vf_pair e = narrow_exp_pair(a), q = vf_pair_inverse(e);
    const struct vf_pair sum = vf_pair_of_sorted(e.high, q.high);
    const struct narrow y =
        narrow_rounded_part((struct vf_pair){sum.high, sum.low + (e.low + q.low)},
                            NARROW_OFF(0x1.2p-33F), narrow_beyond(x, 87));
    return (struct narrow){y.value * 0.5F, y.doubt};
}

#endif
