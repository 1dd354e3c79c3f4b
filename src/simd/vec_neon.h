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
static inline void v16_stream(char *p, v16 a)
{
    v16_store(p, a);
}
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

static inline v16 v16_shuffle(v16 a, v16 select)
{
    return vqtbl1q_u8(a, select);
}
static inline v16 v16_or(v16 a, v16 b)
{
    return vorrq_u8(a, b);
}
static inline v16 v16_same_lanes(const char *p)
{
    return v16_load(p);
}

#define U16(a) vreinterpretq_u16_u8(a)
#define U32(a) vreinterpretq_u32_u8(a)
#define U64(a) vreinterpretq_u64_u8(a)
static inline v16 v16_lo1(v16 a, v16 b)
{
    return vzip1q_u8(a, b);
}
static inline v16 v16_hi1(v16 a, v16 b)
{
    return vzip2q_u8(a, b);
}
static inline v16 v16_lo2(v16 a, v16 b)
{
    return vreinterpretq_u8_u16(vzip1q_u16(U16(a), U16(b)));
}
static inline v16 v16_hi2(v16 a, v16 b)
{
    return vreinterpretq_u8_u16(vzip2q_u16(U16(a), U16(b)));
}
static inline v16 v16_lo4(v16 a, v16 b)
{
    return vreinterpretq_u8_u32(vzip1q_u32(U32(a), U32(b)));
}
static inline v16 v16_hi4(v16 a, v16 b)
{
    return vreinterpretq_u8_u32(vzip2q_u32(U32(a), U32(b)));
}
static inline v16 v16_lo8(v16 a, v16 b)
{
    return vreinterpretq_u8_u64(vzip1q_u64(U64(a), U64(b)));
}
static inline v16 v16_hi8(v16 a, v16 b)
{
    return vreinterpretq_u8_u64(vzip2q_u64(U64(a), U64(b)));
}
/* The 64-bit products of the lower halves of the 64-bit items of a and b. */
static inline v16 v16_product4(v16 a, v16 b)
{
    return vreinterpretq_u8_u64(
        vmull_u32(vmovn_u64(vreinterpretq_u64_u8(a)), vmovn_u64(vreinterpretq_u64_u8(b))));
}
#undef U16
#undef U32
#undef U64

/*
 * Prefetches a line into the second-level cache; any address is allowed. This and all its callers
 * are always inlined: gcc takes a function that only prefetches for one without effects, and drops
 * calls to it.
 */
static ALWAYS_INLINE void v_fetch(const char *p)
{
    __builtin_prefetch(p, 0, 2);
}

/* Prefetches a line into the first-level cache. */
static ALWAYS_INLINE void v_fetch_near(const char *p)
{
    __builtin_prefetch(p, 0, 3);
}

#endif
