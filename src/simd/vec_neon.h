/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vector layer for AArch64: 128-bit vectors. Streaming is an ordinary store: the hardware
 * detects streams of full-line writes by itself, and STNP is only a hint for pairs.
 */
#pragma once

#include <arm_neon.h>

#define HAVE_V16_TYPE 1
typedef uint8x16_t v16;

/* Compilers move what memcpy moves through registers of integers. */
#define HAVE_V16_MOVES 1
static inline v16 v16_load(const char *p)
{
    return vld1q_u8((const uint8_t *)p);
}
static inline void v16_store(char *p, v16 a)
{
    vst1q_u8((uint8_t *)p, a);
}

#define HAVE_SHUFFLE   1
#define v16_shuffle    vqtbl1q_u8
#define v16_or         vorrq_u8
#define v16_same_lanes v16_load

#define HAVE_V16_PRODUCT4 1
static inline v16 v16_product4(v16 a, v16 b)
{
    return vreinterpretq_u8_u64(
        vmull_u32(vmovn_u64(vreinterpretq_u64_u8(a)), vmovn_u64(vreinterpretq_u64_u8(b))));
}

#include "vec_generic.h"
