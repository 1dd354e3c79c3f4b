/* SPDX-License-Identifier: BSD-3-Clause */
/* The vector layer for 256-bit x86 vectors, which are two lanes of 16 bytes. */
#pragma once

#include <immintrin.h>

#include "vec_generic.h"

#define HAVE_V32     1
#define HAVE_SHUFFLE 1

/*
 * vN_shuffle: byte i of a lane becomes byte select[i] of that lane of a, or 0 if select[i] >= 128.
 */
#define v16_shuffle _mm_shuffle_epi8
#define v16_or      _mm_or_si128
/* Broadcasts 16 bytes to all lanes. */
#define v16_same_lanes v16_load

typedef __m256i v32;

static inline v32 v32_load(const char *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
static inline void v32_store(char *p, v32 a)
{
    _mm256_storeu_si256((__m256i *)(void *)p, a);
}
static inline void v32_stream(char *p, v32 a)
{
    _mm256_stream_si256((__m256i *)(void *)p, a);
}
static inline v32 v32_lanes(const char *p, const int64_t *at, int step)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(v16_load(p + at[0])),
                                   v16_load(p + at[step]), 1);
}
/* Clamps x to low .. high; a NaN stays NaN, and x stays x if it equals a bound. */
#define HAVE_WITHIN_f32 1
#define HAVE_WITHIN_f64 1
static inline v32 v32_within_f32(v32 x, float low, float high)
{
    const __m256 raised = _mm256_max_ps(_mm256_set1_ps(low), (__m256)x);
    return (v32)_mm256_min_ps(_mm256_set1_ps(high), raised);
}
static inline v32 v32_within_f64(v32 x, double low, double high)
{
    const __m256d raised = _mm256_max_pd(_mm256_set1_pd(low), (__m256d)x);
    return (v32)_mm256_min_pd(_mm256_set1_pd(high), raised);
}
#define v32_shuffle _mm256_shuffle_epi8
#define v32_or      _mm256_or_si256
/* Takes the first n bytes of a and the others of b; n from -64 to 64. */
static inline v32 v32_first(v32 a, v32 b, int n)
{
    const v32 at = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                                    18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi8(_mm256_set1_epi8((char)n), at));
}
static inline v32 v32_same_lanes(const char *p)
{
    return _mm256_broadcastsi128_si256(v16_load(p));
}
#define v32_lo1      _mm256_unpacklo_epi8
#define v32_hi1      _mm256_unpackhi_epi8
#define v32_lo2      _mm256_unpacklo_epi16
#define v32_hi2      _mm256_unpackhi_epi16
#define v32_lo4      _mm256_unpacklo_epi32
#define v32_hi4      _mm256_unpackhi_epi32
#define v32_lo8      _mm256_unpacklo_epi64
#define v32_hi8      _mm256_unpackhi_epi64
#define v32_product4 _mm256_mul_epu32

/*
 * vN_find lists first + i for each of N bytes of a mask that is not 0, and returns where the next
 * one goes. N numbers may be written. Four bytes at a time are looked up in a table of the
 * positions of set bits.
 */
static inline int64_t *v32_find(int64_t *out, const char *mask, int64_t first)
{
    static const uint8_t places[16][4] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    const v32 none = _mm256_cmpeq_epi8(v32_load(mask), _mm256_setzero_si256());
    const uint32_t all = ~(uint32_t)_mm256_movemask_epi8(none);
    for (int k = 0; k < 32; k += 4) {
        const uint32_t m = all >> k & 15;
        int32_t bytes;
        memcpy(&bytes, places[m], sizeof bytes);
        const v32 at = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes));
        v32_store((char *)out, _mm256_add_epi64(at, _mm256_set1_epi64x(first + k)));
        out += __builtin_popcount(m);
    }
    return out;
}
