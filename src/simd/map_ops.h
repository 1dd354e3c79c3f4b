/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Helpers of elementwise ops without branches: loops vectorize, with the same bits at every level.
 */
#pragma once

#include "number.h"

/*
 * NOTE [Differences of products]: GCC 12 contracts a * b - c * d beside e * f + g * h to one
 * rounding (vfmaddsub), whatever -ffp-contract says. So differences are written as sums in which
 * one factor is negated by its bits, a pattern that GCC does not recognize.
 *
 * with_sign() is the magnitude of x with the sign of y; torch.copysign.
 */
#define SIGNS(T, real, sign)                                                                       \
    static ALWAYS_INLINE real magnitude_##T(real x)                                                \
    {                                                                                              \
        return T##_of_bits(T##_bits(x) & ~(sign));                                                 \
    }                                                                                              \
    static ALWAYS_INLINE real negated_##T(real x)                                                  \
    {                                                                                              \
        return T##_of_bits(T##_bits(x) ^ (sign));                                                  \
    }                                                                                              \
    static ALWAYS_INLINE bool is_negative_##T(real x)                                              \
    {                                                                                              \
        return T##_bits(x) >> (8 * sizeof x - 1);                                                  \
    }                                                                                              \
    static ALWAYS_INLINE real with_sign_##T(real x, real y)                                        \
    {                                                                                              \
        return T##_of_bits((T##_bits(x) & ~(sign)) | (T##_bits(y) & (sign)));                      \
    }
SIGNS(f32, float, UINT32_C(1) << 31)
SIGNS(f64, double, UINT64_C(1) << 63)
#undef SIGNS

/* Defines name_f32() and name_odd(), which round what is computed in f64 (NOTE [Round to odd]). */
#define ROUNDED_BOTH_WAYS(name, parameters, wide)                                                  \
    static ALWAYS_INLINE float name##_f32 parameters                                               \
    {                                                                                              \
        return (float)(wide);                                                                      \
    }                                                                                              \
    static ALWAYS_INLINE float name##_odd parameters                                               \
    {                                                                                              \
        return f32_odd_from_f64(wide);                                                             \
    }

/* The squares are exact in f64, and their sum does not overflow. */
static ALWAYS_INLINE float length_f32(float re, float im)
{
    const double x = (double)magnitude_f32(re), y = (double)magnitude_f32(im);
    const float length = (float)__builtin_sqrt(x * x + y * y);
    const float infinity = __builtin_inff();
    return magnitude_f32(re) == infinity || magnitude_f32(im) == infinity ? infinity : length;
}

/* Operands are scaled if squares would overflow or underflow; the error is below 1.5 units. */
static ALWAYS_INLINE double length_f64(double re, double im)
{
    const double x = magnitude_f64(re), y = magnitude_f64(im), most = x > y ? x : y;
    const uint64_t one = f64_bits(1.0), less = one ^ f64_bits(0x1p-600),
                   more = one ^ f64_bits(0x1p600);
    const uint64_t large = most >= 0x1p500 ? UINT64_MAX : 0,
                   small = most < 0x1p-400 ? UINT64_MAX : 0;
    const double scale = f64_of_bits(one ^ (large & less) ^ (small & more)),
                 back = f64_of_bits(one ^ (large & more) ^ (small & less));
    const double length = __builtin_sqrt(x * scale * (x * scale) + y * scale * (y * scale)) * back;
    const double infinity = __builtin_inf();
    return ((x == infinity) | (y == infinity)) ? infinity : length;
}
