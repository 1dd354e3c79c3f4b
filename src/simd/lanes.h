/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors of f64 as wide as the level has them, for the lanes of a sum (fold.h). Operators work on
 * them as on a double, which is what stands for them at levels without vectors.
 */
#ifndef STRIA_SIMD_LANES_H
#define STRIA_SIMD_LANES_H

#include "convert_level.h"

#if defined HAVE_V64
typedef double vd __attribute__((vector_size(64)));
static ALWAYS_INLINE vd vd_load_f64(const char *p)
{
    return (vd)_mm512_loadu_pd((const double *)(const void *)p);
}
static ALWAYS_INLINE vd vd_load_f32(const char *p)
{
    return (vd)_mm512_cvtps_pd(_mm256_loadu_ps((const float *)(const void *)p));
}
#define HAVE_SMALL_FLOATS 1 /* f16 and bf16 are loaded by few instructions */
static ALWAYS_INLINE vd vd_load_f16(const char *p)
{
    return (vd)_mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
static ALWAYS_INLINE vd vd_load_bf16(const char *p)
{
    const __m256i x = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
    return (vd)_mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_slli_epi32(x, 16)));
}

/* The first `count` items, and `other` in the place of the rest. */
#define HAVE_VD_LOAD_SOME 1
static ALWAYS_INLINE vd vd_load_some_f64(const char *p, int count, vd other)
{
    return (vd)_mm512_mask_loadu_pd((__m512d)other, (__mmask8)((1 << count) - 1), p);
}
static ALWAYS_INLINE vd vd_load_some_f32(const char *p, int count, vd other)
{
    const __mmask8 some = (__mmask8)((1 << count) - 1);
    return (vd)_mm512_mask_cvtps_pd((__m512d)other, some, _mm256_maskz_loadu_ps(some, p));
}
static ALWAYS_INLINE vd vd_load_some_f16(const char *p, int count, vd other)
{
    const __mmask8 some = (__mmask8)((1 << count) - 1);
    const __m256 x = _mm256_cvtph_ps(_mm_maskz_loadu_epi16(some, p));
    return (vd)_mm512_mask_cvtps_pd((__m512d)other, some, x);
}
static ALWAYS_INLINE vd vd_load_some_bf16(const char *p, int count, vd other)
{
    const __mmask8 some = (__mmask8)((1 << count) - 1);
    const __m256i x = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(some, p));
    return (vd)_mm512_mask_cvtps_pd((__m512d)other, some,
                                    _mm256_castsi256_ps(_mm256_slli_epi32(x, 16)));
}
#elif defined HAVE_V32
typedef double vd __attribute__((vector_size(32)));
static ALWAYS_INLINE vd vd_load_f64(const char *p)
{
    return (vd)_mm256_loadu_pd((const double *)(const void *)p);
}
static ALWAYS_INLINE vd vd_load_f32(const char *p)
{
    return (vd)_mm256_cvtps_pd(_mm_loadu_ps((const float *)(const void *)p));
}
#define HAVE_SMALL_FLOATS 1
static ALWAYS_INLINE vd vd_load_f16(const char *p)
{
    return (vd)_mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
static ALWAYS_INLINE vd vd_load_bf16(const char *p)
{
    const __m128i x = _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
    return (vd)_mm256_cvtps_pd(_mm_castsi128_ps(_mm_slli_epi32(x, 16)));
}
#elif defined STRIA_ISA_NEON
typedef double vd __attribute__((vector_size(16)));
static ALWAYS_INLINE vd vd_load_f64(const char *p)
{
    return (vd)vreinterpretq_f64_u8(vld1q_u8((const uint8_t *)p));
}
static ALWAYS_INLINE vd vd_load_f32(const char *p)
{
    return (vd)vcvt_f64_f32(vreinterpret_f32_u8(vld1_u8((const uint8_t *)p)));
}
#elif defined HAVE_V16
typedef double vd __attribute__((vector_size(16)));
static ALWAYS_INLINE vd vd_load_f64(const char *p)
{
    return (vd)_mm_loadu_pd((const double *)(const void *)p);
}
static ALWAYS_INLINE vd vd_load_f32(const char *p)
{
    return (vd)_mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
#else
#define VD_IS_DOUBLE 1
typedef double vd;
static ALWAYS_INLINE vd vd_load_f64(const char *p)
{
    return *(const mem_f64 *)(const void *)p;
}
static ALWAYS_INLINE vd vd_load_f32(const char *p)
{
    return (double)*(const mem_f32 *)(const void *)p;
}
#endif

enum { VD = sizeof(vd) / sizeof(double) /* items of a vector */ };

static ALWAYS_INLINE void vd_store(char *p, vd a)
{
    memcpy(p, &a, sizeof a);
}

/* The same value in every item. */
static ALWAYS_INLINE vd vd_all(double x)
{
    double all[VD];
    vd out;
    UNROLL
    for (int i = 0; i < VD; i++)
        all[i] = x;
    memcpy(&out, all, sizeof out);
    return out;
}

/* The magnitudes, and `other` in the place of each NaN. */
#if defined VD_IS_DOUBLE
static ALWAYS_INLINE vd vd_abs(vd x)
{
    return __builtin_fabs(x);
}
static ALWAYS_INLINE vd vd_number(vd x, double other)
{
    return x == x ? x : other;
}
#else
typedef int64_t vd_bits __attribute__((vector_size(sizeof(vd))));
static ALWAYS_INLINE vd vd_abs(vd x)
{
    return (vd)((vd_bits)x & ~(vd_bits)vd_all(-0.0));
}
static ALWAYS_INLINE vd vd_number(vd x, double other)
{
    const vd_bits is = (vd_bits)(x == x);
    return (vd)(((vd_bits)x & is) | ((vd_bits)vd_all(other) & ~is));
}
#endif

#endif
