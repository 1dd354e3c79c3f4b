/* SPDX-License-Identifier: BSD-3-Clause */
/* Saturating conversions from float to integer in 256-bit vectors, for convert_avx2.h. */
#pragma once

#include <immintrin.h>

#include "convert_avx2_memory.h"

/* Replaces NaN by 0 by masking. (Where negative numbers become 0 too, max(x, 0) is enough.) */
static inline __m256 f32_or_zero(__m256 x)
{
    return _mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q));
}

static inline __m256d f64_or_zero(__m256d x)
{
    return _mm256_and_pd(x, _mm256_cmp_pd(x, x, _CMP_ORD_Q));
}

/*
 * NOTE [Indefinite]: truncation gives INT32_MIN, the "indefinite" result, for everything that does
 * not fit in 32 bits, NaN included, and few other numbers do. So blocks of signed results truncate
 * first, and compute again, with all bounds, where one result is INT32_MIN, or what that saturates
 * to. For unsigned results of 8 or 16 bits it saturates to 0, which is right but for numbers that
 * are too high: see u32_up_to().
 */

/* Tells whether one of the items of either is that of `least`, by the bits of a comparison. */
static inline bool has_indefinite(__m256i equal)
{
    return UNLIKELY(!_mm256_testz_si256(equal, equal));
}

static inline bool has_least_i32(__m256i a, __m256i b)
{
    const __m256i least = _mm256_set1_epi32(INT32_MIN);
    return has_indefinite(
        _mm256_or_si256(_mm256_cmpeq_epi32(a, least), _mm256_cmpeq_epi32(b, least)));
}

/*
 * Converts for a pack instruction that then saturates to 8 or 16 bits. Numbers that are too low may
 * truncate to INT32_MIN, which saturates correctly.
 */
static inline __m256i i32_up_to(__m256 x, float high)
{
    return _mm256_cvttps_epi32(_mm256_min_ps(f32_or_zero(x), _mm256_set1_ps(high)));
}

/*
 * Like i32_up_to(), for unsigned results. NaN needs no extra instruction: min returns its second
 * operand if that is NaN, which truncates to INT32_MIN and saturates to 0.
 */
static inline __m256i u32_up_to(__m256 x, float high)
{
    return _mm256_cvttps_epi32(_mm256_min_ps(_mm256_set1_ps(high), x));
}

/* Restores the order of the 4-byte groups of four vectors that were packed into one. */
static inline __m256i bytes_in_order(__m256i a)
{
    return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

static inline __m256i i16_words(const mem_f32 *a, float high)
{
    return _mm256_packs_epi32(i32_up_to(vf_load(a), high), i32_up_to(vf_load(a + 8), high));
}

static inline __m256i u16_words(const mem_f32 *a, float high)
{
    return _mm256_packus_epi32(u32_up_to(vf_load(a), high), u32_up_to(vf_load(a + 8), high));
}

#define BLOCK_i8_FROM_f32 32
CONVERTS(i8, f32, store_256,
         bytes_in_order(_mm256_packs_epi16(i16_words(a, 127), i16_words(a + 16, 127))))
#define BLOCK_u8_FROM_f32 32
CONVERTS(u8, f32, store_256,
         bytes_in_order(_mm256_packus_epi16(u16_words(a, 255), u16_words(a + 16, 255))))
static NEVER_INLINE void i16_of_any_f32(mem_i16 *o, const mem_f32 *a)
{
    store_256(o, in_order(i16_words(a, 32767)));
}

#define BLOCK_i16_FROM_f32 16
static inline void i16_block_from_f32(mem_i16 *o, const mem_f32 *a)
{
    const __m256i words =
        _mm256_packs_epi32(_mm256_cvttps_epi32(vf_load(a)), _mm256_cvttps_epi32(vf_load(a + 8)));
    if (has_indefinite(_mm256_cmpeq_epi16(words, _mm256_set1_epi16(INT16_MIN))))
        i16_of_any_f32(o, a);
    else
        store_256(o, in_order(words));
}

#define BLOCK_u16_FROM_f32 16
CONVERTS(u16, f32, store_256, in_order(u16_words(a, 65535)))

/* Numbers that are too high truncate to INT32_MIN, whose complement is INT32_MAX. */
static inline __m256i i32_of(__m256 number)
{
    const __m256 x = f32_or_zero(number);
    const __m256 high = _mm256_cmp_ps(x, _mm256_set1_ps(0x1p31F), _CMP_GE_OQ);
    return _mm256_xor_si256(_mm256_cvttps_epi32(x), _mm256_castps_si256(high));
}

/* The instruction is signed, so numbers from 2^31 on are truncated after subtracting 2^31. */
static inline __m256i u32_of(__m256 number)
{
    const __m256 middle = _mm256_set1_ps(0x1p31F), x = _mm256_max_ps(number, _mm256_setzero_ps());
    const __m256 upper = _mm256_cmp_ps(x, middle, _CMP_GE_OQ);
    const __m256 high = _mm256_cmp_ps(x, _mm256_set1_ps(0x1p32F), _CMP_GE_OQ);
    const __m256i t = _mm256_cvttps_epi32(_mm256_sub_ps(x, _mm256_and_ps(upper, middle)));
    const __m256i bit = _mm256_slli_epi32(_mm256_castps_si256(upper), 31);
    return _mm256_or_si256(_mm256_xor_si256(t, bit), _mm256_castps_si256(high));
}

static inline __m256i i32_from_f64(const mem_f64 *a)
{
    return join(_mm256_cvttpd_epi32(load_f64(a)), _mm256_cvttpd_epi32(load_f64(a + 4)));
}

static inline __m128i i32_within_f64(const mem_f64 *a, double low, double high)
{
    const __m256d above = _mm256_max_pd(f64_or_zero(load_f64(a)), _mm256_set1_pd(low));
    return _mm256_cvttpd_epi32(_mm256_min_pd(above, _mm256_set1_pd(high)));
}

static inline __m128i i16_within_f64(const mem_f64 *a, double low, double high)
{
    return _mm_packs_epi32(i32_within_f64(a, low, high), i32_within_f64(a + 4, low, high));
}

static NEVER_INLINE void i8_of_any_f64(mem_i8 *o, const mem_f64 *a)
{
    store_64(o, _mm_packs_epi16(i16_within_f64(a, -128, 127), _mm_setzero_si128()));
    store_64(o + 8, _mm_packs_epi16(i16_within_f64(a + 8, -128, 127), _mm_setzero_si128()));
}

static NEVER_INLINE void i16_of_any_f64(mem_i16 *o, const mem_f64 *a)
{
    store_128(o, i16_within_f64(a, -32768, 32767));
    store_128(o + 8, i16_within_f64(a + 8, -32768, 32767));
}

static NEVER_INLINE void i32_of_any_f64(mem_i32 *o, const mem_f64 *a)
{
    for (int i = 0; i < 16; i += 4)
        store_128(o + i, i32_within_f64(a + i, -0x1p31, 0x1.FFFFFFFCp30));
}

/* Returns 16 truncated items, saturated to 16 bits, in order. */
static inline __m256i i16_from_f64(const mem_f64 *a)
{
    return in_order(_mm256_packs_epi32(i32_from_f64(a), i32_from_f64(a + 8)));
}

static inline __m128i bytes_of(__m256i words, bool has_sign)
{
    const __m128i low = _mm256_castsi256_si128(words), high = _mm256_extracti128_si256(words, 1);
    return has_sign ? _mm_packs_epi16(low, high) : _mm_packus_epi16(low, high);
}

#define BLOCK_i8_FROM_f64 16
static inline void i8_block_from_f64(mem_i8 *o, const mem_f64 *a)
{
    const __m256i words = i16_from_f64(a);
    if (has_indefinite(_mm256_cmpeq_epi16(words, _mm256_set1_epi16(INT16_MIN))))
        i8_of_any_f64(o, a);
    else
        store_128(o, bytes_of(words, true));
}

#define BLOCK_i16_FROM_f64 16
static inline void i16_block_from_f64(mem_i16 *o, const mem_f64 *a)
{
    const __m256i words = i16_from_f64(a);
    if (has_indefinite(_mm256_cmpeq_epi16(words, _mm256_set1_epi16(INT16_MIN))))
        i16_of_any_f64(o, a);
    else
        store_256(o, words);
}

#define BLOCK_i32_FROM_f64 16
static inline void i32_block_from_f64(mem_i32 *o, const mem_f64 *a)
{
    const __m256i low = i32_from_f64(a), high = i32_from_f64(a + 8);
    if (has_least_i32(low, high)) {
        i32_of_any_f64(o, a);
        return;
    }
    store_256(o, low);
    store_256(o + 8, high);
}

/* This is u32_up_to() for 8 items of f64. */
static inline __m256i u32_up_to_from_f64(const mem_f64 *a, double most)
{
    const __m256d high = _mm256_set1_pd(most);
    return join(_mm256_cvttpd_epi32(_mm256_min_pd(high, load_f64(a))),
                _mm256_cvttpd_epi32(_mm256_min_pd(high, load_f64(a + 4))));
}

static inline __m256i u16_from_f64(const mem_f64 *a, double most)
{
    return in_order(
        _mm256_packus_epi32(u32_up_to_from_f64(a, most), u32_up_to_from_f64(a + 8, most)));
}

#define BLOCK_u8_FROM_f64 16
CONVERTS(u8, f64, store_128, bytes_of(u16_from_f64(a, 255), false))
#define BLOCK_u16_FROM_f64 16
CONVERTS(u16, f64, store_256, u16_from_f64(a, 65535))

/*
 * Adding 2^52 to an integer below 2^32, or 1.5 * 2^52 to a signed one, leaves it in the lower half.
 */
static inline __m256i whole_below_2_32(__m256d x)
{
    return _mm256_castpd_si256(_mm256_add_pd(x, _mm256_set1_pd(0x1.8p52)));
}

#define BLOCK_u32_FROM_f64 4
static inline void u32_block_from_f64(mem_u32 *o, const mem_f64 *a)
{
    const __m256d above = _mm256_max_pd(load_f64(a), _mm256_setzero_pd());
    const __m256d x = _mm256_min_pd(above, _mm256_set1_pd(0x1.FFFFFFFEp31));
    const __m256d whole = _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    store_128(o, lower_halves(whole_below_2_32(whole)));
}

/* Truncates x to 64 bits, in two halves: the upper half may be negative, the lower one is not. */
static inline __m256i halves_of(__m256d x)
{
    const __m256d whole = _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    const __m256d upper = _mm256_floor_pd(_mm256_mul_pd(whole, _mm256_set1_pd(0x1p-32)));
    const __m256d lower = _mm256_sub_pd(whole, _mm256_mul_pd(upper, _mm256_set1_pd(0x1p32)));
    return _mm256_blend_epi32(whole_below_2_32(lower),
                              _mm256_slli_epi64(whole_below_2_32(upper), 32), 0xAA);
}

static inline __m256i i64_of(__m256d number)
{
    const __m256d x = f64_or_zero(number);
    const __m256d high = _mm256_cmp_pd(x, _mm256_set1_pd(0x1p63), _CMP_GE_OQ);
    const __m256d above = _mm256_max_pd(x, _mm256_set1_pd(-0x1p63));
    const __m256d inside = _mm256_min_pd(above, _mm256_set1_pd(0x1.FFFFFFFFFFFFFp62));
    return _mm256_blendv_epi8(halves_of(inside), _mm256_set1_epi64x(INT64_MAX),
                              _mm256_castpd_si256(high));
}

/* Tells whether one of the items is INT32_MIN, or negative where results have no sign. */
static inline bool exceeds_i32(__m128i a, bool has_sign)
{
    const __m128i least = _mm_set1_epi32(INT32_MIN),
                  wrong = has_sign ? _mm_cmpeq_epi32(a, least) : _mm_and_si128(a, least);
    return UNLIKELY(!_mm_testz_si128(wrong, wrong));
}

static inline __m256i u64_of(__m256d number)
{
    const __m256d x = _mm256_max_pd(number, _mm256_setzero_pd());
    const __m256d high = _mm256_cmp_pd(x, _mm256_set1_pd(0x1p64), _CMP_GE_OQ);
    const __m256d inside = _mm256_min_pd(x, _mm256_set1_pd(0x1.FFFFFFFFFFFFFp63));
    return _mm256_or_si256(halves_of(inside), _mm256_castpd_si256(high));
}

static NEVER_INLINE void i64_of_any(mem_u64 *o, __m256d x, bool has_sign)
{
    store_256(o, has_sign ? i64_of(x) : u64_of(x));
}

/* Most numbers fit in 32 bits, t, and are extended: NOTE [Indefinite]. */
static inline void store_i64(mem_u64 *o, __m128i t, __m256d x, bool has_sign)
{
    if (exceeds_i32(t, has_sign))
        i64_of_any(o, x, has_sign);
    else
        store_256(o, _mm256_cvtepi32_epi64(t));
}

static inline void i64_of_f64(mem_u64 *o, const mem_f64 *a, bool has_sign)
{
    const __m256d x = load_f64(a);
    store_i64(o, _mm256_cvttpd_epi32(x), x, has_sign);
}

static inline void i64_of_f32(mem_u64 *o, const mem_f32 *a, bool has_sign)
{
    const __m128 x = _mm_loadu_ps((const void *)a);
    store_i64(o, _mm_cvttps_epi32(x), _mm256_cvtps_pd(x), has_sign);
}

#define BLOCK_i64_FROM_f32 4
static inline void i64_block_from_f32(mem_i64 *o, const mem_f32 *a)
{
    i64_of_f32((mem_u64 *)o, a, true);
}
#define BLOCK_u64_FROM_f32 4
static inline void u64_block_from_f32(mem_u64 *o, const mem_f32 *a)
{
    i64_of_f32(o, a, false);
}

#define BLOCK_i64_FROM_f64 4
static inline void i64_block_from_f64(mem_i64 *o, const mem_f64 *a)
{
    i64_of_f64((mem_u64 *)o, a, true);
}

#define BLOCK_u64_FROM_f64 4
static inline void u64_block_from_f64(mem_u64 *o, const mem_f64 *a)
{
    i64_of_f64(o, a, false);
}
