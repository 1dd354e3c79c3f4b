/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons by value, a < b and a == b, of two 64-bit dtypes that no third dtype represents
 * without rounding. An integer is compared with the integer part of a float, if that is in range;
 * if they are equal, the fraction decides. NaN is neither less nor equal.
 */
#pragma once

#include "level.h"

static ALWAYS_INLINE bool less_i64_u64(int64_t a, uint64_t b)
{
    return (a < 0) | ((uint64_t)a < b);
}

static ALWAYS_INLINE bool less_u64_i64(uint64_t a, int64_t b)
{
    return (b > 0) & (a < (uint64_t)b);
}

static ALWAYS_INLINE bool equal_i64_u64(int64_t a, uint64_t b)
{
    return (a >= 0) & ((uint64_t)a == b);
}

/* Compares integers from `low` to below `high`; `whole` is the integer part of the float. */
#define MIXED(T, integer, low, high)                                                               \
    static ALWAYS_INLINE bool less_##T##_f64(integer a, double b)                                  \
    {                                                                                              \
        const bool within = (b >= low) & (b < high);                                               \
        const integer whole = (integer)(within ? b : 0);                                           \
        const bool less = (a < whole) | ((a == whole) & ((double)whole < b));                      \
        return within ? less : b >= high;                                                          \
    }                                                                                              \
    static ALWAYS_INLINE bool less_f64_##T(double a, integer b)                                    \
    {                                                                                              \
        const bool within = (a >= low) & (a < high);                                               \
        const integer whole = (integer)(within ? a : 0);                                           \
        const bool less = (whole < b) | ((whole == b) & (a < (double)whole));                      \
        return within ? less : a < low;                                                            \
    }                                                                                              \
    static ALWAYS_INLINE bool equal_##T##_f64(integer a, double b)                                 \
    {                                                                                              \
        const bool within = (b >= low) & (b < high);                                               \
        const integer whole = (integer)(within ? b : 0);                                           \
        return within & (a == whole) & ((double)whole == b);                                       \
    }                                                                                              \
    static ALWAYS_INLINE bool equal_##T##_c128(integer a, mem_c128 b)                              \
    {                                                                                              \
        return (b.im == 0) & equal_##T##_f64(a, b.re);                                             \
    }
MIXED(i64, int64_t, -0x1p63, 0x1p63)
MIXED(u64, uint64_t, 0, 0x1p64)
#undef MIXED
