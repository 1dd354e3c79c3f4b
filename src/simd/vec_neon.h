/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vector layer for AArch64: 128-bit vectors. Streaming is an ordinary store: the hardware
 * detects streams of full-line writes by itself, and STNP is only a hint for pairs.
 */
#ifndef STRIA_SIMD_VEC_NEON_H
#define STRIA_SIMD_VEC_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#include "vec_plain.h"

#define HAVE_V16     1
#define HAVE_SHUFFLE 1

typedef uint8x16_t v16;

static inline v16 v16_load(const char *p)
{
    return vld1q_u8((const uint8_t *)p);
}
static inline void v16_store(char *p, v16 a)
{
    vst1q_u8((uint8_t *)p, a);
}
#define v16_stream v16_store
static inline v16 v16_lanes(const char *p, const int64_t *at, int step)
{
    (void)step;
    return v16_load(p + at[0]);
}
/* These load 8 bytes from each of two addresses, and store to them. */
static inline v16 v16_halves(const char *low, const char *high)
{
    return vcombine_u8(vld1_u8((const uint8_t *)low), vld1_u8((const uint8_t *)high));
}
static inline void v16_store_halves(char *low, char *high, v16 a)
{
    vst1_u8((uint8_t *)low, vget_low_u8(a));
    vst1_u8((uint8_t *)high, vget_high_u8(a));
}

#define v16_shuffle    vqtbl1q_u8
#define v16_or         vorrq_u8
#define v16_same_lanes v16_load

#define v16_lo1 vzip1q_u8
#define v16_hi1 vzip2q_u8
#define ZIP(name, zip, size)                                                                       \
    static inline v16 v16_##name(v16 a, v16 b)                                                     \
    {                                                                                              \
        return vreinterpretq_u8_u##size(                                                           \
            zip##_u##size(vreinterpretq_u##size##_u8(a), vreinterpretq_u##size##_u8(b)));          \
    }
ZIP(lo2, vzip1q, 16)
ZIP(hi2, vzip2q, 16)
ZIP(lo4, vzip1q, 32)
ZIP(hi4, vzip2q, 32)
ZIP(lo8, vzip1q, 64)
ZIP(hi8, vzip2q, 64)
#undef ZIP
/* The 64-bit products of the lower halves of the 64-bit items of a and b. */
static inline v16 v16_product4(v16 a, v16 b)
{
    return vreinterpretq_u8_u64(
        vmull_u32(vmovn_u64(vreinterpretq_u64_u8(a)), vmovn_u64(vreinterpretq_u64_u8(b))));
}

#endif
