/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic of combining writes for each type: sum, product, minimum, maximum, and the
 * quotient for a mean of n > 1. A NaN on either side stays. Integers are computed in 64 bits, whose
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

#define REAL    f32
#define COMPLEX c64
#include "ops/index/arithmetic.inc"
#define REAL    f64
#define COMPLEX c128
#include "ops/index/arithmetic.inc"

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

/* The unsigned type is used because it wraps by definition. */
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

/* The quotient is rounded down. */
static inline int64_t i64_share(int64_t a, int64_t n)
{
    return a / n - (a % n < 0);
}

/* For bool these are "or" and "and". */
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

#endif
