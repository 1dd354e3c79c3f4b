/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Maxima and minima of 64-byte vectors; the names end in the C type of their items. gcc makes the
 * same instructions from plain loops, but loads a vector again for each instruction that uses it,
 * and a Zen 4 loads only one per cycle: the largest of 32Ki f32 in cache took 1.8 us instead of
 * 1.1.
 */
#pragma once

#include "convert_level.h"

/* Loads a vector into a register once, even if several instructions use it. */
static ALWAYS_INLINE v64 v64_once(const char *p)
{
    v64 x = v64_load(p);
    __asm__("" : "+v"(x));
    return x;
}

#define v64_max_int8_t   _mm512_max_epi8
#define v64_max_int16_t  _mm512_max_epi16
#define v64_max_int32_t  _mm512_max_epi32
#define v64_max_int64_t  _mm512_max_epi64
#define v64_max_uint8_t  _mm512_max_epu8
#define v64_max_uint16_t _mm512_max_epu16
#define v64_max_uint32_t _mm512_max_epu32
#define v64_max_uint64_t _mm512_max_epu64
#define v64_min_uint8_t  _mm512_min_epu8
#define v64_min_uint16_t _mm512_min_epu16
#define v64_min_uint32_t _mm512_min_epu32
#define v64_min_uint64_t _mm512_min_epu64

/*
 * The largest element of each column so far, the first of equal ones, and the number of its row. x
 * replaces it if it is larger, or if it is the first NaN. gcc would make four comparisons of this.
 */
struct v64_first {
    v64 best, at;
};

static ALWAYS_INLINE struct v64_first v64_lead_f32(struct v64_first a, v64 x, int64_t row)
{
    const __m512 best = (__m512)a.best;
    const __mmask16 number = _mm512_cmp_ps_mask(best, best, _CMP_ORD_Q),
                    beyond = _mm512_mask_cmp_ps_mask(number, (__m512)x, best, _CMP_NLE_UQ);
    return (struct v64_first){_mm512_mask_mov_epi32(a.best, beyond, x),
                              _mm512_mask_mov_epi32(a.at, beyond, _mm512_set1_epi32((int)row))};
}

static ALWAYS_INLINE struct v64_first v64_lead_f64(struct v64_first a, v64 x, int64_t row)
{
    const __m512d best = (__m512d)a.best;
    const __mmask8 number = _mm512_cmp_pd_mask(best, best, _CMP_ORD_Q),
                   beyond = _mm512_mask_cmp_pd_mask(number, (__m512d)x, best, _CMP_NLE_UQ);
    return (struct v64_first){_mm512_mask_mov_epi64(a.best, beyond, x),
                              _mm512_mask_mov_epi64(a.at, beyond, _mm512_set1_epi64(row))};
}
