/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Combining writes: sum, product, minimum and maximum at indexed places, one element after the
 * other in C order, rounded to the dtype each time. Integers wrap. For bool, sum and maximum are
 * "or", product and minimum are "and"; complex numbers have no order. A mean is a sum and one
 * division, which rounds down for integers.
 */
#include <string.h>

#include "ops/index/arithmetic.h"
#include "ops/index/move.h"

#define NAME f32
#define MEM  mem_f32
#define WIDE f32
#include "ops/index/combine.inc"
#define NAME f64
#define MEM  mem_f64
#define WIDE f64
#include "ops/index/combine.inc"
#define NAME  f16
#define MEM   mem_f16
#define WIDE  f32
#define LOAD  f32_from_f16
#define STORE f16_from_f32
#include "ops/index/combine.inc"
#define NAME  bf16
#define MEM   mem_bf16
#define WIDE  f32
#define LOAD  f32_from_bf16
#define STORE bf16_from_f32
#include "ops/index/combine.inc"
#define NAME  f8e4m3
#define MEM   mem_f8e4m3
#define WIDE  f32
#define LOAD  f32_from_f8e4m3
#define STORE f8e4m3_from_f32
#include "ops/index/combine.inc"
#define NAME  f8e5m2
#define MEM   mem_f8e5m2
#define WIDE  f32
#define LOAD  f32_from_f8e5m2
#define STORE f8e5m2_from_f32
#include "ops/index/combine.inc"

#define NAME  i8
#define MEM   mem_i8
#define WIDE  i64
#define STORE (int8_t)
#include "ops/index/combine.inc"
#define NAME  i16
#define MEM   mem_i16
#define WIDE  i64
#define STORE (int16_t)
#include "ops/index/combine.inc"
#define NAME  i32
#define MEM   mem_i32
#define WIDE  i64
#define STORE (int32_t)
#include "ops/index/combine.inc"
#define NAME i64
#define MEM  mem_i64
#define WIDE i64
#include "ops/index/combine.inc"
#define NAME  u8
#define MEM   mem_u8
#define WIDE  i64
#define STORE (uint8_t)
#include "ops/index/combine.inc"
#define NAME  u16
#define MEM   mem_u16
#define WIDE  i64
#define STORE (uint16_t)
#include "ops/index/combine.inc"
#define NAME  u32
#define MEM   mem_u32
#define WIDE  i64
#define STORE (uint32_t)
#include "ops/index/combine.inc"
#define NAME u64
#define MEM  mem_u64
#define WIDE u64
#include "ops/index/combine.inc"

static inline int is_true(uint8_t a)
{
    return a != 0;
}

#define NAME  b8
#define MEM   mem_b8
#define WIDE  b8
#define LOAD  is_true
#define STORE (uint8_t)
#define NO_SHARE
#include "ops/index/combine.inc"

#define NAME c64
#define MEM  mem_c64
#define WIDE c64
#define NO_ORDER
#include "ops/index/combine.inc"
#define NAME c128
#define MEM  mem_c128
#define WIDE c128
#define NO_ORDER
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
