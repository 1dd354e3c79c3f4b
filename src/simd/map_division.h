/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer division and remainders; for floats they are in math/. No instruction set divides vectors
 * of integers, so integers of up to 32 bits are divided as floats: the quotient is rounded to an
 * integer, its remainder is exact, and the sign of the remainder tells whether the quotient must be
 * corrected by one. Division by 0 gives quotient and remainder 0; the lowest number divided by -1
 * is itself.
 */
#ifndef STRIA_SIMD_MAP_DIVISION_H
#define STRIA_SIMD_MAP_DIVISION_H

#include "map_ops.h"

struct division {
    double quotient, rest;
};

/* Floor division of integers of up to 32 bits. */
static ALWAYS_INLINE struct division floor_division(double x, double y)
{
    const double to_integer = 0x1.8p52, by = y == 0 ? 1.0 : y;
    const double near = (x / by + to_integer) - to_integer, rest = x - near * by;
    const bool above = (rest != 0) & ((rest < 0) != (by < 0));
    const double quotient = near - (above ? 1.0 : 0.0), left = rest + (above ? by : 0.0);
    return (struct division){y == 0 ? 0 : quotient, y == 0 ? 0 : left};
}

/* The remainder of truncated division, which has the sign of x. */
static ALWAYS_INLINE double rest_towards_zero(double x, double y)
{
    const double to_integer = 0x1.8p52, by = y == 0 ? 1.0 : y, step = magnitude_f64(by);
    const double near = (x / by + to_integer) - to_integer, rest = x - near * by;
    const bool beyond = (rest != 0) & ((rest < 0) != (x < 0));
    const double left = rest + (beyond ? (x < 0 ? negated_f64(step) : step) : 0.0);
    return y == 0 ? 0 : left;
}

/* The same computations in f32, for integers of up to 16 bits. */
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

/* Returns an integer below 2^33 modulo 2^32: it stands in the lowest bits of the sum. */
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

/* -1 is excluded because x86 traps on the quotient of the lowest number and -1. */
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

#endif
