/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numeric item types, and those conversions between them that C leaves undefined, rounds twice
 * or does not have. They are plain arithmetic without branches, so loops over them vectorize, and
 * every level gives these bits.
 *
 * Rounding is to nearest even and subnormals are kept, in the default floating-point mode. A NaN
 * keeps its sign; its payload is truncated to the width of the result and made quiet.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The types of items in memory, at any address. Small floats are stored as their bits. */
#define IN_MEMORY __attribute__((aligned(1), may_alias))
typedef int8_t IN_MEMORY mem_i8;
typedef int16_t IN_MEMORY mem_i16;
typedef int32_t IN_MEMORY mem_i32;
typedef int64_t IN_MEMORY mem_i64;
typedef uint8_t IN_MEMORY mem_u8;
typedef uint16_t IN_MEMORY mem_u16;
typedef uint32_t IN_MEMORY mem_u32;
typedef uint64_t IN_MEMORY mem_u64;
typedef uint8_t IN_MEMORY mem_f8e4m3;
typedef uint8_t IN_MEMORY mem_f8e5m2;
typedef uint16_t IN_MEMORY mem_f16;
typedef uint16_t IN_MEMORY mem_bf16;
typedef float IN_MEMORY mem_f32;
typedef double IN_MEMORY mem_f64;
typedef uint8_t IN_MEMORY mem_b8; /* 0 and 1 are written; any other byte reads as true */
typedef struct IN_MEMORY mem_c64 {
    mem_f32 re, im;
} mem_c64;
typedef struct IN_MEMORY mem_c128 {
    mem_f64 re, im;
} mem_c128;

#define BITS_OF(T, real, bits)                                                                     \
    typedef bits bits_##T;                                                                         \
    static inline bits T##_bits(real x)                                                            \
    {                                                                                              \
        bits u;                                                                                    \
        memcpy(&u, &x, sizeof u);                                                                  \
        return u;                                                                                  \
    }                                                                                              \
    static inline real T##_of_bits(bits u)                                                         \
    {                                                                                              \
        real x;                                                                                    \
        memcpy(&x, &u, sizeof x);                                                                  \
        return x;                                                                                  \
    }
BITS_OF(f32, float, uint32_t)
BITS_OF(f64, double, uint64_t)
#undef BITS_OF

/* ---- f32 and f64 ----------------------------------------------------------------------------- */

#if defined __riscv /* whose conversions make the same NaN of all */
static inline double f64_from_f32(float x)
{
    const uint64_t sign = f32_bits(x) >> 31, payload = f32_bits(x) & 0x7FFFFF;
    return x == x ? (double)x : f64_of_bits(sign << 63 | UINT64_C(0xFFF) << 51 | payload << 29);
}
static inline float f32_from_f64(double x)
{
    const uint32_t sign = (uint32_t)(f64_bits(x) >> 63), payload = (uint32_t)(f64_bits(x) >> 29);
    return x == x ? (float)x : f32_of_bits(sign << 31 | 0x7FC00000 | (payload & 0x7FFFFF));
}
#else
static inline double f64_from_f32(float x)
{
    return (double)x;
}
static inline float f32_from_f64(double x)
{
    return (float)x;
}
#endif

/* ---- floats of 8 and 16 bits --------------------------------------------------------------- */

/*
 * A float format with fewer exponent bits than f32. `top` is the largest magnitude that is not NaN:
 * infinity, or the largest number if the format has no infinity. `limit` is the f32 that is
 * converted to `top`. Larger values become `top` too: like torch, e4m3 rounds even infinities to
 * its largest number. A format without payload has one NaN, all ones.
 */
struct small_float {
    int bits, mantissa, bias;
    uint32_t top, limit;
    bool infinity, payload;
};

static const struct small_float f16_format = {16, 10, 15, 0x7C00, 0x47800000, true, true};
static const struct small_float f8e5m2_format = {8, 2, 15, 0x7C, 0x47800000, true, false};
static const struct small_float f8e4m3_format = {8, 3, 7, 0x7E, 0x43E00000, false, false};

/*
 * The addition x + unit does the rounding: the last place of `unit` is the distance between
 * neighbouring results in the binade of x (also a subnormal one), so the sum is `unit` plus an
 * integer number of steps. Consecutive magnitudes of a format have consecutive bits, so the bits of
 * the result are the steps plus those of the binade, and a carry into the next binade is right too.
 */
static inline uint32_t small_from_f32(float x, const struct small_float f)
{
    const int drop = 23 - f.mantissa;
    const uint32_t ones = (UINT32_C(1) << (f.bits - 1)) - 1;
    const uint32_t u = f32_bits(x), a = u & 0x7FFFFFFF, sign = u >> (32 - f.bits) & ~ones;
    const uint32_t lowest = (uint32_t)(127 + 1 - f.bias) << 23;
    const uint32_t capped = a < f.limit ? a : f.limit, exponent = capped & 0x7F800000;
    const uint32_t binade = exponent > lowest ? exponent : lowest;
    const uint32_t unit = binade + ((uint32_t)drop << 23);
    const uint32_t steps = f32_bits(f32_of_bits(capped) + f32_of_bits(unit)) - unit;
    const uint32_t number = steps + ((binade - lowest) >> drop);
    const uint32_t payload = a >> drop & ((UINT32_C(1) << f.mantissa) - 1);
    const uint32_t nan = f.payload ? f.top | UINT32_C(1) << (f.mantissa - 1) | payload : ones;
    return (a > 0x7F800000 ? nan : number) | sign;
}

/* This is exact; a subnormal is an integer multiple of the format's smallest step. */
static inline float f32_from_small(uint32_t h, const struct small_float f)
{
    const int drop = 23 - f.mantissa;
    const uint32_t ones = (UINT32_C(1) << (f.bits - 1)) - 1;
    const uint32_t a = h & ones, sign = (h & ~ones) << (32 - f.bits);
    const uint32_t normal = (a << drop) + ((uint32_t)(127 - f.bias) << 23);
    const float step = f32_of_bits((uint32_t)(127 + 1 - f.bias - f.mantissa) << 23);
    const uint32_t tiny = f32_bits((float)(int32_t)a * step);
    const uint32_t special = a << drop | 0x7F800000 | (uint32_t)(a > f.top) << 22;
    uint32_t out = a >> f.mantissa ? normal : tiny;
    out = a >= f.top + !f.infinity ? special : out;
    return f32_of_bits(out | sign);
}

#define SMALL_FLOAT(T, bits)                                                                       \
    static inline bits T##_from_f32(float x)                                                       \
    {                                                                                              \
        return (bits)small_from_f32(x, T##_format);                                                \
    }                                                                                              \
    static inline float f32_from_##T(bits h)                                                       \
    {                                                                                              \
        return f32_from_small(h, T##_format);                                                      \
    }
SMALL_FLOAT(f16, uint16_t)
SMALL_FLOAT(f8e4m3, uint8_t)
SMALL_FLOAT(f8e5m2, uint8_t)
#undef SMALL_FLOAT

/* A bf16 is the upper half of an f32: the exponents are the same, also for subnormals. */
static inline uint16_t bf16_from_f32(float x)
{
    const uint32_t u = f32_bits(x);
    const uint32_t rounded = (u + 0x7FFF + (u >> 16 & 1)) >> 16;
    const uint32_t nan = u >> 16 | 0x40;
    return (uint16_t)((u & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded);
}

/* The bits are only moved, so signaling NaNs stay signaling, as in torch. */
static inline float f32_from_bf16(uint16_t h)
{
    return f32_of_bits((uint32_t)h << 16);
}

/* ---- one rounding instead of two ------------------------------------------------------------ */

/*
 * NOTE [Round to odd]: a value that is not representable is truncated towards zero and its last bit
 * is set. If it is later rounded to nearest with at least two bits fewer, the result is that of one
 * rounding of the exact value: the odd last bit keeps "just above", "just below" and "exactly half
 * way" apart. Rounding to odd twice is the same as once. No finite value becomes infinite.
 */
static inline float f32_odd_from_f64(double x)
{
    const float nearest = f32_from_f64(x);
    const double back = (double)nearest;
    const uint32_t up = (back < 0 ? -back : back) > (x < 0 ? -x : x);
    return f32_of_bits((f32_bits(nearest) - up) | (uint32_t)(back != x));
}

/*
 * NOTE [Half way]: the middle between two neighbouring f16 or bf16 is an f32. A result that was
 * rounded to f32 is on the same side of the middle as the exact result unless it is the middle
 * itself, so it rounds to the same f16 or bf16. Only the middles, one f32 in 2^13 or 2^16, must be
 * computed again and rounded to odd.
 */
static inline uint32_t is_half_way_of_f16(float x)
{
    const uint32_t bits = f32_bits(x);
    const float a = f32_of_bits(bits & 0x7FFFFFFF), sum = a + 0.25F; /* the last place of the sum
                                                                        is 2^-25 */
    const uint32_t whole = sum - 0.25F == a ? 1 : 0, half = (bits & 0x1FFF) == 0x1000 ? 1 : 0;
    return a < 0x1p-14F ? f32_bits(sum) & whole : half;
}

static inline uint32_t is_half_way_of_bf16(float x)
{
    return (f32_bits(x) & 0xFFFF) == 0x8000 ? 1 : 0;
}

/*
 * Round to odd for f64, which has all integers up to 2^53, and for f32, up to 2^24: beyond, one bit
 * tells whether any of the `cut` lowest bits is set.
 */
#define ODD(T, integer, within, cut)                                                               \
    static inline integer T##_odd(integer x)                                                       \
    {                                                                                              \
        const integer low = x & (((integer)1 << (cut)) - 1);                                       \
        const integer odd = (x - low) | (integer)(low != 0) << (cut);                              \
        return within ? x : odd;                                                                   \
    }
ODD(i64, int64_t, x >= -(INT64_C(1) << 53) && x <= INT64_C(1) << 53, 11)
ODD(u64, uint64_t, x <= UINT64_C(1) << 53, 11)
ODD(i32, int32_t, x >= -(1 << 24) && x <= 1 << 24, 7)
ODD(u32, uint32_t, x <= UINT32_C(1) << 24, 8)
#undef ODD

/* ---- float to integer ----------------------------------------------------------------------- */

/* Clamps to low .. high; NaN becomes low. Any x that truncates into the range is unchanged. */
#define CLAMP(T, real)                                                                             \
    static inline real T##_clamp(real x, real low, real high)                                      \
    {                                                                                              \
        x = x > low ? x : low;                                                                     \
        return x < high ? x : high;                                                                \
    }
CLAMP(f32, float)
CLAMP(f64, double)
#undef CLAMP

/* This is for integers of at most 16 bits, whose limits are exact in f32. */
static inline int32_t i32_from_f32_within(float x, float low, float high)
{
    const int32_t out = (int32_t)f32_clamp(x, low, high);
    return x == x ? out : 0;
}

/* This is for integers of at most 32 bits, whose limits are exact in f64. */
static inline int64_t i64_from_f64_within(double x, double low, double high)
{
    const int64_t out = (int64_t)f64_clamp(x, low, high);
    return x == x ? out : 0;
}

static inline int32_t i32_from_f32(float x)
{
    const int32_t inside = (int32_t)f32_clamp(x, -0x1p31F, 0x1.FFFFFEp30F);
    const int32_t out = x >= 0x1p31F ? INT32_MAX : inside;
    return x == x ? out : 0;
}

static inline uint32_t u32_from_f32(float x)
{
    const uint32_t inside = (uint32_t)f32_clamp(x, 0, 0x1.FFFFFEp31F);
    return x >= 0x1p32F ? UINT32_MAX : inside;
}

static inline int64_t i64_from_f64(double x)
{
    const int64_t inside = (int64_t)f64_clamp(x, -0x1p63, 0x1.FFFFFFFFFFFFFp62);
    const int64_t out = x >= 0x1p63 ? INT64_MAX : inside;
    return x == x ? out : 0;
}

static inline uint64_t u64_from_f64(double x)
{
    const uint64_t inside = (uint64_t)f64_clamp(x, 0, 0x1.FFFFFFFFFFFFFp63);
    return x >= 0x1p64 ? UINT64_MAX : inside;
}

/* Returns the integer part modulo 2^64, or 0 for infinities and NaN. */
static inline uint64_t u64_wrapped_from_f64(double x)
{
    const uint64_t u = f64_bits(x);
    const uint64_t exponent = u >> 52 & 0x7FF;
    const uint64_t mantissa = (u & UINT64_C(0xFFFFFFFFFFFFF)) | UINT64_C(1) << 52;
    const uint64_t right = 1075 - exponent, left = exponent - 1075; /* one of them wraps to a
                                                                       large number */
    const uint64_t small = right < 64 ? mantissa >> (right & 63) : 0;
    const uint64_t large = left < 64 ? mantissa << (left & 63) : 0;
    const uint64_t out = exponent < 1075 ? small : large;
    return u >> 63 ? 0 - out : out;
}
