/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with a logarithm that are 0 if the first factor is, and sinc; within 1 unit. */
#pragma once

#include "log.h"

#include "../map_ops.h"
#include "pair.h"
#include "trig.h"

/* x log(y), but 0 if x is 0 and y is not NaN. */
static ALWAYS_INLINE double product_or_0(double x, double y, double log)
{
    const double product = x * log;
    return x == 0 ? (y == y ? 0 : y) : product;
}

/* Returns y, or 1 if x is 0, to avoid a logarithm of 0; the mask keeps compilers from branching. */
static ALWAYS_INLINE double one_beside_0(double x, double y)
{
    const uint64_t mask = 0 - (uint64_t)(x == 0);
    return f64_of_bits((f64_bits(y) & ~mask) | (f64_bits(1.0) & mask));
}

static ALWAYS_INLINE double xlogy_f32(double x, double y)
{
    return product_or_0(x, y, log_f32(one_beside_0(x, y)));
}

/*
 * x times the logarithm `log` if `limit` is 1, otherwise x times the limit. The parts are added
 * first: beside a lower one of a fifth of the result its product would be rounded once more.
 */
static ALWAYS_INLINE double product_with_log(double x, double limit, struct pair log)
{
    const struct pair sum = pair_of_sorted(log.high, log.low);
    const double product = pair_product_of_any(sum, (struct pair){x, 0});
    return limit == 1 ? product : x * limit;
}

/* x log(y). */
static ALWAYS_INLINE double product_with_log_of(double x, double y)
{
    const struct log_cut cut = log_cut_any(y);
    return product_with_log(x, log_limit(y, 1), log_parts(cut.k, cut.f, 0));
}

static ALWAYS_INLINE double xlogy_f64(double x, double y)
{
    const double product = product_with_log_of(x, one_beside_0(x, y));
    return x == 0 ? (y == y ? 0 : y) : product;
}

static ALWAYS_INLINE double xlog1py_f32(double x, double y)
{
    return product_or_0(x, y, log1p_f32(y));
}

static ALWAYS_INLINE double xlog1py_f64(double x, double y)
{
    const double product = product_with_log(x, log1p_limit(y, 1), log1p_parts(0, y, 0));
    return x == 0 ? (y == y ? 0 : y) : product;
}

/* -x log(x); 0 for 0 and -inf for negative x. */
static ALWAYS_INLINE double entropy_of(double x, double log)
{
    const double inside = x == 0 ? 0 : negated_f64(x) * log;
    return x < 0 ? -__builtin_inf() : inside;
}

static ALWAYS_INLINE double entr_f32(double x)
{
    return entropy_of(x, log_f32(one_beside_0(x, x)));
}

static ALWAYS_INLINE double entr_f64(double x)
{
    const double product = product_with_log_of(negated_f64(x), one_beside_0(x, x));
    const double inside = x == 0 ? 0 : product;
    return x < 0 ? -__builtin_inf() : inside;
}

/* Near 0 it is 1, within a quarter of a unit. From 2^52 on x is an integer and the sine is 0. */
static ALWAYS_INLINE double sinc_f64(double x)
{
    const double a = magnitude_f64(x), inside = a < 0x1p52 ? a : 0x1p52;
    const double y = inside + 0x1p-1000, high = y * PI_HIGH; /* NOTE [Flags] in math.inc */
    const double low = fma_f64(y, PI_LOW, fma_f64(y, PI_HIGH, -high));
    const struct pair sine = sinpi_pair_of(quarters_of(without_turns(a + 0x1p-1000)));
    const struct pair q = pair_quotient(sine, (struct pair){high, low});
    const double far = sine.high == 0 ? 0 : q.high + q.low, result = a < 0x1p-28 ? 1 : far;
    return x == x ? result : x;
}

/* f64 is far more precise than f32 needs. */
static ALWAYS_INLINE double sinc_f32(double x)
{
    const double a = magnitude_f64(x), inside = a < 0x1p52 ? a : 0x1p52;
    const double y = inside + 0x1p-1000, high = y * PI_HIGH;
    const double low = fma_f64(y, PI_LOW, fma_f64(y, PI_HIGH, -high));
    const double q = sinpi_f64(a + 0x1p-1000) / high, far = fma_f64(-q, low / high, q);
    const double result = a < 0x1p-28 ? 1 : far;
    return x == x ? result : x;
}
