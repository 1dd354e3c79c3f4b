/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * asin, acos and atan by odd polynomials on |x| <= 1/2. Larger arguments are reduced to the arc of
 * a half angle or of a quotient, which is added to a constant.
 */
#pragma once

#include "horner.h"
#include "sign.h"
#include "turn.h"

#define QUARTER_TURN     (PI_HIGH / 2)
#define QUARTER_TURN_LOW (PI_LOW / 2)

/*
 * Prepares a result for the rounding to f32. The exact result is never half way between two f32; if
 * f64 has rounded it to such a middle, it was above it. The tests of all inputs show this, for the
 * one or two inputs concerned.
 */
static ALWAYS_INLINE double above_half(double result)
{
    return f64_of_bits(f64_bits(result) | 1);
}

/* ---- asin and acos --------------------------------------------------------------------------- */

/* (asin s - s) / s^3 in s^2, |s| <= 1/2; asin s computed from it has an error of 2^-59. */
static const double asin_c[] = {
    0x1.5555555555577p-3, 0x1.333333332e0f7p-4, 0x1.6db6db7214969p-5, 0x1.f1c71a94406e3p-6,
    0x1.6e8bdef1903bbp-6, 0x1.1c49ef44c83d5p-6, 0x1.ca1fa569eb2acp-7, 0x1.7584d46e3b325p-7,
    0x1.61403e5955b7ep-7, 0x1.e5c13940b1662p-9, 0x1.63ab6d038cef4p-6, -0x1.581186d04813bp-6,
    0x1.0b4caf7237e2dp-5,
};

/*
 * If |x| > 1/2, asin |x| is pi / 2 - 2 asin(s) with s = sqrt((1 - |x|) / 2), whose square is exact.
 * For |x| > 1 that is the root of a negative number, NaN.
 */
struct sine {
    double s, s2;
    bool large;
};

static ALWAYS_INLINE struct sine sine_of(double a)
{
    const bool large = a > 0.5;
    const double s2 = large ? (1 - a) * 0.5 : a * a, root = __builtin_sqrt(s2);
    return (struct sine){large ? root : a, s2, large};
}

static ALWAYS_INLINE double arc_of_sine_f32(struct sine a)
{
    return fma_or_two_f64(a.s * a.s2, HORNER_OR_TWO(a.s2, asin_c), a.s);
}

static ALWAYS_INLINE double asin_f32(double x)
{
    const struct sine a = sine_of(magnitude_f64(x));
    const double arc = arc_of_sine_f32(a);
    return with_sign(a.large ? QUARTER_TURN - 2 * arc : arc, x, 0);
}

static ALWAYS_INLINE double acos_f32(double x)
{
    const struct sine a = sine_of(magnitude_f64(x));
    const double arc = arc_of_sine_f32(a), most = x < 0 ? PI_HIGH : 0;
    const double part = with_sign(a.large ? 2 * arc : -arc, x, 0);
    const double low = a.large ? 0 : QUARTER_TURN_LOW;
    return above_half((a.large ? most : QUARTER_TURN) + (part + low));
}

/* arc - s, including the rounding error of the root (0 for a root of 0). */
static ALWAYS_INLINE double arc_rest_f64(struct sine a)
{
    const double lost = fma_f64(-a.s, a.s, a.s2) * (0.5 / (a.s + 0x1p-200));
    return fma_f64(a.s * a.s2, HORNER(a.s2, asin_c), a.large ? lost : 0);
}

/* Returns high + low + part + rest; |high| >= |part|, or high is 0. */
static ALWAYS_INLINE double sum_of_arcs(double high, double low, double part, double rest)
{
    const double sum = high + part, lost = (high - sum) + part;
    return sum + (lost + (low + rest));
}

static ALWAYS_INLINE double asin_f64(double x)
{
    const struct sine a = sine_of(magnitude_f64(x));
    const double rest = arc_rest_f64(a), times = a.large ? -2 : 1;
    const double high = a.large ? QUARTER_TURN : 0, low = a.large ? QUARTER_TURN_LOW : 0;
    return with_sign(sum_of_arcs(high, low, times * a.s, times * rest), x, 0);
}

static ALWAYS_INLINE double acos_f64(double x)
{
    const struct sine a = sine_of(magnitude_f64(x));
    const double rest = arc_rest_f64(a), times = with_sign(a.large ? 2 : -1, x, 0);
    const double most = x < 0 ? PI_HIGH : 0, most_low = x < 0 ? PI_LOW : 0;
    return sum_of_arcs(a.large ? most : QUARTER_TURN, a.large ? most_low : QUARTER_TURN_LOW,
                       times * a.s, times * rest);
}

/* ---- atan ------------------------------------------------------------------------------------ */

/* (atan t - t) / t^3 in t^2, |t| <= 1/2; atan t computed from it has an error of 2^-57. */
static const double atan_c[] = {
    -0x1.5555555555516p-2, 0x1.999999999115ap-3, -0x1.249249215e45ap-3, 0x1.c71c709101e90p-4,
    -0x1.745cf4cd12612p-4, 0x1.3b113dd722594p-4, -0x1.10f31fc4d15bep-4, 0x1.dfe97e5512aecp-5,
    -0x1.a3987a27cb34dp-5, 0x1.56f5ea89f76c1p-5, -0x1.c180134dac9ffp-6, 0x1.4b842e7b85fb6p-7,
};

/*
 * atan a is 0, pi / 4 or pi / 2 plus the arc whose tangent is above / below, of magnitude 1/2 at
 * most: a / 1, (a - 1) / (a + 1) or -1 / a. a - 1 is exact.
 */
struct tangent {
    double above, below, lost; /* rounding error of `below` */
    double arc, arc_low;       /* the constant: 0, pi / 4 or pi / 2 */
};

static ALWAYS_INLINE struct tangent tangent_of(double a)
{
    const bool some = a > 0.5, two = a > 2;
    const double one = some ? 1 : 0, x = two ? 0 : a, below_a = some ? a : 0, below_1 = two ? 0 : 1;
    const double below = below_a + below_1, arc = two ? QUARTER_TURN : QUARTER_TURN / 2;
    const double arc_low = two ? QUARTER_TURN_LOW : QUARTER_TURN_LOW / 2;
    return (struct tangent){x - one, below, below_a - (below - below_1), some ? arc : 0,
                            some ? arc_low : 0};
}

static ALWAYS_INLINE double atan_f32(double x)
{
    const struct tangent a = tangent_of(magnitude_f64(x));
    const double t = a.above / a.below, t2 = t * t;
    const double arc = fma_or_two_f64(t * t2, HORNER_OR_TWO(t2, atan_c), t);
    return with_sign(above_half(a.arc + arc), x, 0);
}

/* From 2^60 on the result is pi / 2, rounded. */
static ALWAYS_INLINE double atan_f64(double x)
{
    const double m = magnitude_f64(x);
    const struct tangent a = tangent_of(m > 0x1p60 ? 0x1p60 : m);
    const double inverse = 1 / a.below, t = a.above * inverse, t2 = t * t;
    const double lost = fma_f64(-t, a.lost, fma_f64(-t, a.below, a.above)) * inverse;
    const double rest = fma_f64(t * t2, HORNER(t2, atan_c), lost);
    return with_sign(sum_of_arcs(a.arc, a.arc_low, t, rest), x, 0);
}
