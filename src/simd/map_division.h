/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole quotients and what they leave. No level divides vectors of integers: those of up to 32 bits
 * are divided as floats, whose quotient is rounded to a whole number t; what t leaves is exact, and
 * by its sign t is corrected by one. A quotient by 0, and what it leaves, is 0, and the lowest
 * number by -1 is itself.
 */
#ifndef STRIA_SIMD_MAP_DIVISION_H
#define STRIA_SIMD_MAP_DIVISION_H

#include "fma.h"
#include "map_ops.h"

/* ---- integers ------------------------------------------------------------------------------- */

struct division {
    double quotient, rest;
};

/* Of integers x and y of up to 32 bits, towards minus infinity. */
static ALWAYS_INLINE struct division floor_division(double x, double y)
{
    const double to_integer = 0x1.8p52, by = y == 0 ? 1.0 : y;
    const double near = (x / by + to_integer) - to_integer, rest = x - near * by;
    const bool above = (rest != 0) & ((rest < 0) != (by < 0));
    const double quotient = near - (above ? 1.0 : 0.0), left = rest + (above ? by : 0.0);
    return (struct division){y == 0 ? 0 : quotient, y == 0 ? 0 : left};
}

/* What a quotient towards 0 leaves: it has the sign of x. */
static ALWAYS_INLINE double rest_towards_zero(double x, double y)
{
    const double to_integer = 0x1.8p52, by = y == 0 ? 1.0 : y, step = magnitude_f64(by);
    const double near = (x / by + to_integer) - to_integer, rest = x - near * by;
    const bool beyond = (rest != 0) & ((rest < 0) != (x < 0));
    const double left = rest + (beyond ? (x < 0 ? negated_f64(step) : step) : 0.0);
    return y == 0 ? 0 : left;
}

/* The same with f32, for integers of up to 16 bits. */
struct short_division {
    float quotient, rest;
};

static ALWAYS_INLINE struct short_division short_floor_division(float x, float y)
{
    const float to_integer = 0x1.8p23F, by = y == 0 ? 1.0F : y;
    const float near = (x / by + to_integer) - to_integer, rest = x - near * by;
    const bool above = (rest != 0) & ((rest < 0) != (by < 0));
    const float quotient = near - (above ? 1.0F : 0.0F), left = rest + (above ? by : 0.0F);
    return (struct short_division){y == 0 ? 0 : quotient, y == 0 ? 0 : left};
}

static ALWAYS_INLINE float short_rest_towards_zero(float x, float y)
{
    const float to_integer = 0x1.8p23F, by = y == 0 ? 1.0F : y, step = magnitude_f32(by);
    const float near = (x / by + to_integer) - to_integer, rest = x - near * by;
    const bool beyond = (rest != 0) & ((rest < 0) != (x < 0));
    const float left = rest + (beyond ? (x < 0 ? negated_f32(step) : step) : 0.0F);
    return y == 0 ? 0 : left;
}

/* A whole number of less than 2^33 modulo 2^32: it stands in the last places of the sum. */
static ALWAYS_INLINE uint32_t wrapped(double whole)
{
    return (uint32_t)f64_bits(whole + 0x1.8p52);
}

static ALWAYS_INLINE double f64_from_u32(uint32_t x)
{
    return f64_of_bits(UINT64_C(0x433) << 52 | x) - 0x1p52;
}

static ALWAYS_INLINE uint64_t floor_divide_u64(uint64_t a, uint64_t b)
{
    return b ? a / b : 0;
}

static ALWAYS_INLINE uint64_t remainder_u64(uint64_t a, uint64_t b)
{
    return b ? a % b : 0;
}

static ALWAYS_INLINE uint64_t fmod_u64(uint64_t a, uint64_t b)
{
    return b ? a % b : 0;
}

/* -1 is a divisor of its own: the quotient of the lowest number traps. */
static ALWAYS_INLINE int64_t fmod_i64(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

static ALWAYS_INLINE int64_t remainder_i64(int64_t a, int64_t b)
{
    const int64_t rest = fmod_i64(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static ALWAYS_INLINE int64_t floor_divide_i64(int64_t a, int64_t b)
{
    if (b == 0) return 0;
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/* ---- floats --------------------------------------------------------------------------------- */

/* What is left of a significand with so many zeros behind it. */
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

/* For x and y whose quotient is beyond 2^53 or which are out of the range of products. */
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

/* What y > 0 leaves of x >= 0, exactly; NaN where there is no such thing. */
static ALWAYS_INLINE double rest_f64(double x, double y)
{
    const double infinity = __builtin_inf();
    if (!(x < infinity) || y == 0 || y != y) return __builtin_nan("");
    if (x < y) return x;
    if (!(x < 0x1p900 && y > 0x1p-900 && x < y * 0x1p52)) return rest_of_integers(x, y);
    const double quotient = (double)(int64_t)(x / y);
    const double rest = fma_f64(negated_f64(quotient), y, x);
    return rest < 0 ? rest + y : rest;
}

static ALWAYS_INLINE double fmod_f64(double a, double b)
{
    return with_sign_f64(rest_f64(magnitude_f64(a), magnitude_f64(b)), a);
}

/* f64 holds the product of a quotient of 29 bits. */
static ALWAYS_INLINE float fmod_f32(float a, float b)
{
    const double x = (double)magnitude_f32(a), y = (double)magnitude_f32(b);
    const double near = x / y, quotient = (double)(int64_t)(near < 0x1p29 ? near : 0);
    const double less = quotient == 0 ? 0.0 : quotient * y; /* y may be infinite */
    const double inside = x - less, rest = inside < 0 ? inside + y : inside;
    return with_sign_f32((float)(near < 0x1p29 ? rest : rest_f64(x, y)), a);
}

/* With the sign of the divisor, zeros too. */
static ALWAYS_INLINE float remainder_f32(float a, float b)
{
    const float rest = fmod_f32(a, b);
    const float moved = (rest < 0) != (b < 0) ? rest + b : rest;
    const float of_zero = with_sign_f32(0.0F, b);
    return rest == 0 ? of_zero : moved;
}

static ALWAYS_INLINE double remainder_f64(double a, double b)
{
    const double rest = fmod_f64(a, b);
    const double moved = (rest < 0) != (b < 0) ? rest + b : rest;
    const double of_zero = with_sign_f64(0.0, b);
    return rest == 0 ? of_zero : moved;
}

/*
 * (a - rest) / b is a whole number but for its rounding, which the nearest one takes away: 1 // 0.1
 * is 9, since 0.1 is above a tenth. A quotient by 0 is that of a and 0.
 */
static ALWAYS_INLINE float floor_divide_f32(float a, float b)
{
    const float rest = fmod_f32(a, b), near = (a - rest) / b;
    const float quotient = rest != 0 && (rest < 0) != (b < 0) ? near - 1 : near;
    const float below = floor_f32(quotient), whole = quotient - below > 0.5F ? below + 1 : below;
    const float of_zero = with_sign_f32(0.0F, a / b);
    return b == 0 ? a / b : quotient == 0 ? of_zero : whole;
}

static ALWAYS_INLINE double floor_divide_f64(double a, double b)
{
    const double rest = fmod_f64(a, b), near = (a - rest) / b;
    const double quotient = rest != 0 && (rest < 0) != (b < 0) ? near - 1 : near;
    const double below = floor_f64(quotient), whole = quotient - below > 0.5 ? below + 1 : below;
    const double of_zero = with_sign_f64(0.0, a / b);
    return b == 0 ? a / b : quotient == 0 ? of_zero : whole;
}

#endif
