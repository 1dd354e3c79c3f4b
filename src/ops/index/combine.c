/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Combining writes: sum, product, minimum and maximum at indexed places, one element after the
 * other in C order, rounded to the dtype each time. Integers wrap; for bool, sum and maximum are
 * "or", product and minimum are "and"; complex numbers have no order. A mean is a sum and then one
 * division; that of integers rounds down.
 */
#include <string.h>

#include "ops/index/move.h"
#include "simd/number.h"

#define SUM(a, b)      ((a) + (b))
#define PROD(a, b)     ((a) * (b))
#define LESS(a, b)     ((a) < (b))
#define IS_NAN(x)      ((x) != (x))
#define AS_IT_IS(x)    (x)
#define QUOTIENT(a, n) ((a) / (WIDE)(n))

/*
 * Integers are reckoned in 64 bits, whose low bits are those of the wrapped result; the sum and
 * product of signed ones go through the unsigned type, where wrapping is defined.
 */
#define WRAPPED_SUM(a, b)  ((int64_t)((uint64_t)(a) + (uint64_t)(b)))
#define WRAPPED_PROD(a, b) ((int64_t)((uint64_t)(a) * (uint64_t)(b)))

#define NAME  f32
#define MEM   mem_f32
#define WIDE  float
#define LOAD  AS_IT_IS
#define STORE AS_IT_IS
#include "ops/index/combine.inc"
#define NAME  f64
#define MEM   mem_f64
#define WIDE  double
#define LOAD  AS_IT_IS
#define STORE AS_IT_IS
#include "ops/index/combine.inc"
#define NAME  f16
#define MEM   mem_f16
#define WIDE  float
#define LOAD  f32_from_f16
#define STORE f16_from_f32
#include "ops/index/combine.inc"
#define NAME  bf16
#define MEM   mem_bf16
#define WIDE  float
#define LOAD  f32_from_bf16
#define STORE bf16_from_f32
#include "ops/index/combine.inc"
#define NAME  f8e4m3
#define MEM   mem_f8e4m3
#define WIDE  float
#define LOAD  f32_from_f8e4m3
#define STORE f8e4m3_from_f32
#include "ops/index/combine.inc"
#define NAME  f8e5m2
#define MEM   mem_f8e5m2
#define WIDE  float
#define LOAD  f32_from_f8e5m2
#define STORE f8e5m2_from_f32
#include "ops/index/combine.inc"

#undef IS_NAN
#define IS_NAN(x) false
#define NAME      u64
#define MEM       mem_u64
#define WIDE      uint64_t
#define LOAD      AS_IT_IS
#define STORE     AS_IT_IS
#include "ops/index/combine.inc"

static inline int64_t rounded_down(int64_t a, int64_t n)
{
    return a / n - (a % n < 0);
}

#undef SUM
#undef PROD
#undef QUOTIENT
#define SUM        WRAPPED_SUM
#define PROD       WRAPPED_PROD
#define QUOTIENT   rounded_down
#define CUT_i8(x)  ((int8_t)(x))
#define CUT_i16(x) ((int16_t)(x))
#define CUT_i32(x) ((int32_t)(x))
#define CUT_u8(x)  ((uint8_t)(x))
#define CUT_u16(x) ((uint16_t)(x))
#define CUT_u32(x) ((uint32_t)(x))
#define NAME       i8
#define MEM        mem_i8
#define WIDE       int64_t
#define LOAD       AS_IT_IS
#define STORE      CUT_i8
#include "ops/index/combine.inc"
#define NAME  i16
#define MEM   mem_i16
#define WIDE  int64_t
#define LOAD  AS_IT_IS
#define STORE CUT_i16
#include "ops/index/combine.inc"
#define NAME  i32
#define MEM   mem_i32
#define WIDE  int64_t
#define LOAD  AS_IT_IS
#define STORE CUT_i32
#include "ops/index/combine.inc"
#define NAME  i64
#define MEM   mem_i64
#define WIDE  int64_t
#define LOAD  AS_IT_IS
#define STORE AS_IT_IS
#include "ops/index/combine.inc"
#define NAME  u8
#define MEM   mem_u8
#define WIDE  int64_t
#define LOAD  AS_IT_IS
#define STORE CUT_u8
#include "ops/index/combine.inc"
#define NAME  u16
#define MEM   mem_u16
#define WIDE  int64_t
#define LOAD  AS_IT_IS
#define STORE CUT_u16
#include "ops/index/combine.inc"
#define NAME  u32
#define MEM   mem_u32
#define WIDE  int64_t
#define LOAD  AS_IT_IS
#define STORE CUT_u32
#include "ops/index/combine.inc"

#undef SUM
#undef PROD
#undef QUOTIENT
#define SUM(a, b)  ((a) | (b))
#define PROD(a, b) ((a) & (b))
#define IS_TRUE(x) ((x) != 0)
#define CUT_b8(x)  ((uint8_t)(x))
#define NAME       b8
#define MEM        mem_b8
#define WIDE       int
#define LOAD       IS_TRUE
#define STORE      CUT_b8
#include "ops/index/combine.inc"

#undef LESS
#undef SUM
#undef PROD
static inline mem_c64 c64_sum(mem_c64 a, mem_c64 b)
{
    return (mem_c64){a.re + b.re, a.im + b.im};
}

static inline mem_c64 c64_prod(mem_c64 a, mem_c64 b)
{
    return (mem_c64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline mem_c128 c128_sum(mem_c128 a, mem_c128 b)
{
    return (mem_c128){a.re + b.re, a.im + b.im};
}

static inline mem_c128 c128_prod(mem_c128 a, mem_c128 b)
{
    return (mem_c128){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline mem_c64 c64_quotient(mem_c64 a, int64_t n)
{
    return (mem_c64){a.re / (float)n, a.im / (float)n};
}

static inline mem_c128 c128_quotient(mem_c128 a, int64_t n)
{
    return (mem_c128){a.re / (double)n, a.im / (double)n};
}

#define SUM      c64_sum
#define PROD     c64_prod
#define QUOTIENT c64_quotient
#define NAME     c64
#define MEM      mem_c64
#define WIDE     mem_c64
#define LOAD     AS_IT_IS
#define STORE    AS_IT_IS
#include "ops/index/combine.inc"
#undef SUM
#undef PROD
#undef QUOTIENT
#define SUM      c128_sum
#define PROD     c128_prod
#define QUOTIENT c128_quotient
#define NAME     c128
#define MEM      mem_c128
#define WIDE     mem_c128
#define LOAD     AS_IT_IS
#define STORE    AS_IT_IS
#include "ops/index/combine.inc"

struct loops {
    stria_loop *combine[4]; /* sum, product, minimum, maximum */
    stria_loop *divide;
};

#define ALL(name)                                                                                  \
    {                                                                                              \
        {sum_##name, prod_##name, min_##name, max_##name}, divide_##name                           \
    }
#define PART(name)                                                                                 \
    {                                                                                              \
        {sum_##name, prod_##name, NULL, NULL}, divide_##name                                       \
    }

static const struct loops loops[] = {
    [STRIA_BOOL] = {{sum_b8, prod_b8, min_b8, max_b8}, NULL},
    [STRIA_I8] = ALL(i8),
    [STRIA_I16] = ALL(i16),
    [STRIA_I32] = ALL(i32),
    [STRIA_I64] = ALL(i64),
    [STRIA_U8] = ALL(u8),
    [STRIA_U16] = ALL(u16),
    [STRIA_U32] = ALL(u32),
    [STRIA_U64] = ALL(u64),
    [STRIA_F8E4M3] = ALL(f8e4m3),
    [STRIA_F8E5M2] = ALL(f8e5m2),
    [STRIA_F16] = ALL(f16),
    [STRIA_BF16] = ALL(bf16),
    [STRIA_F32] = ALL(f32),
    [STRIA_F64] = ALL(f64),
    [STRIA_C64] = PART(c64),
    [STRIA_C128] = PART(c128),
};

stria_loop *stria__combine_loop(stria_dtype dtype, stria_reduce reduce)
{
    if (dtype.kind > STRIA_C128 || reduce < STRIA_REDUCE_SUM || reduce > STRIA_REDUCE_MEAN)
        return NULL;
    const struct loops *of = &loops[dtype.kind];
    if (reduce == STRIA_REDUCE_MEAN) return of->divide ? of->combine[0] : NULL;
    return of->combine[reduce - STRIA_REDUCE_SUM];
}

stria_loop *stria__divide_loop(stria_dtype dtype)
{
    return dtype.kind > STRIA_C128 ? NULL : loops[dtype.kind].divide;
}
