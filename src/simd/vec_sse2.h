/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vector layer for 128-bit x86 vectors; it needs only SSE2. v16_loN and v16_hiN interleave the
 * low or high halves of two vectors in elements of N bytes; vN_lanes collects 16-byte lanes from
 * memory.
 */
#ifndef STRIA_SIMD_VEC_SSE2_H
#define STRIA_SIMD_VEC_SSE2_H

#include <emmintrin.h>
#include <stdint.h>

#define HAVE_V16 1

typedef __m128i v16;

static inline v16 v16_load(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}
static inline void v16_store(char *p, v16 a)
{
    _mm_storeu_si128((__m128i *)(void *)p, a);
}
/* Stores non-temporally; p is aligned to the vector. */
static inline void v16_stream(char *p, v16 a)
{
    _mm_stream_si128((__m128i *)(void *)p, a);
}
static inline v16 v16_lanes(const char *p, const int64_t *at, int step)
{
    (void)step;
    return v16_load(p + at[0]);
}
/* These load 8 bytes from each of two addresses, and store to them. */
static inline v16 v16_halves(const char *low, const char *high)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)low),
                              _mm_loadl_epi64((const __m128i *)(const void *)high));
}
static inline void v16_store_halves(char *low, char *high, v16 a)
{
    _mm_storel_epi64((__m128i *)(void *)low, a);
    _mm_storel_epi64((__m128i *)(void *)high, _mm_unpackhi_epi64(a, a));
}
#define v16_lo1 _mm_unpacklo_epi8
#define v16_hi1 _mm_unpackhi_epi8
#define v16_lo2 _mm_unpacklo_epi16
#define v16_hi2 _mm_unpackhi_epi16
#define v16_lo4 _mm_unpacklo_epi32
#define v16_hi4 _mm_unpackhi_epi32
#define v16_lo8 _mm_unpacklo_epi64
#define v16_hi8 _mm_unpackhi_epi64
/* vN_product4: the 64-bit products of the lower halves of the 64-bit items of a and b. */
#define v16_product4 _mm_mul_epu32

/* Zeroes the aligned line at p non-temporally; only allowed if stria__cpu_clears_lines. */
static inline void v_clear_line(char *p)
{
    __asm__ volatile("clzero" : : "a"(p) : "memory");
}
/* Makes streamed lines visible to other threads before anything that follows. */
static inline void v_fence(void)
{
    _mm_sfence();
}

#endif
