/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices among floats. */
#ifndef STRIA_SIMD_MAP_CHOICE_H
#define STRIA_SIMD_MAP_CHOICE_H

#include "map_ops.h"

/* Of two equal numbers the bits of both, or of either: where they are zeros, +0 or -0. */
static ALWAYS_INLINE float greatest_f32(float a, float b, float unordered)
{
    const float equal = f32_of_bits(f32_bits(a) & f32_bits(b));
    const float below = a < b ? b : unordered, beside = a == b ? equal : below;
    return a > b ? a : beside;
}
static ALWAYS_INLINE double greatest_f64(double a, double b, double unordered)
{
    const double equal = f64_of_bits(f64_bits(a) & f64_bits(b));
    const double below = a < b ? b : unordered, beside = a == b ? equal : below;
    return a > b ? a : beside;
}
static ALWAYS_INLINE float least_f32(float a, float b, float unordered)
{
    const float equal = f32_of_bits(f32_bits(a) | f32_bits(b));
    const float above = a > b ? b : unordered, beside = a == b ? equal : above;
    return a < b ? a : beside;
}
static ALWAYS_INLINE double least_f64(double a, double b, double unordered)
{
    const double equal = f64_of_bits(f64_bits(a) | f64_bits(b));
    const double above = a > b ? b : unordered, beside = a == b ? equal : above;
    return a < b ? a : beside;
}

/* The upper bound decides where they are in the wrong order; an x equal to a bound stays. */
static ALWAYS_INLINE float between_bounds_f32(float x, float low, float high)
{
    const float raised = x < low ? low : x, lowered = raised > high ? high : raised;
    return ((low == low) & (high == high)) ? lowered : low + high;
}
static ALWAYS_INLINE double between_bounds_f64(double x, double low, double high)
{
    const double raised = x < low ? low : x, lowered = raised > high ? high : raised;
    return ((low == low) & (high == high)) ? lowered : low + high;
}

static ALWAYS_INLINE float hard_sigmoid_f32(float x)
{
    return between_bounds_f32(x + 3, 0, 6) / 6;
}
static ALWAYS_INLINE double hard_sigmoid_f64(double x)
{
    return between_bounds_f64(x + 3, 0, 6) / 6;
}

/* Its limits are 0 and x themselves, which a product with 0 or beside an infinity would miss. */
static ALWAYS_INLINE float hard_swish_f32(float x)
{
    const float inside = x * (x + 3) / 6, above = x >= 3 ? x : inside;
    return x <= -3 ? 0 : above;
}
static ALWAYS_INLINE double hard_swish_f64(double x)
{
    const double inside = x * (x + 3) / 6, above = x >= 3 ? x : inside;
    return x <= -3 ? 0 : above;
}

static ALWAYS_INLINE float soft_shrink_f32(float x, float by)
{
    const float inside = x == x ? 0 : x, below = x < -by ? x + by : inside;
    return x > by ? x - by : below;
}
static ALWAYS_INLINE double soft_shrink_f64(double x, double by)
{
    const double inside = x == x ? 0 : x, below = x < -by ? x + by : inside;
    return x > by ? x - by : below;
}

#endif
