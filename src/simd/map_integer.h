/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit counts, shifts, gcd and lcm of integers. */
#pragma once

#include "level.h"
#include "number.h"

/*
 * Population counts: the bits are summed in pairs, in fours, in bytes, and then over all bytes, in
 * lanes of the item's own width.
 */
#define POPCOUNT(U)                                                                                \
    static ALWAYS_INLINE uint8_t popcount_##U(U x)                                                 \
    {                                                                                              \
        const U ones = (U)-1;                                                                      \
        x = (U)(x - (x >> 1 & ones / 3));                                                          \
        x = (U)((x & ones / 5) + (x >> 2 & ones / 5));                                             \
        x = (U)((x + (x >> 4)) & ones / 17);                                                       \
        if (sizeof(U) > 1) x = (U)(x + (x >> 8));                                                  \
        if (sizeof(U) > 2) x = (U)(x + (x >> 16));                                                 \
        if (sizeof(U) > 4) x = (U)(x + (x >> 16 >> 16));                                           \
        return x & 0x7F;                                                                           \
    }
POPCOUNT(uint8_t)
POPCOUNT(uint16_t)
POPCOUNT(uint32_t)
POPCOUNT(uint64_t)
#undef POPCOUNT

/* The magnitude of a signed integer, including the lowest one. */
static ALWAYS_INLINE uint8_t magnitude_of_i8(uint8_t x)
{
    const uint8_t sign = (uint8_t)(0 - (x >> 7));
    return (uint8_t)((x ^ sign) - sign);
}

static ALWAYS_INLINE uint16_t magnitude_of_i16(uint16_t x)
{
    const uint16_t sign = (uint16_t)(0 - (x >> 15));
    return (uint16_t)((x ^ sign) - sign);
}

/*
 * Shifts of bytes, composed of shifts by 1, 2 and 4 that the bits of the count select: no
 * instruction set shifts each byte of a vector by its own count.
 */
static ALWAYS_INLINE uint8_t shift_left_u8(uint8_t x, uint8_t count)
{
    const uint8_t one = count & 1 ? (uint8_t)(x << 1) : x;
    const uint8_t two = count & 2 ? (uint8_t)(one << 2) : one;
    const uint8_t four = count & 4 ? (uint8_t)(two << 4) : two;
    return count < 8 ? four : 0;
}

static ALWAYS_INLINE uint8_t shift_right_u8(uint8_t x, uint8_t count)
{
    const uint8_t one = count & 1 ? x >> 1 : x;
    const uint8_t two = count & 2 ? one >> 2 : one;
    const uint8_t four = count & 4 ? two >> 4 : two;
    return count < 8 ? four : 0;
}

static ALWAYS_INLINE uint8_t shift_right_i8(uint8_t x, uint8_t count)
{
    const uint8_t sign = (uint8_t)(0 - (x >> 7)); /* all ones if x is negative */
    return (uint8_t)(shift_right_u8(x ^ sign, count) ^ sign);
}

/* The binary gcd (Stein): the difference of two odd numbers is even. gcd(0, x) is x. */
static ALWAYS_INLINE uint64_t gcd_u64(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0) return a | b;
    const int twos = __builtin_ctzll(a | b);
    a >>= __builtin_ctzll(a);
    while (b != 0 && a != 1) {
        b >>= __builtin_ctzll(b);
        const uint64_t least = a < b ? a : b;
        b = a < b ? b - a : a - b;
        a = least;
    }
    return a << twos;
}

/* The result wraps modulo 2^64; it is 0 if a or b is 0. */
static ALWAYS_INLINE uint64_t lcm_u64(uint64_t a, uint64_t b)
{
    return a == 0 || b == 0 ? 0 : a / gcd_u64(a, b) * b;
}

/*
 * The binary gcd for a block of items at once. It needs vector shifts by individual counts and a
 * conversion to float, whose exponent gives the number of trailing zeros; for 32-bit items this is
 * 13 times as fast (Zen 4). A 0 is replaced by the other number of its pair. A finished pair is two
 * equal numbers, or has a 1, which further rounds do not change.
 */
enum { GCD_ITEMS = 32 /* items per block */ };

#define GCDS(U, zeros)                                                                             \
    static ALWAYS_INLINE void gcds_##U(U *out, const U *x, const U *y)                             \
    {                                                                                              \
        U a[GCD_ITEMS], b[GCD_ITEMS], unlike;                                                      \
        for (int k = 0; k < GCD_ITEMS; k++) {                                                      \
            const U p = x[k] == 0 ? y[k] : x[k], q = y[k] == 0 ? x[k] : y[k];                      \
            a[k] = p >> zeros(p);                                                                  \
            b[k] = q >> zeros(q);                                                                  \
        }                                                                                          \
        do {                                                                                       \
            unlike = 0;                                                                            \
            for (int k = 0; k < GCD_ITEMS; k++) {                                                  \
                const U low = a[k] < b[k] ? a[k] : b[k], high = a[k] < b[k] ? b[k] : a[k];         \
                const U rest = high - low, odd = rest >> zeros(rest);                              \
                unlike |= low == 1 ? 0 : rest;                                                     \
                a[k] = low;                                                                        \
                b[k] = rest == 0 ? low : odd;                                                      \
            }                                                                                      \
        } while (unlike);                                                                          \
        for (int k = 0; k < GCD_ITEMS; k++)                                                        \
            out[k] = a[k] << zeros(x[k] | y[k]);                                                   \
    }

#ifdef HAVE_V32
#define HAVE_GCDS_uint32_t 1
/* Counts the trailing zeros of x; the result is arbitrary for 0. */
static ALWAYS_INLINE uint32_t trailing_zeros_32(uint32_t x)
{
    return ((f32_bits((float)(int32_t)(x & (0 - x))) >> 23) - 127) & 31;
}
GCDS(uint32_t, trailing_zeros_32)
#endif

#ifdef HAVE_V64
#define HAVE_GCDS_uint64_t 1
static ALWAYS_INLINE uint64_t trailing_zeros_64(uint64_t x)
{
    return ((f64_bits((double)(int64_t)(x & (0 - x))) >> 52) - 1023) & 63;
}
GCDS(uint64_t, trailing_zeros_64)
#elif defined HAVE_V32
#define HAVE_GCDS_uint64_t 1
/* Computes a block in 32 bits, where all numbers fit into them. */
static ALWAYS_INLINE void gcds_uint64_t(uint64_t *out, const uint64_t *x, const uint64_t *y)
{
    uint32_t a[GCD_ITEMS], b[GCD_ITEMS], divisor[GCD_ITEMS];
    uint64_t bits = 0;
    for (int k = 0; k < GCD_ITEMS; k++) {
        bits |= x[k] | y[k];
        a[k] = (uint32_t)x[k];
        b[k] = (uint32_t)y[k];
    }
    if (bits <= UINT32_MAX) gcds_uint32_t(divisor, a, b);
    for (int k = 0; k < GCD_ITEMS; k++)
        out[k] = bits <= UINT32_MAX ? divisor[k] : gcd_u64(x[k], y[k]);
}
#endif
