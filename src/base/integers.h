/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer arithmetic that never wraps. Each *_overflows returns true when the exact result does not
 * fit, and then *out is unspecified.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool add_overflows(int64_t a, int64_t b, int64_t *out)
{
    return __builtin_add_overflow(a, b, out);
}

static inline bool sub_overflows(int64_t a, int64_t b, int64_t *out)
{
    return __builtin_sub_overflow(a, b, out);
}

static inline bool mul_overflows(int64_t a, int64_t b, int64_t *out)
{
    return __builtin_mul_overflow(a, b, out);
}

/* Multiplies numbers that are not negative; INT64_MAX when the product does not fit. */
static inline int64_t saturated(int64_t a, int64_t b)
{
    int64_t all;
    return mul_overflows(a, b, &all) ? INT64_MAX : all;
}

/* Returns |s|, which is right for the smallest value too. */
static inline uint64_t magnitude(int64_t s)
{
    return s < 0 ? 0 - (uint64_t)s : (uint64_t)s;
}

/* Returns the upper half of a product of 128 bits; not every machine has such integers. */
static inline uint64_t upper_half(uint64_t a, uint64_t b)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t first = a1 * b0 + (a0 * b0 >> 32), second = a0 * b1 + (uint32_t)first;
    return a1 * b1 + (first >> 32) + (second >> 32);
}

/* Replaces floor of the C library, which would be linked only for it; the sign of a zero is
 * lost. */
static inline double floor_of(double x)
{
    if (!(x > -0x1p52 && x < 0x1p52)) return x;
    const double whole = (double)(int64_t)x;
    return whole > x ? whole - 1 : whole;
}

/* The range of one of several parts: from `first` up to but not `last`. */
struct share {
    int64_t first, last;
};

/* Returns part i where n things are divided into parts that differ by one thing at most. */
static inline struct share share_of(int64_t n, int64_t parts, int64_t i)
{
    const int64_t each = n / parts, rest = n % parts;
    const int64_t first = each * i + (i < rest ? i : rest);
    return (struct share){first, first + each + (i < rest)};
}

/* Rounds n up to a multiple of `unit`. */
static inline int64_t round_up(int64_t n, int64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/*
 * Multiplies `item` by sizes that are not negative; false where the product does not fit without
 * sizes of 0.
 */
static inline bool multiply_sizes(int64_t *out, int64_t item, int ndim, const int64_t *shape)
{
    bool empty = false;
    for (int d = 0; d < ndim; d++) {
        empty |= shape[d] == 0;
        if (shape[d] && mul_overflows(item, shape[d], &item)) return false;
    }
    *out = empty ? 0 : item;
    return true;
}

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t clamped(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Returns what is left of i by n > 0, from 0 to n - 1. */
static inline int64_t modulo(int64_t i, int64_t n)
{
    const int64_t rest = i % n;
    return rest < 0 ? rest + n : rest;
}

/* Returns the number stored in `count` bytes, the lowest first. */
static inline uint64_t little_endian(const unsigned char *bytes, int count)
{
    uint64_t n = 0;
    while (count > 0)
        n = n << 8 | bytes[--count];
    return n;
}
