/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of f64 for the lanes of a sum (fold.h), or f64 on levels without vectors. */
#pragma once

#include "convert_level.h"

#if defined HAVE_V64 && defined LANES_OF_SMALL_FLOATS
#include "lanes_wide.h"
#elif defined HAVE_V32
/*
 * AVX-512 uses vectors of 32 bytes here: a Zen 4 needs 1.3 times the cycles to convert f32 to one
 * vector of 64 bytes than to two of 32. 32Ki f32 in the second-level cache are added in 1.7 us with
 * 32 bytes and in 2.2 us with 64. For f16 and bf16 64 bytes are faster (lanes_wide.h).
 */
typedef double vd __attribute__((vector_size(32)));
static ALWAYS_INLINE vd vd_load_f64(const char *p)
{
    return (vd)_mm256_loadu_pd((const double *)(const void *)p);
}
static ALWAYS_INLINE vd vd_load_f32(const char *p)
{
    return (vd)_mm256_cvtps_pd(_mm_loadu_ps((const float *)(const void *)p));
}
#define HAVE_SMALL_FLOATS 1 /* f16 and bf16 are widened by few instructions */
static ALWAYS_INLINE vd vd_load_f16(const char *p)
{
    return (vd)_mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
static ALWAYS_INLINE vd vd_load_bf16(const char *p)
{
    const __m128i x = _mm_loadl_epi64((const __m128i *)(const void *)p);
    const __m128i to = _mm_setr_epi8(-1, -1, 0, 1, -1, -1, 2, 3, -1, -1, 4, 5, -1, -1, 6, 7);
    return (vd)_mm256_cvtps_pd(_mm_castsi128_ps(_mm_shuffle_epi8(x, to)));
}

/*
 * Returns a + x as fma(x, 1, a), with the same bits because x * 1 is exact. The unit that adds also
 * converts; with the additions in another unit it is idle for half of the time.
 */
#define HAVE_VD_PLUS      1
static ALWAYS_INLINE vd vd_plus(vd a, vd x)
{
    return (vd)_mm256_fmadd_pd((__m256d)x, _mm256_set1_pd(1.0), (__m256d)a);
}
#if defined HAVE_V64
/* Loads the items whose bit is set; takes those of `other` for the rest, which is not read. */
#define HAVE_VD_LOAD_SOME 1
static ALWAYS_INLINE vd vd_load_some_f64(const char *p, unsigned set, vd other)
{
    return (vd)_mm256_mask_loadu_pd((__m256d)other, (__mmask8)(set & 15), p);
}
static ALWAYS_INLINE vd vd_load_some_f32(const char *p, unsigned set, vd other)
{
    const __mmask8 some = (__mmask8)(set & 15);
    return (vd)_mm256_mask_cvtps_pd((__m256d)other, some, _mm_maskz_loadu_ps(some, p));
}
#endif
#elif defined HAVE_V16
typedef double vd __attribute__((vector_size(16)));
static ALWAYS_INLINE vd vd_load_f64(const char *p)
{
    return (vd)v16_load(p);
}
static ALWAYS_INLINE vd vd_load_f32(const char *p)
{
#if defined __SSE2__ /* gcc 12 converts the two one by one */
    return (vd)_mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
#elif defined STRIA_ISA_NEON
    return (vd)vcvt_f64_f32(vld1_f32((const float *)(const void *)p));
#else
    typedef float two __attribute__((vector_size(8)));
    two x;
    memcpy(&x, p, sizeof x);
    return __builtin_convertvector(x, vd);
#endif
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

enum { VD = sizeof(vd) / sizeof(double) /* items per vector */ };

static ALWAYS_INLINE void vd_store(char *p, vd a)
{
    memcpy(p, &a, sizeof a);
}

/* Broadcasts x. */
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

/* Tells whether vd_load_some_f32() and so on exist. */
#if defined HAVE_VD_LOAD_SOME
enum { LOADS_SOME = 1 };
#else
enum { LOADS_SOME = 0 };
#endif

#if !defined HAVE_VD_PLUS
static ALWAYS_INLINE vd vd_plus(vd a, vd x)
{
    return a + x;
}
#endif
