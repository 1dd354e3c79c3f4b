/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Block conversions that are faster in AVX-512 intrinsics than what compilers make of number.h:
 * those that have an instruction (f16, truncation with saturation or with an "indefinite" result),
 * and those that pack into fewer bytes. Each gives the same bits as number.h.
 *
 * <to>_block_from_<from> converts BLOCK_<to>_FROM_<from> items.
 */
#pragma once

#include <immintrin.h>

#include "vf.h"

/* ---- memory -------------------------------------------------------------------------------- */

static inline __m512d load_f64(const mem_f64 *p)
{
    return _mm512_loadu_pd((const void *)p);
}

static inline void store_vector(void *p, __m512i a)
{
    _mm512_storeu_si512(p, a);
}

static inline void store_256(void *p, __m256i a)
{
    _mm256_storeu_si256(p, a);
}

static inline void store_128(void *p, __m128i a)
{
    _mm_storeu_si128(p, a);
}

static inline void store_64(void *p, __m128i a)
{
    _mm_storel_epi64(p, a);
}

/* ---- f64 to f32 for a second rounding: NOTE [Round to odd] ---------------------------------- */

enum { TO_ZERO = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC };

static inline __m256i odd_half(__m512d x)
{
    const __m256 cut = _mm512_cvt_roundpd_ps(x, TO_ZERO);
    const __mmask8 inexact = _mm512_cmp_pd_mask(_mm512_cvtps_pd(cut), x, _CMP_NEQ_UQ);
    const __m256i bits = _mm256_castps_si256(cut);
    return _mm256_mask_or_epi32(bits, inexact, bits, _mm256_set1_epi32(1));
}

static inline __m512 load_odd(const mem_f64 *p)
{
    const __m512i low = _mm512_castsi256_si512(odd_half(load_f64(p)));
    return _mm512_castsi512_ps(_mm512_inserti64x4(low, odd_half(load_f64(p + 8)), 1));
}

/* ---- f16 and bf16 -------------------------------------------------------------------------- */

#define load_odd_for_f16 load_odd

static inline void store_f16(mem_f16 *o, __m512 x)
{
    /* Without optimization, gcc's _mm512_cvtps_ph is a macro that causes warnings. */
    store_256(o, _mm512_maskz_cvtps_ph(0xffff, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* Converts 16 numbers of which both halves were stored just now; one load would wait for both. */
static inline void store_f16_of_new(mem_f16 *o, const mem_f32 *a)
{
    for (int i = 0; i < 16; i += 8)
        store_128(o + i, _mm256_maskz_cvtps_ph(0xff, _mm256_loadu_ps((const void *)(a + i)),
                                               _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* Returns every second 16-bit word of a and b, from word `first` on. */
static inline __m512i words_of(__m512i a, __m512i b, short first)
{
    const __m512i places = _mm512_add_epi16(
        _mm512_set1_epi16(first),
        _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28, 26,
                         24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0));
    return _mm512_permutex2var_epi16(a, places, b);
}

/*
 * Rounds to the upper halves, to nearest even. 1 is added if the lower half exceeds 0x8000, or
 * equals it and the upper half is odd.
 */
static inline __m512i bf16_of_both(__m512 x, __m512 y)
{
    const __m512i a = _mm512_castps_si512(x), b = _mm512_castps_si512(y);
    const __m512i upper = words_of(a, b, 1), lower = words_of(a, b, 0);
    const __m512i even = _mm512_andnot_si512(upper, _mm512_set1_epi16(1));
    const __m512i more = _mm512_srli_epi16(_mm512_subs_epu16(lower, even), 15);
    return _mm512_add_epi16(upper, more);
}

/* NaNs are rare, so one test looks for them in both vectors. */
static inline void store_bf16(mem_bf16 *o, __m512 x, __m512 y)
{
    const __m512i upper = words_of(_mm512_castps_si512(x), _mm512_castps_si512(y), 1);
    const __m512i quiet = _mm512_or_si512(upper, _mm512_set1_epi16(0x40));
    __m512i rounded = bf16_of_both(x, y);
    if (UNLIKELY(_mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q))) {
        const __mmask32 nan = _mm512_kunpackw(_mm512_cmp_ps_mask(y, y, _CMP_UNORD_Q),
                                              _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q));
        rounded = _mm512_mask_mov_epi16(rounded, nan, quiet);
    }
    store_vector(o, rounded);
}

#define BLOCK_bf16_FROM_f32 32
CONVERTS(bf16, f32, store_bf16, vf_load(a), vf_load(a + 16))

/*
 * Loads numbers that were stored just now in vectors of 32 bytes. A load of 64 bytes would wait for
 * both stores to reach the cache (Emerald Rapids: sums of bf16 take 2.3 times as long).
 */
static inline __m512 load_new_f32(const mem_f32 *p)
{
    const __m256 low = _mm256_loadu_ps((const void *)p),
                 high = _mm256_loadu_ps((const void *)(p + 8));
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

static inline void bf16_block_from_new_f32(mem_bf16 *o, const mem_f32 *a)
{
    store_bf16(o, load_new_f32(a), load_new_f32(a + 16));
}

#define BLOCK_bf16_FROM_f64 32
CONVERTS(bf16, f64, store_bf16, load_odd(a), load_odd(a + 16))

static inline __m512 load_odd_32(const void *p, bool has_sign)
{
    const __m512i x = _mm512_loadu_si512(p);
    const __m512 cut =
        has_sign ? _mm512_cvt_roundepi32_ps(x, TO_ZERO) : _mm512_cvt_roundepu32_ps(x, TO_ZERO);
    const __m512i back = has_sign ? _mm512_cvttps_epi32(cut) : _mm512_cvttps_epu32(cut);
    const __m512i bits = _mm512_castps_si512(cut);
    const __mmask16 inexact = _mm512_cmpneq_epi32_mask(back, x);
    return _mm512_castsi512_ps(_mm512_mask_or_epi32(bits, inexact, bits, _mm512_set1_epi32(1)));
}

#define BLOCK_bf16_FROM_i32 32
CONVERTS(bf16, i32, store_bf16, load_odd_32(a, true), load_odd_32(a + 16, true))
#define BLOCK_bf16_FROM_u32 32
CONVERTS(bf16, u32, store_bf16, load_odd_32(a, false), load_odd_32(a + 16, false))

/* Rounds to odd in f64, as i64_odd() and u64_odd() of number.h do, and then to f32. */
static inline __m256i odd_half_of_64(const void *p, bool has_sign)
{
    const __m512i x = _mm512_loadu_si512(p), ones = _mm512_set1_epi64(0x7FF);
    const __m512i low = _mm512_and_si512(x, ones);
    const __m512i odd = _mm512_andnot_si512(ones, _mm512_or_si512(x, _mm512_add_epi64(low, ones)));
    const __m512i limit = _mm512_set1_epi64(INT64_C(1) << 53);
    if (!has_sign) {
        const __mmask8 beyond = _mm512_cmpgt_epu64_mask(x, limit);
        return odd_half(_mm512_cvtepu64_pd(_mm512_mask_mov_epi64(x, beyond, odd)));
    }
    const __mmask8 beyond = _mm512_cmpgt_epu64_mask(_mm512_abs_epi64(x), limit);
    return odd_half(_mm512_cvtepi64_pd(_mm512_mask_mov_epi64(x, beyond, odd)));
}

static inline __m512 load_odd_64(const void *p, bool has_sign)
{
    const __m512i low = _mm512_castsi256_si512(odd_half_of_64(p, has_sign));
    const __m256i high = odd_half_of_64((const char *)p + 64, has_sign);
    return _mm512_castsi512_ps(_mm512_inserti64x4(low, high, 1));
}

#define BLOCK_bf16_FROM_i64 32
CONVERTS(bf16, i64, store_bf16, load_odd_64(a, true), load_odd_64(a + 16, true))
#define BLOCK_bf16_FROM_u64 32
CONVERTS(bf16, u64, store_bf16, load_odd_64(a, false), load_odd_64(a + 16, false))

/* ---- floats of 8 bits ---------------------------------------------------------------------- */

/*
 * These go through f16. An e5m2 is the upper byte of an f16. The magnitude of an e4m3, shifted by 7
 * bits, is an f16 whose exponent is too small by 8, which the multiplication by 256 corrects.
 */
#define BLOCK_f32_FROM_f8e5m2 16
static inline void f32_block_from_f8e5m2(mem_f32 *o, const mem_f8e5m2 *a)
{
    const __m256i wide = _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)a));
    store_vector(o, _mm512_castps_si512(_mm512_cvtph_ps(_mm256_slli_epi16(wide, 8))));
}

#define BLOCK_f32_FROM_f8e4m3 16
static inline void f32_block_from_f8e4m3(mem_f32 *o, const mem_f8e4m3 *a)
{
    const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)a));
    const __m256i magnitude = _mm256_and_si256(wide, _mm256_set1_epi16(0x7F));
    const __m256i sign = _mm256_and_si256(wide, _mm256_set1_epi16((short)0x8000));
    const __m256i half = _mm256_or_si256(_mm256_slli_epi16(magnitude, 7), sign);
    const __mmask16 nan = _mm256_cmpeq_epi16_mask(magnitude, _mm256_set1_epi16(0x7F));
    const __m512 x = _mm512_mul_ps(_mm512_cvtph_ps(half), _mm512_set1_ps(256));
    const __m512i bits = _mm512_castps_si512(x);
    store_vector(o, _mm512_mask_or_epi32(bits, nan, bits, _mm512_set1_epi32(0x7F800000)));
}

/* ---- float to integer ---------------------------------------------------------------------- */

/*
 * Truncation returns one "indefinite" value for everything that does not fit: INT32_MIN for signed
 * results, which is right for numbers that are too low, and UINT32_MAX for unsigned ones, which is
 * right for numbers that are too high. max(x, 0) is 0 for NaN.
 */
static inline __m512i i32_of(__m512 x)
{
    const __mmask16 ordered = _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q);
    const __mmask16 high = _mm512_cmp_ps_mask(x, _mm512_set1_ps(0x1p31F), _CMP_GE_OQ);
    const __m512i t = _mm512_maskz_cvttps_epi32(ordered, x);
    return _mm512_mask_mov_epi32(t, high, _mm512_set1_epi32(INT32_MAX));
}

static inline __m512i u32_of(__m512 x)
{
    return _mm512_cvttps_epu32(_mm512_max_ps(x, _mm512_setzero_ps()));
}

/* Converts for an instruction that then saturates to 8 or 16 bits. */
static inline __m512i low_i32_of(__m512 x)
{
    const __mmask16 ordered = _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q);
    return _mm512_maskz_cvttps_epi32(ordered, _mm512_min_ps(x, _mm512_set1_ps(0x1p20F)));
}

#define BLOCK_i8_FROM_f32 16
CONVERTS(i8, f32, store_128, _mm512_cvtsepi32_epi8(low_i32_of(vf_load(a))))
#define BLOCK_u8_FROM_f32 16
CONVERTS(u8, f32, store_128, _mm512_cvtusepi32_epi8(u32_of(vf_load(a))))
#define BLOCK_i16_FROM_f32 16
CONVERTS(i16, f32, store_256, _mm512_cvtsepi32_epi16(low_i32_of(vf_load(a))))
#define BLOCK_u16_FROM_f32 16
CONVERTS(u16, f32, store_256, _mm512_cvtusepi32_epi16(u32_of(vf_load(a))))

static inline __m512i i64_of(__m512d x)
{
    const __mmask8 ordered = _mm512_cmp_pd_mask(x, x, _CMP_ORD_Q);
    const __mmask8 high = _mm512_cmp_pd_mask(x, _mm512_set1_pd(0x1p63), _CMP_GE_OQ);
    const __m512i t = _mm512_maskz_cvttpd_epi64(ordered, x);
    return _mm512_mask_mov_epi64(t, high, _mm512_set1_epi64(INT64_MAX));
}

static inline __m512i u64_of(__m512d x)
{
    return _mm512_cvttpd_epu64(_mm512_max_pd(x, _mm512_setzero_pd()));
}

static inline __m512d load_wide(const mem_f32 *p)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps((const void *)p));
}

/* These convert to 64 bits first and saturate while narrowing to 32, 16 or 8 bits. */
#define BLOCK_i8_FROM_f64 8
CONVERTS(i8, f64, store_64, _mm512_cvtsepi64_epi8(i64_of(load_f64(a))))
#define BLOCK_u8_FROM_f64 8
CONVERTS(u8, f64, store_64, _mm512_cvtusepi64_epi8(u64_of(load_f64(a))))
#define BLOCK_i16_FROM_f64 8
CONVERTS(i16, f64, store_128, _mm512_cvtsepi64_epi16(i64_of(load_f64(a))))
#define BLOCK_u16_FROM_f64 8
CONVERTS(u16, f64, store_128, _mm512_cvtusepi64_epi16(u64_of(load_f64(a))))
#define BLOCK_i32_FROM_f64 8
CONVERTS(i32, f64, store_256, _mm512_cvtsepi64_epi32(i64_of(load_f64(a))))
#define BLOCK_u32_FROM_f64 8
CONVERTS(u32, f64, store_256, _mm512_cvtusepi64_epi32(u64_of(load_f64(a))))

#define BLOCK_i64_FROM_f32 8
CONVERTS(i64, f32, store_vector, i64_of(load_wide(a)))
#define BLOCK_u64_FROM_f32 8
CONVERTS(u64, f32, store_vector, u64_of(load_wide(a)))
#define BLOCK_i64_FROM_f64 8
CONVERTS(i64, f64, store_vector, i64_of(load_f64(a)))
#define BLOCK_u64_FROM_f64 8
CONVERTS(u64, f64, store_vector, u64_of(load_f64(a)))

#include "convert_x86.h"
