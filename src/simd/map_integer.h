/* SPDX-License-Identifier: BSD-3-Clause */
/* What is computed of the bits and divisors of integers. */
#ifndef STRIA_SIMD_MAP_INTEGER_H
#define STRIA_SIMD_MAP_INTEGER_H

#include "level.h"

/* How many bits are set: sums of pairs, of fours, of eights, then of all bytes in the highest. */
static ALWAYS_INLINE uint32_t ones_uint32_t(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F;
    x += x >> 8;
    return (x + (x >> 16)) & 0x3F;
}

static ALWAYS_INLINE uint64_t ones_uint64_t(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    x += x >> 8;
    x += x >> 16;
    return (x + (x >> 32)) & 0x7F;
}

/* Stein's algorithm: subtractions of odd numbers. gcd(0, x) is x. */
static ALWAYS_INLINE uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0) return a | b;
    const int twos = __builtin_ctzll(a | b);
    a >>= __builtin_ctzll(a);
    do {
        b >>= __builtin_ctzll(b);
        const uint64_t least = a < b ? a : b;
        b = a < b ? b - a : a - b;
        a = least;
    } while (b);
    return a << twos;
}

/* Modulo 2^64; 0 where one of them is. */
static ALWAYS_INLINE uint64_t least_multiple(uint64_t a, uint64_t b)
{
    return a == 0 || b == 0 ? 0 : a / greatest_divisor(a, b) * b;
}

#endif
