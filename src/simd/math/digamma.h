/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The digamma function, the derivative of log Gamma. From 10 on it is log(z) - 1 / (2 z) minus a
 * series in 1 / z^2. A smaller z is increased by digamma(z) = digamma(z + 1) - 1 / z, and negative
 * numbers are reflected. Near its zeros the absolute error is below 2^-51. f32 needs no pairs.
 */
#pragma once

#include "log.h"

#include "pair.h"
#include "trig.h"

/* -B(2 k) / (2 k) with the Bernoulli numbers B. Eight terms are within 2^-57 from 10 on. */
static const double digamma_series[] = {
    -0x1.5555555555555p-4, 0x1.1111111111111p-7, -0x1.0410410410410p-8, 0x1.1111111111111p-8,
    -0x1.f07c1f07c1f08p-8, 0x1.5995995995996p-6, -0x1.5555555555555p-4, 0x1.c5e5e5e5e5e5ep-2};

enum { DIGAMMA_STEPS = 10 };

/* digamma(z + z_low) for z + z_low >= 2^-100. */
static ALWAYS_INLINE struct pair digamma_positive(double z, double z_low)
{
    const bool small = z < DIGAMMA_STEPS;
    const double base = small ? z : 1;
    struct pair sum = {0, 0};
    UNROLL
    for (int i = DIGAMMA_STEPS - 1; i >= 0; i--) {
        const struct pair at = pair_of_sum(i, base);
        const double q = 1 / at.high, at_low = at.low + z_low;
        const double q_low = (fma_f64(-q, at.high, 1) - q * at_low) * q;
        const struct pair next = pair_of_sum(sum.high, q);
        sum = (struct pair){next.high, sum.low + (next.low + q_low)};
    }
    const struct pair moved = pair_of_sum(z, small ? DIGAMMA_STEPS : 0);
    const double y = moved.high, inverse = 1 / y, w = inverse * inverse;
    const double far = fma_f64(-0.5, inverse, w * HORNER(w, digamma_series));
    const struct pair log = pair_log(y), all = pair_of_sum(log.high, small ? -sum.high : 0);
    const double log_low = fma_f64(moved.low + z_low, inverse, log.low);
    return (struct pair){all.high, (all.low + (log_low - (small ? sum.low : 0))) + far};
}

/* It is -inf at +0 and +inf at -0, as the limits there; NaN at the other poles and at -inf. */
static ALWAYS_INLINE double digamma_f64(double x)
{
    const double inf = __builtin_inf(), a = magnitude_f64(x);
    const bool tiny = a < 0x1p-100, whole = a >= 0x1p52, negative = (x < 0) & !tiny;
    const double y = tiny ? 1 : a < inf ? x : 1;
    const struct pair z = pair_of_sum(negative ? 1 : 0, negative ? -y : y);
    const struct pair up = digamma_positive(z.high, z.low);
    /* the reflection needs pi cot(pi x) */
    const struct turn turn = quarters_of(without_turns((negative & !whole) ? a : 0.25));
    const struct pair sine = sinpi_pair_of(turn), cosine = sinpi_pair_of(next_quarter(turn));
    const bool at_whole = (sine.high == 0) | whole;
    const struct pair below = {sine.high == 0 ? 1 : sine.high, sine.low};
    const struct pair q = pair_quotient(cosine, below), part = pair_of_product(q.high, PI_HIGH);
    const double part_low = fma_f64(q.high, PI_LOW, fma_f64(q.low, PI_HIGH, part.low));
    const struct pair sum = pair_of_sum(part.high, up.high);
    const double reflected = sum.high + (sum.low + (part_low + up.low));
    const double usual = negative ? reflected : up.high + up.low;
    const double result = tiny ? -1 / (x == 0 ? 1 : x) : usual;
    const double at_pole = x == 0 ? with_sign_f64(inf, negated_f64(x)) : __builtin_nan("");
    const double finite =
        (((x <= 0) & !tiny & at_whole) | (x == 0) | (x == -inf)) ? at_pole : result;
    return x == x ? (x == inf ? inf : finite) : x;
}

/* ---- f32, in f64 ----------------------------------------------------------------------------- */

static ALWAYS_INLINE double digamma_positive_f32(double z)
{
    const bool small = z < DIGAMMA_STEPS;
    double sum = 0;
    UNROLL
    for (int i = DIGAMMA_STEPS - 1; i >= 0; i--)
        sum += 1 / (z + i);
    const double y = small ? z + DIGAMMA_STEPS : z, inverse = 1 / y, w = inverse * inverse;
    const double far = fma_f64(-0.5, inverse, w * HORNER(w, digamma_series));
    return (log_f64(y) + far) - (small ? sum : 0);
}

static ALWAYS_INLINE double digamma_f32(double x)
{
    const double inf = __builtin_inf(), z = x < 0 ? 1 - x : x;
    const double sine = sinpi_f64(x), cosine = cospi_f64(x);
    const double up = digamma_positive_f32(z);
    const double cotangent = cosine / (sine + (sine == 0 ? 1.0 : 0.0));
    const double result = x < 0 ? up - PI_HIGH * cotangent : up;
    const double at_pole = x == 0 ? with_sign_f64(inf, negated_f64(x)) : __builtin_nan("");
    const double finite = (((x <= 0) & (sine == 0)) | (x == -inf)) ? at_pole : result;
    return x == x ? (x == inf ? inf : finite) : x;
}
