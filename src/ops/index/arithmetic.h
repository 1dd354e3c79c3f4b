/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What combining writes reckon with, per type: sum, product, the lesser and the greater one, and
 * the share of each of n > 1. A NaN on either side stays. Integers are reckoned in 64 bits, whose
 * low bits are those of the wrapped result.
 */
#ifndef STRIA_OPS_INDEX_ARITHMETIC_H
#define STRIA_OPS_INDEX_ARITHMETIC_H

#include "simd/number.h"

typedef float wide_f32;
typedef double wide_f64;
typedef uint64_t wide_u64;
typedef int64_t wide_i64;
typedef int wide_b8;
typedef mem_c64 wide_c64;
typedef mem_c128 wide_c128;

static inline float f32_sum(float a, float b)
{
    return a + b;
}

static inline float f32_prod(float a, float b)
{
    return a * b;
}

static inline float f32_min(float a, float b)
{
    return a != a || a < b ? a : b;
}

static inline float f32_max(float a, float b)
{
    return a != a || b < a ? a : b;
}

static inline float f32_share(float a, int64_t n)
{
    return a / (float)n;
}

static inline double f64_sum(double a, double b)
{
    return a + b;
}

static inline double f64_prod(double a, double b)
{
    return a * b;
}

static inline double f64_min(double a, double b)
{
    return a != a || a < b ? a : b;
}

static inline double f64_max(double a, double b)
{
    return a != a || b < a ? a : b;
}

static inline double f64_share(double a, int64_t n)
{
    return a / (double)n;
}

static inline uint64_t u64_sum(uint64_t a, uint64_t b)
{
    return a + b;
}

static inline uint64_t u64_prod(uint64_t a, uint64_t b)
{
    return a * b;
}

static inline uint64_t u64_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t u64_max(uint64_t a, uint64_t b)
{
    return b < a ? a : b;
}

static inline uint64_t u64_share(uint64_t a, int64_t n)
{
    return a / (uint64_t)n;
}

/* By way of the unsigned type, where wrapping is defined. */
static inline int64_t i64_sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t i64_prod(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static inline int64_t i64_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t i64_max(int64_t a, int64_t b)
{
    return b < a ? a : b;
}

/* Rounded down. */
static inline int64_t i64_share(int64_t a, int64_t n)
{
    return a / n - (a % n < 0);
}

/* "Or" and "and". */
static inline int b8_sum(int a, int b)
{
    return a | b;
}

static inline int b8_prod(int a, int b)
{
    return a & b;
}

static inline int b8_min(int a, int b)
{
    return a & b;
}

static inline int b8_max(int a, int b)
{
    return a | b;
}

static inline mem_c64 c64_sum(mem_c64 a, mem_c64 b)
{
    return (mem_c64){a.re + b.re, a.im + b.im};
}

static inline mem_c64 c64_prod(mem_c64 a, mem_c64 b)
{
    return (mem_c64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline mem_c64 c64_share(mem_c64 a, int64_t n)
{
    return (mem_c64){a.re / (float)n, a.im / (float)n};
}

static inline mem_c128 c128_sum(mem_c128 a, mem_c128 b)
{
    return (mem_c128){a.re + b.re, a.im + b.im};
}

static inline mem_c128 c128_prod(mem_c128 a, mem_c128 b)
{
    return (mem_c128){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline mem_c128 c128_share(mem_c128 a, int64_t n)
{
    return (mem_c128){a.re / (double)n, a.im / (double)n};
}

#endif
