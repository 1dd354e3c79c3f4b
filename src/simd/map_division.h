/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer division and remainders; for floats they are in math/. No instruction set divides vectors
 * of integers, so integers of up to 16 bits are divided as f32 and those of 32 as f64: the quotient
 * is rounded to an integer, its remainder is exact, and the sign of the remainder tells whether the
 * quotient must be corrected by one. Division by 0 gives quotient and remainder 0; the lowest
 * number divided by -1 is itself.
 */
#pragma once

#include "map_ops.h"

/*
 * The floor division by y, which is not 0, of integers that are exact in `real`, f32 or f64, with
 * its remainder, and the remainder of truncated division, which has the sign of x. Adding and
 * subtracting to_integer rounds. Signs are told by bits: GCC 12 compares what lies beside the items
 * in a register, too, which may be NaN.
 */
#define DIVISIONS(T, real, to_integer)                                                             \
    struct division_##T {                                                                          \
        real quotient, rest;                                                                       \
    };                                                                                             \
    static ALWAYS_INLINE struct division_##T floor_division_##T(real x, real y) {                  \
        const real near = (x / y + to_integer) - to_integer, rest = x - near * y;                  \
        const bool above = (rest != 0) & ((rest < 0) != (y < 0));                                  \
        return (struct division_##T){near - (above ? (real)1 : (real)0),                           \
                                     rest + (above ? y : (real)0)};                                \
    } static ALWAYS_INLINE real rest_towards_zero_##T(real x, real y)                              \
    {                                                                                              \
        const real size = magnitude_##T(x), step = magnitude_##T(y),                               \
                   rest = size - ((size / step + to_integer) - to_integer) * step,                 \
                   left = rest + (is_negative_##T(rest) ? step : (real)0);                         \
        return is_negative_##T(x) ? negated_##T(left) : left;                                      \
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
 * Division of unsigned integers x by one divisor d > 1 is a multiplication (Granlund and
 * Montgomery, 1994): with 2^l the least power of two that is not below d, and t the upper half of m
 * x, x / d = (t + (x - t) / 2) / 2^(l - 1) where m = 2^bits (2^l - d) / d + 1 rounded down. Of
 * magnitudes of signed integers, which are at most 2^(bits - 1), it is t / 2^(l - 1) where m =
 * 2^bits 2^(l - 1) / d rounded up.
 */
/* Returns 2^bits rest / d, rounded down, bit by bit: rest is below d. */
static inline uint64_t scaled_quotient(uint64_t rest, uint64_t d, int bits)
{
    uint64_t quotient = 0;
    if (bits <= 32) return (rest << bits) / d;
    for (int i = 0; i < bits; i++) {
        const bool over = rest >> 63 != 0 || 2 * rest >= d;
        rest = 2 * rest - (over ? d : 0);
        quotient = 2 * quotient + over;
    }
    return quotient;
}

#define DIVISORS(bits)                                                                             \
    struct divisor_##bits {                                                                        \
        uint##bits##_t times;                                                                      \
        int shift;                                                                                 \
    };                                                                                             \
    static inline struct divisor_##bits divisor_of_##bits(uint##bits##_t d, bool is_magnitude)     \
    {                                                                                              \
        const int shift = 63 - __builtin_clzll((uint64_t)d - 1);                                   \
        const uint64_t half = (uint64_t)1 << shift, rest = is_magnitude ? half : 2 * half - d,     \
                       more = is_magnitude ? d != half * 2 : 1;                                    \
        return (struct divisor_##bits){(uint##bits##_t)(scaled_quotient(rest, d, bits) + more),    \
                                       shift};                                                     \
    }
DIVISORS(8)
DIVISORS(16)
DIVISORS(32)
DIVISORS(64)
#undef DIVISORS

/* Return the upper half of a product. */
#define UPPER_HALF(bits, wide)                                                                     \
    static ALWAYS_INLINE uint##bits##_t upper_half_##bits(uint##bits##_t x, uint##bits##_t times)  \
    {                                                                                              \
        return (uint##bits##_t)(((wide)x * times) >> bits);                                        \
    }
UPPER_HALF(8, uint32_t)
UPPER_HALF(16, uint32_t)
UPPER_HALF(32, uint64_t)
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 uint128;
UPPER_HALF(64, uint128)
#else /* machines of 32 bits */
static ALWAYS_INLINE uint64_t upper_half_64(uint64_t x, uint64_t times)
{
    const uint64_t xl = (uint32_t)x, xh = x >> 32, tl = (uint32_t)times, th = times >> 32,
                   first = xh * tl + (xl * tl >> 32), second = xl * th + (uint32_t)first;
    return xh * th + (first >> 32) + (second >> 32);
}
#endif
#undef UPPER_HALF

#define DIVIDED(name, T, bits)                                                                     \
    static ALWAYS_INLINE T divided_##name(T x, const struct divisor_##bits by,                     \
                                          const bool is_magnitude)                                 \
    {                                                                                              \
        const T t = upper_half_##name(x, by.times), half = (T)((T)(x - t) >> 1);                   \
        return (T)((is_magnitude ? t : (T)(t + half)) >> by.shift);                                \
    }
DIVIDED(8, uint8_t, 8)
DIVIDED(16, uint16_t, 16)
DIVIDED(32, uint32_t, 32)
DIVIDED(64, uint64_t, 64)
#ifdef HAVE_V32
/* Compilers widen the vectors of 32 bits, and multiply no halves of 64 bits. */
typedef uint64_t u64x4 __attribute__((vector_size(32)));
static ALWAYS_INLINE u64x4 product_32x4(u64x4 x, u64x4 y)
{
    return (u64x4)_mm256_mul_epu32((__m256i)x, (__m256i)y);
}

static ALWAYS_INLINE u64x4 upper_half_64x4(u64x4 x, uint64_t times)
{
    const u64x4 y = {times, times, times, times}, above = y >> 32, upper = x >> 32;
    const u64x4 low = product_32x4(x, y), one = product_32x4(x, above),
                other = product_32x4(upper, y);
    const u64x4 middle = (low >> 32) + (one & UINT32_MAX) + other;
    return product_32x4(upper, above) + (one >> 32) + (middle >> 32);
}

typedef uint32_t u32x8 __attribute__((vector_size(32)));
static ALWAYS_INLINE u32x8 upper_half_32x8(u32x8 x, uint32_t times)
{
    const u64x4 y = {times, times, times, times}, pairs = (u64x4)x;
    const u64x4 low = product_32x4(pairs, y) >> 32, high = product_32x4(pairs >> 32, y);
    return (u32x8)_mm256_blend_epi32((__m256i)low, (__m256i)high, 0xAA);
}
DIVIDED(32x8, u32x8, 32)
DIVIDED(64x4, u64x4, 64)
#endif
#undef DIVIDED

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
