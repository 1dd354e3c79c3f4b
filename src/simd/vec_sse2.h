/* SPDX-License-Identifier: BSD-3-Clause */
/* The vector layer for 128-bit x86 vectors, with non-temporal stores; it needs only SSE2. */
#ifndef STRIA_SIMD_VEC_SSE2_H
#define STRIA_SIMD_VEC_SSE2_H

#include <emmintrin.h>

#define HAVE_V16_TYPE 1
typedef __m128i v16;

#define HAVE_V16_STREAM 1
/* Stores non-temporally; p is aligned to the vector. */
static inline void v16_stream(char *p, v16 a)
{
    _mm_stream_si128((__m128i *)(void *)p, a);
}
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

#define HAVE_V16_PRODUCT4 1
#define v16_product4      _mm_mul_epu32

#include "vec_generic.h"

#endif
