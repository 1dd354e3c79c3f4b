/* SPDX-License-Identifier: BSD-3-Clause */
/* lerp_f32() for 8 items at a time; compilers take 4, which takes 1.3 times as long. */
#ifndef STRIA_SIMD_LERP_AVX512_H
#define STRIA_SIMD_LERP_AVX512_H

#include "level.h"
#include "number.h"

#ifdef HAVE_V64

enum { LERP_ITEMS = 8 };

static ALWAYS_INLINE __m512d lerp_input(bool single, const mem_f32 *x)
{
    return single ? _mm512_set1_pd((double)*x) : _mm512_cvtps_pd(_mm256_loadu_ps((const void *)x));
}

/* Computes LERP_ITEMS results. If bit k of `one` is set, input k is a single item. */
static ALWAYS_INLINE void lerp_block(const unsigned one, mem_f32 *out, const mem_f32 *from,
                                     const mem_f32 *to, const mem_f32 *weight)
{
    const __m512d a = lerp_input(one & 1, from), b = lerp_input(one & 2, to);
    const __m512d w = lerp_input(one & 4, weight);
    const __mmask8 second = _mm512_cmp_pd_mask(w, _mm512_set1_pd(0.5), _CMP_NLT_UQ);
    const __m512d minus_w = _mm512_xor_pd(w, _mm512_set1_pd(-0.0));
    const __m512d from_end = _mm512_mask_sub_pd(minus_w, second, _mm512_set1_pd(1), w);
    const __m512d way = _mm512_mul_pd(_mm512_sub_pd(b, a), from_end);
    const __m512d y = _mm512_sub_pd(_mm512_mask_mov_pd(a, second, b), way);
    _mm256_storeu_ps((void *)out, _mm512_cvtpd_ps(y));
}

#endif

#endif
