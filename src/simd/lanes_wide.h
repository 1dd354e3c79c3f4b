/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors of 64 bytes for sums of f16 and bf16 (lanes.h). A Zen 4 widens eight of these to f32 with
 * as many instructions as four: in the second-level cache, 32Ki f16 are added in 2.3 us with
 * vectors of 64 bytes and in 3.1 us with 32, bf16 in 2.6 and 3.2 us.
 */
#ifndef STRIA_SIMD_LANES_WIDE_H
#define STRIA_SIMD_LANES_WIDE_H

#include "convert_level.h"

typedef double vd __attribute__((vector_size(64)));
static ALWAYS_INLINE vd vd_load_f64(const char *p)
{
    return (vd)_mm512_loadu_pd((const double *)(const void *)p);
}

/* A bf16 is the upper half of an f32. */
static ALWAYS_INLINE vd vd_from_bf16(__m128i x)
{
    const __m256i to = _mm256_setr_epi8(-1, -1, 0, 1, -1, -1, 2, 3, -1, -1, 4, 5, -1, -1, 6, 7, -1,
                                        -1, 8, 9, -1, -1, 10, 11, -1, -1, 12, 13, -1, -1, 14, 15);
    const __m256i all = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(x), to);
    return (vd)_mm512_cvtps_pd(_mm256_castsi256_ps(all));
}

#define HAVE_SMALL_FLOATS 1
static ALWAYS_INLINE vd vd_load_f16(const char *p)
{
    return (vd)_mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
static ALWAYS_INLINE vd vd_load_bf16(const char *p)
{
    return vd_from_bf16(_mm_loadu_si128((const __m128i *)(const void *)p));
}

#define HAVE_VD_LOAD_SOME 1
static ALWAYS_INLINE vd vd_load_some_f16(const char *p, unsigned set, vd other)
{
    const __mmask8 some = (__mmask8)set;
    const __m256 x = _mm256_cvtph_ps(_mm_maskz_loadu_epi16(some, p));
    return (vd)_mm512_mask_cvtps_pd((__m512d)other, some, x);
}
static ALWAYS_INLINE vd vd_load_some_bf16(const char *p, unsigned set, vd other)
{
    const __mmask8 some = (__mmask8)set;
    const vd x = vd_from_bf16(_mm_maskz_loadu_epi16(some, p));
    return (vd)_mm512_mask_mov_pd((__m512d)other, some, (__m512d)x);
}

#define HAVE_VD_PLUS 1
static ALWAYS_INLINE vd vd_plus(vd a, vd x)
{
    return (vd)_mm512_fmadd_pd((__m512d)x, _mm512_set1_pd(1.0), (__m512d)a);
}

#endif
