/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads, stores and permutations of 256-bit x86 vectors of items, for convert_avx2.h. */
#pragma once

#include <immintrin.h>

#include "vf.h"

static inline __m256d load_f64(const mem_f64 *p)
{
    return _mm256_loadu_pd((const void *)p);
}

static inline __m256d load_wide(const mem_f32 *p)
{
    return _mm256_cvtps_pd(_mm_loadu_ps((const void *)p));
}

static inline __m256i load_256(const void *p)
{
    return _mm256_loadu_si256(p);
}

static inline void store_256(void *p, __m256i a)
{
    _mm256_storeu_si256(p, a);
}
#define store_vector store_256

static inline void store_128(void *p, __m128i a)
{
    _mm_storeu_si128(p, a);
}

static inline void store_64(void *p, __m128i a)
{
    _mm_storel_epi64(p, a);
}

/* Pack instructions work within 16-byte lanes; this restores the order of the 8-byte quarters. */
static inline __m256i in_order(__m256i a)
{
    return _mm256_permute4x64_epi64(a, 0xD8);
}

static inline __m256i join(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* Returns the lower 32 bits of each of the four elements. */
static inline __m128i lower_halves(__m256i a)
{
    const __m128 low = _mm_castsi128_ps(_mm256_castsi256_si128(a));
    const __m128 high = _mm_castsi128_ps(_mm256_extracti128_si256(a, 1));
    return _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
}
