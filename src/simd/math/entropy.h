/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products with a logarithm that are 0 where the first factor is, and the sine of pi x over pi x.
 * Within 2 units in the last place.
 */
#ifndef STRIA_SIMD_MATH_ENTROPY_H
#define STRIA_SIMD_MATH_ENTROPY_H

#include "log.h"

#include "../map_ops.h"
#include "trig.h"

/* x log(y), and 0 where x is, unless y is NaN. */
static ALWAYS_INLINE double product_or_0(double x, double y, double log)
{
    const double product = x * log;
    return x == 0 ? (y == y ? 0 : y) : product;
}

static ALWAYS_INLINE double xlogy_f32(double x, double y)
{
    return product_or_0(x, y, log_f32(y));
}

static ALWAYS_INLINE double xlogy_f64(double x, double y)
{
    return product_or_0(x, y, log_f64(y));
}

static ALWAYS_INLINE double xlog1py_f32(double x, double y)
{
    return product_or_0(x, y, log1p_f32(y));
}

static ALWAYS_INLINE double xlog1py_f64(double x, double y)
{
    return product_or_0(x, y, log1p_f64(y));
}

/* -x log(x); 0 of 0, -inf of what is negative. */
static ALWAYS_INLINE double entropy_of(double x, double log)
{
    const double inside = x == 0 ? 0 : negated_f64(x) * log;
    return x < 0 ? -__builtin_inf() : inside;
}

static ALWAYS_INLINE double entr_f32(double x)
{
    return entropy_of(x, log_f32(x));
}

static ALWAYS_INLINE double entr_f64(double x)
{
    return entropy_of(x, log_f64(x));
}

/*
 * 1 at 0 and beside it: less than a quarter of a unit is lost. From 2^52 on x is whole and the sine
 * 0.
 */
static ALWAYS_INLINE double sinc_f64(double x)
{
    const double a = magnitude_f64(x), y = a < 0x1p52 ? a : 0x1p52, high = y * PI_HIGH;
    const double low = fma_f64(y, PI_LOW, fma_f64(y, PI_HIGH, -high));
    const double below = a < 0x1p-28 ? 1 : high, above = a < 0x1p-28 ? 1 : sinpi_f64(a);
    const double q = above / below, result = fma_f64(-q, (a < 0x1p-28 ? 0 : low) / below, q);
    return x == x ? result : x;
}

static ALWAYS_INLINE double sinc_f32(double x)
{
    return sinc_f64(x);
}

#endif
