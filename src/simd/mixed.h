/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons by value, a < b and a == b, of two 64-bit dtypes that no third dtype represents
 * without rounding. An integer is compared with the integer part of a float, if that is in range;
 * if they are equal, the fraction decides. NaN is neither less nor equal.
 */
#ifndef STRIA_SIMD_MIXED_H
#define STRIA_SIMD_MIXED_H

#include "level.h"

static ALWAYS_INLINE bool less_i64_u64(int64_t a, uint64_t b)
{
    return (a < 0) | ((uint64_t)a < b);
}

static ALWAYS_INLINE bool less_u64_i64(uint64_t a, int64_t b)
{
    return (b > 0) & (a < (uint64_t)b);
}

static ALWAYS_INLINE bool less_i64_f64(int64_t a, double b)
{
    const bool within = (b >= -0x1p63) & (b < 0x1p63);
    const int64_t whole = (int64_t)(within ? b : 0);
    const bool less = (a < whole) | ((a == whole) & ((double)whole < b));
    return within ? less : b >= 0x1p63;
}

static ALWAYS_INLINE bool less_f64_i64(double a, int64_t b)
{
    const bool within = (a >= -0x1p63) & (a < 0x1p63);
    const int64_t whole = (int64_t)(within ? a : 0);
    const bool less = (whole < b) | ((whole == b) & (a < (double)whole));
    return within ? less : a < -0x1p63;
}

static ALWAYS_INLINE bool less_u64_f64(uint64_t a, double b)
{
    const bool within = (b >= 0) & (b < 0x1p64);
    const uint64_t whole = (uint64_t)(within ? b : 0);
    const bool less = (a < whole) | ((a == whole) & ((double)whole < b));
    return within ? less : b >= 0x1p64;
}

static ALWAYS_INLINE bool less_f64_u64(double a, uint64_t b)
{
    const bool within = (a >= 0) & (a < 0x1p64);
    const uint64_t whole = (uint64_t)(within ? a : 0);
    return within ? whole < b : a < 0;
}

/* ---- equality, which has no sides ------------------------------------------------------------ */

static ALWAYS_INLINE bool equal_i64_u64(int64_t a, uint64_t b)
{
    return (a >= 0) & ((uint64_t)a == b);
}

static ALWAYS_INLINE bool equal_i64_f64(int64_t a, double b)
{
    const bool within = (b >= -0x1p63) & (b < 0x1p63);
    const int64_t whole = (int64_t)(within ? b : 0);
    return within & (a == whole) & ((double)whole == b);
}

static ALWAYS_INLINE bool equal_u64_f64(uint64_t a, double b)
{
    const bool within = (b >= 0) & (b < 0x1p64);
    const uint64_t whole = (uint64_t)(within ? b : 0);
    return within & (a == whole) & ((double)whole == b);
}

static ALWAYS_INLINE bool equal_i64_c128(int64_t a, mem_c128 b)
{
    return (b.im == 0) & equal_i64_f64(a, b.re);
}

static ALWAYS_INLINE bool equal_u64_c128(uint64_t a, mem_c128 b)
{
    return (b.im == 0) & equal_u64_f64(a, b.re);
}

#endif
