/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Block conversions that AArch64 has instructions for: f16, round to odd, and truncation that
 * saturates and turns NaN into 0. Each gives the same bits as number.h.
 *
 * <to>_block_from_<from> converts BLOCK_<to>_FROM_<from> items.
 */
#pragma once

#include <arm_neon.h>

#include "number.h"

static inline float32x4_t load_f32(const mem_f32 *p)
{
    return vreinterpretq_f32_u8(vld1q_u8((const void *)p));
}

static inline float64x2_t load_f64(const mem_f64 *p)
{
    return vreinterpretq_f64_u8(vld1q_u8((const void *)p));
}

/* See NOTE [Round to odd] in number.h; fcvtxn rounds so. */
static inline float32x4_t load_odd(const mem_f64 *p)
{
    return vcvtx_high_f32_f64(vcvtx_f32_f64(load_f64(p)), load_f64(p + 2));
}

#define store_vector(p, a) vst1q_u8((void *)(p), (uint8x16_t)(a))

static inline void store_f16(mem_f16 *o, float32x4_t low, float32x4_t high)
{
    store_vector(o, vcvt_high_f16_f32(vcvt_f16_f32(low), high));
}

#define BLOCK_f16_FROM_f32 8
CONVERTS(f16, f32, store_f16, load_f32(a), load_f32(a + 4))
#define BLOCK_f16_FROM_f64 8
CONVERTS(f16, f64, store_f16, load_odd(a), load_odd(a + 4))

#define BLOCK_f32_FROM_f16 8
static inline void f32_block_from_f16(mem_f32 *o, const mem_f16 *a)
{
    const float16x8_t h = vreinterpretq_f16_u8(vld1q_u8((const void *)a));
    store_vector(o, vcvt_f32_f16(vget_low_f16(h)));
    store_vector(o + 4, vcvt_high_f32_f16(h));
}

#define BLOCK_i32_FROM_f32 4
CONVERTS(i32, f32, store_vector, vcvtq_s32_f32(load_f32(a)))
#define BLOCK_u32_FROM_f32 4
CONVERTS(u32, f32, store_vector, vcvtq_u32_f32(load_f32(a)))

#define BLOCK_i16_FROM_f32 8
static inline void i16_block_from_f32(mem_i16 *o, const mem_f32 *a)
{
    const int32x4_t low = vcvtq_s32_f32(load_f32(a)), high = vcvtq_s32_f32(load_f32(a + 4));
    store_vector(o, vqmovn_high_s32(vqmovn_s32(low), high));
}

#define BLOCK_u16_FROM_f32 8
static inline void u16_block_from_f32(mem_u16 *o, const mem_f32 *a)
{
    const uint32x4_t low = vcvtq_u32_f32(load_f32(a)), high = vcvtq_u32_f32(load_f32(a + 4));
    store_vector(o, vqmovn_high_u32(vqmovn_u32(low), high));
}

#define BLOCK_i64_FROM_f64 2
CONVERTS(i64, f64, store_vector, vcvtq_s64_f64(load_f64(a)))
#define BLOCK_u64_FROM_f64 2
CONVERTS(u64, f64, store_vector, vcvtq_u64_f64(load_f64(a)))
