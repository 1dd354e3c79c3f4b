/* SPDX-License-Identifier: BSD-3-Clause */
/* The thin vector layer on 512-bit x86 vectors: four lanes of 16 bytes, a whole cache line. */
#ifndef STRIA_SIMD_VEC_AVX512_H
#define STRIA_SIMD_VEC_AVX512_H

#include "vec_avx2.h"

#define HAVE_V64 1

typedef __m512i v64;

static inline v64 v64_load(const char *p)
{
    return _mm512_loadu_si512(p);
}
static inline void v64_store(char *p, v64 a)
{
    _mm512_storeu_si512(p, a);
}
/* The bytes whose bit is set; the others are not touched, and may be where nothing is. */
static inline void v64_store_masked(char *p, uint64_t mask, v64 a)
{
    _mm512_mask_storeu_epi8(p, mask, a);
}
static inline void v64_stream(char *p, v64 a)
{
    _mm512_stream_si512((__m512i *)(void *)p, a);
}
/* Built from halves: inserting lane by lane, each whole vector waits for the one before. */
static inline v64 v64_lanes(const char *p, const int64_t *at, int step)
{
    const __m256i low = v32_lanes(p, at, step), high = v32_lanes(p, at + 2 * step, step);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
static inline v64 v64_shuffle(v64 a, v64 select)
{
    return _mm512_shuffle_epi8(a, select);
}
static inline v64 v64_or(v64 a, v64 b)
{
    return _mm512_or_si512(a, b);
}
static inline v64 v64_same_lanes(const char *p)
{
    return _mm512_broadcast_i32x4(v16_load(p));
}
static inline v64 v64_lo1(v64 a, v64 b)
{
    return _mm512_unpacklo_epi8(a, b);
}
static inline v64 v64_hi1(v64 a, v64 b)
{
    return _mm512_unpackhi_epi8(a, b);
}
static inline v64 v64_lo2(v64 a, v64 b)
{
    return _mm512_unpacklo_epi16(a, b);
}
static inline v64 v64_hi2(v64 a, v64 b)
{
    return _mm512_unpackhi_epi16(a, b);
}
static inline v64 v64_lo4(v64 a, v64 b)
{
    return _mm512_unpacklo_epi32(a, b);
}
static inline v64 v64_hi4(v64 a, v64 b)
{
    return _mm512_unpackhi_epi32(a, b);
}
static inline v64 v64_lo8(v64 a, v64 b)
{
    return _mm512_unpacklo_epi64(a, b);
}
static inline v64 v64_hi8(v64 a, v64 b)
{
    return _mm512_unpackhi_epi64(a, b);
}

#endif
