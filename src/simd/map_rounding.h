/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounding to integers: one instruction where the level has it, elsewhere additions that round off
 * the fraction, with the same results. The sign of x is kept, also for zeros; infinities and NaN
 * are unchanged.
 */
#ifndef STRIA_SIMD_MAP_ROUNDING_H
#define STRIA_SIMD_MAP_ROUNDING_H

#include "map_ops.h"

#if defined __SSE4_1__ || defined __aarch64__

static ALWAYS_INLINE float floor_f32(float x)
{
    return __builtin_floorf(x);
}
static ALWAYS_INLINE double floor_f64(double x)
{
    return __builtin_floor(x);
}
static ALWAYS_INLINE float ceil_f32(float x)
{
    return __builtin_ceilf(x);
}
static ALWAYS_INLINE double ceil_f64(double x)
{
    return __builtin_ceil(x);
}
static ALWAYS_INLINE float trunc_f32(float x)
{
    return __builtin_truncf(x);
}
static ALWAYS_INLINE double trunc_f64(double x)
{
    return __builtin_trunc(x);
}
static ALWAYS_INLINE float rint_f32(float x)
{
    return __builtin_rintf(x);
}
static ALWAYS_INLINE double rint_f64(double x)
{
    return __builtin_rint(x);
}

#else

/* All f32 from 2^23 on and all f64 from 2^52 on are integers. */
static ALWAYS_INLINE float rint_f32(float x)
{
    const float size = magnitude_f32(x), whole = (size + 0x1p23F) - 0x1p23F;
    return size < 0x1p23F ? with_sign_f32(whole, x) : x;
}
static ALWAYS_INLINE double rint_f64(double x)
{
    const double size = magnitude_f64(x), whole = (size + 0x1p52) - 0x1p52;
    return size < 0x1p52 ? with_sign_f64(whole, x) : x;
}
static ALWAYS_INLINE float floor_f32(float x)
{
    const float near = rint_f32(x);
    return with_sign_f32(near - (near > x ? 1.0F : 0.0F), x);
}
static ALWAYS_INLINE double floor_f64(double x)
{
    const double near = rint_f64(x);
    return with_sign_f64(near - (near > x ? 1.0 : 0.0), x);
}
static ALWAYS_INLINE float ceil_f32(float x)
{
    const float near = rint_f32(x);
    return with_sign_f32(near + (near < x ? 1.0F : 0.0F), x);
}
static ALWAYS_INLINE double ceil_f64(double x)
{
    const double near = rint_f64(x);
    return with_sign_f64(near + (near < x ? 1.0 : 0.0), x);
}
static ALWAYS_INLINE float trunc_f32(float x)
{
    return with_sign_f32(floor_f32(magnitude_f32(x)), x);
}
static ALWAYS_INLINE double trunc_f64(double x)
{
    return with_sign_f64(floor_f64(magnitude_f64(x)), x);
}

#endif

/* Returns the fraction that trunc() removes, with the sign of x, or NaN for infinities. */
static ALWAYS_INLINE float frac_f32(float x)
{
    return with_sign_f32(x - trunc_f32(x), x);
}
static ALWAYS_INLINE double frac_f64(double x)
{
    return with_sign_f64(x - trunc_f64(x), x);
}

#endif
