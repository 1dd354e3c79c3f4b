/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic that takes more than one operator. Suffixes name the type: _f32, _f64, _c64, _c128,
 * and _odd for f32 that will be rounded again (NOTE [Round to odd] in number.h). There are no
 * branches, so loops over these functions vectorize, and the bits are the same at every level.
 */
#pragma once

#include "map_ops.h"

/* ---- sums of products ------------------------------------------------------------------------ */

/*
 * Interpolates two f32 in f64, whose rounding errors are far below those of f32. The result is
 * computed from the nearer end, so that w = 0 and w = 1 give exactly a and b.
 */
static ALWAYS_INLINE double lerp_wide(float from, float to, float weight)
{
    const double a = (double)from, b = (double)to, w = (double)weight;
    const double from_end = weight < 0.5F ? -w : 1.0 - w;
    return (double)(weight < 0.5F ? from : to) - (b - a) * from_end;
}

ROUNDED_BOTH_WAYS(lerp, (float a, float b, float w), lerp_wide(a, b, w))

/* If the signs differ, b - a could overflow, while the terms of a (1 - w) + b w do not cancel. */
static ALWAYS_INLINE double lerp_f64(double a, double b, double w)
{
    const double by_parts = a * (1.0 - w) + b * w;
    const double near_a = a + (b - a) * w, near_b = b - (b - a) * (1.0 - w);
    const double same_sign = w < 0.5 ? near_a : near_b;
    return ((a < 0) & (b > 0)) | ((a > 0) & (b < 0)) ? by_parts : same_sign;
}

/*
 * The product of two f16 or bf16 is exact in f32. What the sum loses is kept by rounding it to odd.
 */
static ALWAYS_INLINE float addcmul_odd(float a, float b, float c)
{
    return f32_odd_from_f64((double)a + (double)b * (double)c);
}

static ALWAYS_INLINE float addcdiv_odd(float a, float b, float c)
{
    return f32_odd_from_f64((double)a + (double)b / (double)c);
}

/* ---- complex -------------------------------------------------------------------------------- */

/*
 * Smith's division scales the divisor by its larger part, so that no intermediate result overflows.
 * If the divisor is 0, both parts are divided by 0.
 */
static ALWAYS_INLINE mem_c128 quotient_c128(mem_c128 a, mem_c128 b)
{
    const double re = magnitude_f64(b.re), im = magnitude_f64(b.im);
    const bool wide = re >= im, zero = (re == 0) & (im == 0);
    const double large = wide ? b.re : b.im, small = wide ? b.im : b.re;
    const double ratio = zero ? 0 : small / large, divisor = large + small * ratio;
    const double x = wide ? a.re : a.im, y = wide ? a.im : a.re;
    /* x + y ratio, and y - x ratio or its negative, see NOTE [Differences of products] */
    const double sum = x + y * ratio;
    const double by_x = (wide ? negated_f64(x) : x) * ratio,
                 difference = by_x + (wide ? y : negated_f64(y));
    return (mem_c128){(zero ? a.re : sum) / (zero ? re : divisor),
                      (zero ? a.im : difference) / (zero ? re : divisor)};
}

/* The error of the computation in f64 is negligible for f32. */
static ALWAYS_INLINE mem_c64 quotient_c64(mem_c64 a, mem_c64 b)
{
    const mem_c128 q = quotient_c128((mem_c128){(double)a.re, (double)a.im},
                                     (mem_c128){(double)b.re, (double)b.im});
    return (mem_c64){(float)q.re, (float)q.im};
}

/* Returns z / |z|, or 0 for 0. z is scaled so that |z| is a normal number. */
static ALWAYS_INLINE mem_c128 sign_c128(mem_c128 z)
{
    const double re = magnitude_f64(z.re), im = magnitude_f64(z.im), most = re > im ? re : im;
    const double down = most > 0x1p1000 ? 0x1p-2 : 1.0, scale = most < 0x1p-900 ? 0x1p900 : down;
    const double x = z.re * scale, y = z.im * scale;
    const double length = length_f64(x, y), under = length == 0 ? 1.0 : length;
    return (mem_c128){length == 0 ? 0.0 : x / under, length == 0 ? 0.0 : y / under};
}

static ALWAYS_INLINE mem_c64 sign_c64(mem_c64 z)
{
    const double re = (double)z.re, im = (double)z.im;
    const double length = __builtin_sqrt(re * re + im * im), under = length == 0 ? 1.0 : length;
    return (mem_c64){length == 0 ? 0.0F : (float)(re / under),
                     length == 0 ? 0.0F : (float)(im / under)};
}
