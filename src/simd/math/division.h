/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floor division and remainders of floats, computed exactly. Most quotients are so small that f64
 * gives the nearest integer and an exact remainder: this is the short form, which has no branches.
 * The others are divided as integers.
 */
#pragma once

#include "../fma.h"
#include "../map_ops.h"
#include "../map_rounding.h"

/* ---- what y > 0 leaves of x >= 0 ------------------------------------------------------------- */

/* Returns a 2^zeros mod b. */
static inline uint64_t rest_of_shifted(uint64_t a, int64_t zeros, uint64_t b)
{
    enum { AT_ONCE = 11 }; /* significands have 53 bits */
    for (a %= b; zeros > 0 && a; zeros -= AT_ONCE)
        a = (a << (zeros < AT_ONCE ? zeros : AT_ONCE)) % b;
    return a;
}

static inline uint64_t significand(double x, int64_t *exponent)
{
    const uint64_t bits = f64_bits(x), low = bits & ((UINT64_C(1) << 52) - 1);
    *exponent = (int64_t)(bits >> 52);
    if (*exponent) return low | UINT64_C(1) << 52;
    *exponent = 1;
    return low;
}

/* Handles quotients beyond 2^53 and operands whose products would overflow or underflow. */
static NEVER_INLINE double rest_of_integers(double x, double y)
{
    int64_t ex, ey;
    uint64_t sx = significand(x, &ex), sy = significand(y, &ey);
    if (ex < ey) return x;
    uint64_t rest = rest_of_shifted(sx, ex - ey, sy);
    if (!rest) return 0;
    while (!(rest >> 52) && ey > 1) {
        rest <<= 1;
        ey--;
    }
    const uint64_t exponent = rest >> 52 ? (uint64_t)ey : 0;
    return f64_of_bits((rest & ((UINT64_C(1) << 52) - 1)) | exponent << 52);
}

/* x mod y; NaN where that is undefined. */
static ALWAYS_INLINE double rest_of(double x, double y)
{
    const double infinity = __builtin_inf();
    if (!(x < infinity) || y == 0 || y != y) return __builtin_nan("");
    if (x < y) return x;
    return rest_of_integers(x, y);
}

/* Rounds x / y, which is below 2^51, to an integer. */
static ALWAYS_INLINE double whole_quotient(double x, double y)
{
    const double to_integer = 0x1.8p52;
    return (x / y + to_integer) - to_integer;
}

/* x less the product, which is exact for a 29-bit quotient and an f32. An infinite y leaves x. */
static ALWAYS_INLINE double near_rest(double x, double y, const bool fused)
{
    const double quotient = whole_quotient(x, y);
    const double rest = fused ? fma_f64(negated_f64(quotient), y, x) : x - quotient * y;
    const double inside = rest < 0 ? rest + y : rest;
    return quotient == 0 ? x : inside;
}

static ALWAYS_INLINE bool is_near_quotient_f32(float a, float b)
{
    return magnitude_f32(a) < magnitude_f32(b) * 0x1p29F;
}

static ALWAYS_INLINE bool is_near_quotient_f64(double a, double b)
{
    const double x = magnitude_f64(a), y = magnitude_f64(b);
    return (x < 0x1p900) & (y > 0x1p-900) & (x < y * 0x1p51);
}

#define floor_divide_is_near_f32 is_near_quotient_f32
#define floor_divide_is_near_f64 is_near_quotient_f64
#define remainder_is_near_f32    is_near_quotient_f32
#define remainder_is_near_f64    is_near_quotient_f64
#define fmod_is_near_f32         is_near_quotient_f32
#define fmod_is_near_f64         is_near_quotient_f64

/* ---- with the sign of the dividend ----------------------------------------------------------- */

static ALWAYS_INLINE double fmod_f64(double a, double b)
{
    return with_sign_f64(rest_of(magnitude_f64(a), magnitude_f64(b)), a);
}

static ALWAYS_INLINE double fmod_near_f64(double a, double b)
{
    return with_sign_f64(near_rest(magnitude_f64(a), magnitude_f64(b), true), a);
}

#define fmod_f32 fmod_f64

static ALWAYS_INLINE double fmod_near_f32(double a, double b)
{
    return with_sign_f64(near_rest(magnitude_f64(a), magnitude_f64(b), false), a);
}

/* ---- with the sign of the divisor ------------------------------------------------------------ */

/* Gives the remainder, also a zero, the sign of b. The sum of two f32 is exact in f64. */
static ALWAYS_INLINE double moved_rest(double rest, double b)
{
    const double moved = (rest < 0) != (b < 0) ? rest + b : rest;
    const double of_zero = with_sign_f64(0.0, b);
    return rest == 0 ? of_zero : moved;
}

#define REMAINDER(form)                                                                            \
    static ALWAYS_INLINE double remainder_##form(double a, double b)                               \
    {                                                                                              \
        return moved_rest(fmod_##form(a, b), b);                                                   \
    }
REMAINDER(f64)
REMAINDER(near_f64)
REMAINDER(near_f32)
#define remainder_f32 remainder_f64
#undef REMAINDER

/* ---- the quotient, towards minus infinity ---------------------------------------------------- */

/*
 * (a - rest) / b is an integer up to its rounding error, which rounding to the nearest removes: 1
 * // 0.1 is 9, since 0.1 is above a tenth. For b = 0 the result is a / 0.
 */
#define FLOORED(T, real)                                                                           \
    static ALWAYS_INLINE real floored_##T(real a, real b, real rest)                               \
    {                                                                                              \
        const real near = (a - rest) / b;                                                          \
        const real quotient = rest != 0 && (rest < 0) != (b < 0) ? near - 1 : near;                \
        const real below = floor_##T(quotient);                                                    \
        const real whole = quotient - below > (real)0.5 ? below + 1 : below;                       \
        const real of_zero = with_sign_##T(0, a / b), of_b = quotient == 0 ? of_zero : whole;      \
        return b == 0 ? a / b : of_b;                                                              \
    }
FLOORED(f32, float)
FLOORED(f64, double)
#undef FLOORED

#define FLOOR_DIVIDE(T, real, form)                                                                \
    static ALWAYS_INLINE double floor_divide_##form(double a, double b)                            \
    {                                                                                              \
        return (double)floored_##T((real)a, (real)b, (real)fmod_##form(a, b));                     \
    }
FLOOR_DIVIDE(f64, double, f64)
FLOOR_DIVIDE(f64, double, near_f64)
FLOOR_DIVIDE(f32, float, f32)
FLOOR_DIVIDE(f32, float, near_f32)
#undef FLOOR_DIVIDE
