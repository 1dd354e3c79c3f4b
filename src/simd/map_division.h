/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer division and remainders; for floats they are in math/. No instruction set divides vectors
 * of integers, so integers of up to 16 bits are divided as f32 and those of 32 as f64: the quotient
 * is rounded to an integer, its remainder is exact, and the sign of the remainder tells whether the
 * quotient must be corrected by one. Division by 0 gives quotient and remainder 0; the lowest
 * number divided by -1 is itself.
 */
#ifndef STRIA_SIMD_MAP_DIVISION_H
#define STRIA_SIMD_MAP_DIVISION_H

#include "map_ops.h"

/*
 * The floor division of integers that are exact in `real`, f32 or f64, with its remainder, and the
 * remainder of truncated division, which has the sign of x. Adding and subtracting to_integer
 * rounds.
 */
#define DIVISIONS(T, real, to_integer)                                                             \
    struct division_##T {                                                                          \
        real quotient, rest;                                                                       \
    };                                                                                             \
    static ALWAYS_INLINE struct division_##T floor_division_##T(real x, real y) {                  \
        const real by = y == 0 ? (real)1 : y, near = (x / by + to_integer) - to_integer,           \
                   rest = x - near * by;                                                           \
        const bool above = (rest != 0) & ((rest < 0) != (by < 0));                                 \
        const real quotient = near - (above ? (real)1 : (real)0);                                  \
        const real left = rest + (above ? by : (real)0);                                           \
        return (struct division_##T){y == 0 ? 0 : quotient, y == 0 ? 0 : left};                    \
    } static ALWAYS_INLINE real rest_towards_zero_##T(real x, real y)                              \
    {                                                                                              \
        const real by = y == 0 ? (real)1 : y, step = magnitude_##T(by),                            \
                   near = (x / by + to_integer) - to_integer, rest = x - near * by;                \
        const bool beyond = (rest != 0) & ((rest < 0) != (x < 0));                                 \
        const real left = rest + (beyond ? (x < 0 ? negated_##T(step) : step) : (real)0);          \
        return y == 0 ? 0 : left;                                                                  \
    }
DIVISIONS(f32, float, 0x1.8p23F)
DIVISIONS(f64, double, 0x1.8p52)
#undef DIVISIONS

/* Returns an integer below 2^33 modulo 2^32: it stands in the lowest bits of the sum. */
static ALWAYS_INLINE uint32_t wrapped(double whole)
{
    return (uint32_t)f64_bits(whole + 0x1.8p52);
}

static ALWAYS_INLINE double f64_from_u32(uint32_t x)
{
    return f64_of_bits(UINT64_C(0x433) << 52 | x) - 0x1p52;
}

/*
 * Division of unsigned integers x by one divisor d is a multiplication (Granlund and Montgomery,
 * 1994): with 2^l the least power of two that is not below d, and m = 2^bits (2^l - d) / d + 1
 * rounded down, x / d = (t + (x - t) / 2) / 2^(l - 1), where t is the upper half of m x. Of d = 1
 * both shifts are 0.
 */
/* Returns 2^bits rest / d, rounded down, bit by bit: rest is below d. */
static inline uint64_t scaled_quotient(uint64_t rest, uint64_t d, int bits)
{
    uint64_t quotient = 0;
    for (int i = 0; i < bits; i++) {
        const bool over = rest >> 63 != 0 || 2 * rest >= d;
        rest = 2 * rest - (over ? d : 0);
        quotient = 2 * quotient + over;
    }
    return quotient;
}

#define DIVISORS(bits, wide)                                                                       \
    struct divisor_##bits {                                                                        \
        uint##bits##_t times;                                                                      \
        int first, second; /* shifts */                                                            \
    };                                                                                             \
    static inline struct divisor_##bits divisor_of_##bits(uint##bits##_t d)                        \
    {                                                                                              \
        const int l = d == 1 ? 0 : 64 - __builtin_clzll((uint64_t)d - 1);                          \
        const uint64_t rest = (l < 64 ? (uint64_t)1 << l : 0) - d;                                 \
        return (struct divisor_##bits){(uint##bits##_t)(scaled_quotient(rest, d, bits) + 1),       \
                                       l > 0, l > 0 ? l - 1 : 0};                                  \
    }                                                                                              \
    static ALWAYS_INLINE uint##bits##_t divided_##bits(uint##bits##_t x, struct divisor_##bits by) \
    {                                                                                              \
        const uint##bits##_t t = (uint##bits##_t)(((wide)x * by.times) >> bits);                   \
        const uint##bits##_t half = (uint##bits##_t)((uint##bits##_t)(x - t) >> by.first);         \
        return (uint##bits##_t)((uint##bits##_t)(t + half) >> by.second);                          \
    }
__extension__ typedef unsigned __int128 uint128;
DIVISORS(8, uint32_t)
DIVISORS(16, uint32_t)
DIVISORS(32, uint64_t)
DIVISORS(64, uint128)
#undef DIVISORS

#define BITS_u8  8
#define BITS_i8  8
#define BITS_u16 16
#define BITS_i16 16
#define BITS_u32 32
#define BITS_i32 32
#define BITS_u64 64
#define BITS_i64 64

static ALWAYS_INLINE uint64_t floor_divide_u64(uint64_t a, uint64_t b)
{
    return b ? a / b : 0;
}

static ALWAYS_INLINE uint64_t remainder_u64(uint64_t a, uint64_t b)
{
    return b ? a % b : 0;
}

#define fmod_u64 remainder_u64

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
