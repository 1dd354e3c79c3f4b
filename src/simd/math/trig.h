/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sin, cos, tan, sinpi and cospi: the angle is reduced to n turns, half turns or quarter turns and
 * a rest (turn.h), which polynomials evaluate.
 *
 * NAME_near_f32 and NAME_near_f64 are for arguments below FAR_ANGLE, at a third of the cost.
 */
#pragma once

#include "horner.h"
#include "sign.h"
#include "pair.h"
#include "turn.h"

/* These arguments have a short form. */
static ALWAYS_INLINE bool is_near_angle_f32(float x)
{
    return f32_of_bits(f32_bits(x) & 0x7FFFFFFF) < (float)FAR_ANGLE;
}

static ALWAYS_INLINE bool is_near_angle_f64(double x)
{
    return magnitude_f64(x) < FAR_ANGLE;
}

#define sin_is_near_f32 is_near_angle_f32
#define sin_is_near_f64 is_near_angle_f64
#define cos_is_near_f32 is_near_angle_f32
#define cos_is_near_f64 is_near_angle_f64
#define tan_is_near_f32 is_near_angle_f32
#define tan_is_near_f64 is_near_angle_f64

/* ---- f32: one polynomial for half a turn ----------------------------------------------------- */

/*
 * (sin r - r) / r^3 as a polynomial of r^2, |r| <= pi / 2. The best coefficients, with an error of
 * 2^-61 of sin r, were changed at random, by less than 2^-53 of sin r, until the results nearest to
 * the middle between two f32 were rounded correctly, with fma and without. For sin, cos, sinpi and
 * cospi of all f32 these are 153 inputs within 2^-49 of the middle, of which f64 cannot tell 10
 * from the middle itself.
 */
static const double sin_half_c[] = {
    -0x1.555555555555ap-3,  0x1.1111111111384p-7,  -0x1.a01a01a040666p-13, 0x1.71de3a658cbeap-19,
    -0x1.ae645d3015161p-26, 0x1.6125c9bcdd7ccp-33, -0x1.aec02743b6d54p-41, 0x1.9493ae3ad64fdp-49,
};

static ALWAYS_INLINE double sin_half(double r)
{
    const double r2 = r * r;
    return r * fma_or_two_f64(HORNER_OR_TWO(r2, sin_half_c), r2, 1.0);
}

static ALWAYS_INLINE double sin_near_f32(double x)
{
    const struct turn t = near_halves(magnitude_f64(x));
    return with_sign(sin_half(t.high), x, t.n);
}

static ALWAYS_INLINE double cos_near_f32(double x)
{
    const struct turn t = near_halves_on(magnitude_f64(x));
    return with_sign(sin_half(t.high), 0, t.n);
}

static ALWAYS_INLINE double sin_f32(double x)
{
    const double a = magnitude_f64(x);
    const struct turn t = far_or_near(a, far_rest(a, 1, 0), near_halves(a));
    return with_sign(sin_half(t.high), x, t.n);
}

static ALWAYS_INLINE double cos_f32(double x)
{
    const double a = magnitude_f64(x);
    const struct turn t = far_or_near(a, far_rest(a, 1, 1), near_halves_on(a));
    return with_sign(sin_half(t.high), 0, t.n);
}

/* ---- two polynomials for a quarter of a turn ------------------------------------------------- */

/* (sin r - r) / r^3 in r^2, |r| <= pi / 4; sin r computed from it has an error of 2^-57. */
static const double sin_c[] = {
    -0x1.5555555555548p-3, 0x1.111111110f7d7p-7,   -0x1.a01a019bfeb09p-13,
    0x1.71de35685b12ep-19, -0x1.ae5e5ae3b5320p-26, 0x1.5d8fe3719d637p-33,
};

/*
 * (cos r - 1 + r^2 / 2) / r^4 as a polynomial of r^2; cos r computed from it has an error of 2^-63.
 */
static const double cos_c[] = {
    0x1.555555555554bp-5,   -0x1.6c16c16c14f95p-10, 0x1.a01a019c84875p-16,
    -0x1.27e4f7eadfd78p-22, 0x1.1ee9d7c136128p-29,  -0x1.8fa49e34ab53fp-37,
};

static ALWAYS_INLINE struct pair sin_pair(struct turn t)
{
    const double r = t.high, r2 = r * r, one = fma_f64(r2, -0.5, 1.0);
    return (struct pair){r, fma_f64(r * r2, HORNER(r2, sin_c), t.low * one)};
}

static ALWAYS_INLINE struct pair cos_pair(struct turn t)
{
    const double r = t.high, r2 = r * r, high = fma_f64(r2, -0.5, 1.0);
    const double lost = fma_f64(r2, -0.5, 1 - high), r2_low = fma_f64(r, r, -r2);
    const double rest = fma_f64(r2_low, -0.5, fma_f64(-r, t.low, lost));
    return (struct pair){high, fma_f64(r2 * r2, HORNER(r2, cos_c), rest)};
}

/* The sine of the rest plus n quarter turns, up to its sign, which is negative if n / 2 is odd. */
static ALWAYS_INLINE struct pair sin_parts_of_turn(struct turn t)
{
    const struct pair s = sin_pair(t), c = cos_pair(t);
    const bool odd = is_odd(t.n);
    return (struct pair){odd ? c.high : s.high, odd ? c.low : s.low};
}

static ALWAYS_INLINE double sin_of_turn(struct turn t, double sign)
{
    const struct pair parts = sin_parts_of_turn(t);
    return with_sign(parts.high + parts.low, sign, t.n >> 1);
}

/* sin / cos, or -cos / sin; the remainder of the quotient is divided too. */
static ALWAYS_INLINE double tan_of_turn(struct turn t, double sign)
{
    const struct pair s = sin_pair(t), c = cos_pair(t);
    const double sin_high = s.high + s.low, sin_low = (s.high - sin_high) + s.low;
    const double cos_high = c.high + c.low, cos_low = (c.high - cos_high) + c.low;
    const bool odd = is_odd(t.n);
    const double above = odd ? cos_high : sin_high, above_low = odd ? cos_low : sin_low;
    const double below = odd ? sin_high : cos_high, below_low = odd ? sin_low : cos_low;
    const double inverse = 1 / below, quotient = above * inverse;
    const double rest = fma_f64(-quotient, below, above) + fma_f64(-quotient, below_low, above_low);
    return with_sign(fma_f64(rest, inverse, quotient), sign, t.n);
}

static ALWAYS_INLINE double sin_near_f64(double x)
{
    return sin_of_turn(near_quarters(magnitude_f64(x)), x);
}

static ALWAYS_INLINE struct turn next_quarter(struct turn t)
{
    return (struct turn){t.high, t.low, t.n + 1};
}

static ALWAYS_INLINE double cos_near_f64(double x)
{
    return sin_of_turn(next_quarter(near_quarters(magnitude_f64(x))), 0);
}

static ALWAYS_INLINE double tan_near_f64(double x)
{
    return tan_of_turn(near_quarters(magnitude_f64(x)), x);
}

static ALWAYS_INLINE struct turn any_quarters(double a)
{
    return far_or_near(a, far_rest(a, 2, 0), near_quarters(a));
}

static ALWAYS_INLINE double sin_f64(double x)
{
    return sin_of_turn(any_quarters(magnitude_f64(x)), x);
}

static ALWAYS_INLINE double cos_f64(double x)
{
    return sin_of_turn(next_quarter(any_quarters(magnitude_f64(x))), 0);
}

static ALWAYS_INLINE double tan_f64(double x)
{
    return tan_of_turn(any_quarters(magnitude_f64(x)), x);
}

/* ---- tan of an f32 --------------------------------------------------------------------------- */

static ALWAYS_INLINE struct turn near_quarters_f32(double x)
{
    const double shifted = fma_or_two_f64(x, 2 / PI_HIGH, TO_INTEGER), n = shifted - TO_INTEGER;
    const double first = fma_or_two_f64(n, -PI_1 / 2, x);
    return (struct turn){fma_or_two_f64(n, -PI_2 / 2, first), 0, f64_bits(shifted)};
}

static ALWAYS_INLINE double tan_of_turn_f32(struct turn t, double sign)
{
    const double r = t.high, r2 = r * r, one = fma_or_two_f64(r2, -0.5, 1.0);
    const double s = fma_or_two_f64(r * r2, HORNER_OR_TWO(r2, sin_c), r);
    const double c = fma_or_two_f64(r2 * r2, HORNER_OR_TWO(r2, cos_c), one);
    const bool odd = is_odd(t.n);
    return with_sign((odd ? c : s) / (odd ? s : c), sign, t.n);
}

static ALWAYS_INLINE double tan_near_f32(double x)
{
    return tan_of_turn_f32(near_quarters_f32(magnitude_f64(x)), x);
}

static ALWAYS_INLINE double tan_f32(double x)
{
    const double a = magnitude_f64(x);
    return tan_of_turn_f32(far_or_near(a, far_rest(a, 2, 0), near_quarters_f32(a)), x);
}

/* ---- of pi x --------------------------------------------------------------------------------- */

/* a minus the nearest multiple of 2, exactly: -1 to 1. From 2^53 on that is 0. */
static ALWAYS_INLINE double without_turns(double a)
{
    const double rest = a - ((a + 0x1p53) - 0x1p53);
    return a >= 0x1p53 ? a * 0 : rest;
}

/* Zeros have the sign that IEEE 754 gives them: that of x for sinpi, + for cospi. */
static ALWAYS_INLINE double or_zero(double value, double rest, double x, uint64_t n)
{
    return with_sign(value, x, rest == 0 ? 0 : n);
}

static ALWAYS_INLINE double sinpi_f32(double x)
{
    const double a = without_turns(magnitude_f64(x)), shifted = a + TO_INTEGER;
    const double rest = a - (shifted - TO_INTEGER);
    return or_zero(sin_half(magnitude_f64(rest) * PI_HIGH), rest, x,
                   f64_bits(shifted) ^ f64_bits(rest) >> 63);
}

static ALWAYS_INLINE double cospi_f32(double x)
{
    const double a = without_turns(magnitude_f64(x)), shifted = (a + 0.5) + TO_INTEGER;
    const double rest = a - ((shifted - TO_INTEGER) - 0.5);
    return or_zero(sin_half(magnitude_f64(rest) * PI_HIGH), rest, 0,
                   f64_bits(shifted) ^ f64_bits(rest) >> 63);
}

/*
 * The angle pi a, |a| <= 1, as 2 a quarter turns: their nearest integer, and the rest in radians.
 */
static ALWAYS_INLINE struct turn quarters_of(double a)
{
    const double shifted = a * 2 + TO_INTEGER, rest = fma_f64(shifted - TO_INTEGER, -0.5, a);
    const double high = rest * PI_HIGH;
    const double low = fma_f64(rest, PI_LOW, fma_f64(rest, PI_HIGH, -high));
    return (struct turn){high, low, f64_bits(shifted)};
}

/* A tiny x is scaled up before it is multiplied by pi, so that no part of the product is lost. */
static ALWAYS_INLINE double sinpi_f64(double x)
{
    const double a = without_turns(magnitude_f64(x));
    const bool tiny = magnitude_f64(a) < 0x1p-400;
    const double scale = tiny ? 0x1p300 : 1, back = tiny ? 0x1p-300 : 1;
    const double sine = sin_of_turn(quarters_of(a * scale), 0) * back;
    return with_sign(sine == 0 ? 0 : sine, x, 0);
}

/* The sine with its sign, as a pair. The argument is 0 or at least 2^-400 in magnitude. */
static ALWAYS_INLINE struct pair sinpi_pair_of(struct turn t)
{
    const struct pair parts = sin_parts_of_turn(t), sum = pair_of_sorted(parts.high, parts.low);
    return (struct pair){with_sign(sum.high, 0, t.n >> 1), with_sign(sum.low, 0, t.n >> 1)};
}

static ALWAYS_INLINE double cospi_f64(double x)
{
    const struct turn t = quarters_of(without_turns(magnitude_f64(x)));
    const double cosine = sin_of_turn(next_quarter(t), 0);
    return cosine == 0 ? 0 : cosine;
}
