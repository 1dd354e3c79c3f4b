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

#endif
