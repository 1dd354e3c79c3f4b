/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima, minima, clamping, and activations that are made of comparisons. */
#ifndef STRIA_SIMD_MAP_CHOICE_H
#define STRIA_SIMD_MAP_CHOICE_H

#include "map_ops.h"

/*
 * `first` and `second` are one x86 instruction each. If a and b are equal or unordered, one of the
 * two is a and the other is b. They therefore differ only for zeros of different sign, where the
 * "and" of their bits is +0 (the "or", for the minimum, -0), and if there is a NaN, where setting
 * all bits makes a NaN.
 */
static ALWAYS_INLINE float maximum_f32(float a, float b)
{
    const float first = a > b ? a : b, second = b > a ? b : a;
    const uint32_t nan = __builtin_isunordered(a, b) ? UINT32_MAX : 0;
    return f32_of_bits((f32_bits(first) & f32_bits(second)) | nan);
}
static ALWAYS_INLINE double maximum_f64(double a, double b)
{
    const double first = a > b ? a : b, second = b > a ? b : a;
    const uint64_t nan = __builtin_isunordered(a, b) ? UINT64_MAX : 0;
    return f64_of_bits((f64_bits(first) & f64_bits(second)) | nan);
}
static ALWAYS_INLINE float minimum_f32(float a, float b)
{
    const float first = a < b ? a : b, second = b < a ? b : a;
    const uint32_t nan = __builtin_isunordered(a, b) ? UINT32_MAX : 0;
    return f32_of_bits((f32_bits(first) | f32_bits(second)) | nan);
}
static ALWAYS_INLINE double minimum_f64(double a, double b)
{
    const double first = a < b ? a : b, second = b < a ? b : a;
    const uint64_t nan = __builtin_isunordered(a, b) ? UINT64_MAX : 0;
    return f64_of_bits((f64_bits(first) | f64_bits(second)) | nan);
}

/* These return the other operand if one is NaN: `first` is a if no comparison with b is true. */
static ALWAYS_INLINE float maximum_number_f32(float a, float b)
{
    const float first = b > a ? b : a;
    const uint32_t apart = a == b ? 0 : UINT32_MAX;
    const float chosen = f32_of_bits(f32_bits(first) & (f32_bits(b) | apart));
    return a == a ? chosen : b;
}
static ALWAYS_INLINE double maximum_number_f64(double a, double b)
{
    const double first = b > a ? b : a;
    const uint64_t apart = a == b ? 0 : UINT64_MAX;
    const double chosen = f64_of_bits(f64_bits(first) & (f64_bits(b) | apart));
    return a == a ? chosen : b;
}
static ALWAYS_INLINE float minimum_number_f32(float a, float b)
{
    const float first = b < a ? b : a;
    const uint32_t apart = a == b ? 0 : UINT32_MAX;
    const float chosen = f32_of_bits(f32_bits(first) | (f32_bits(b) & ~apart));
    return a == a ? chosen : b;
}
static ALWAYS_INLINE double minimum_number_f64(double a, double b)
{
    const double first = b < a ? b : a;
    const uint64_t apart = a == b ? 0 : UINT64_MAX;
    const double chosen = f64_of_bits(f64_bits(first) | (f64_bits(b) & ~apart));
    return a == a ? chosen : b;
}

/* If low > high the result is high. An x that equals a bound stays as it is, zeros included. */
static ALWAYS_INLINE float clip_f32(float x, float low, float high)
{
    const float raised = x < low ? low : x, lowered = raised > high ? high : raised;
    return ((low == low) & (high == high)) ? lowered : low + high;
}
static ALWAYS_INLINE double clip_f64(double x, double low, double high)
{
    const double raised = x < low ? low : x, lowered = raised > high ? high : raised;
    return ((low == low) & (high == high)) ? lowered : low + high;
}

static ALWAYS_INLINE float hard_sigmoid_f32(float x)
{
    return clip_f32(x + 3, 0, 6) / 6;
}
static ALWAYS_INLINE double hard_sigmoid_f64(double x)
{
    return clip_f64(x + 3, 0, 6) / 6;
}

/* The result is exactly 0 or x outside of -3 .. 3, where the formula could overflow or give NaN. */
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
