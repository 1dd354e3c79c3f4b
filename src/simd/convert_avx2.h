/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Block conversions written with AVX2 and F16C intrinsics: f16, for which compilers do not use the
 * instructions, and conversions whose clamping, comparing or packing compilers vectorize badly.
 * Each gives the same bits as number.h.
 *
 * <to>_block_from_<from> converts BLOCK_<to>_FROM_<from> items.
 */
#pragma once

#include <immintrin.h>

#include "convert_avx2_memory.h"
#include "convert_avx2_to_int.h"

/* ---- f64 to f32 for a second rounding: NOTE [Round to odd] ---------------------------------- */

static inline __m128i odd_quarter(__m256d x)
{
    const __m256d positive = _mm256_castsi256_pd(_mm256_set1_epi64x(INT64_MAX));
    const __m128 nearest = _mm256_cvtpd_ps(x);
    const __m256d back = _mm256_cvtps_pd(nearest);
    const __m256d above =
        _mm256_cmp_pd(_mm256_and_pd(back, positive), _mm256_and_pd(x, positive), _CMP_GT_OQ);
    const __m256d inexact = _mm256_cmp_pd(back, x, _CMP_NEQ_UQ);
    const __m128i cut =
        _mm_add_epi32(_mm_castps_si128(nearest), lower_halves(_mm256_castpd_si256(above)));
    const __m128i sticky =
        _mm_and_si128(lower_halves(_mm256_castpd_si256(inexact)), _mm_set1_epi32(1));
    return _mm_or_si128(cut, sticky);
}

static inline __m256 load_odd(const mem_f64 *p)
{
    return _mm256_castsi256_ps(join(odd_quarter(load_f64(p)), odd_quarter(load_f64(p + 4))));
}

/* ---- f16 and bf16 -------------------------------------------------------------------------- */

/*
 * Rounds to odd for f16 alone, as load_odd() does: the bits that f32 lacks are cut off before its
 * conversion, which is exact then, or gives what f16 has as infinity or zero.
 */
static inline __m128 odd_quarter_for_f16(__m256d x)
{
    const __m256i ones = _mm256_set1_epi64x((INT64_C(1) << 29) - 1), bits = _mm256_castpd_si256(x);
    const __m256i sticky = _mm256_add_epi64(_mm256_and_si256(bits, ones), ones);
    const __m256i odd = _mm256_andnot_si256(ones, _mm256_or_si256(bits, sticky));
    return _mm256_cvtpd_ps(_mm256_castsi256_pd(odd));
}

static inline __m256 load_odd_for_f16(const mem_f64 *p)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(odd_quarter_for_f16(load_f64(p))),
                                odd_quarter_for_f16(load_f64(p + 4)), 1);
}

static inline void store_f16(mem_f16 *o, __m256 x)
{
    store_128(o, _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* Deinterleaves words of 16 bits: a0 b0 a1 b1 ... becomes a0 a1 ... b0 b1 ... */
static inline __m256i take_apart(__m256i a)
{
    const __m256i halves = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0,
                                            1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    return in_order(_mm256_shuffle_epi8(a, halves));
}

/* The 16-bit halves of 16 items; each of the first 8 items is followed by one of the last 8. */
struct halves {
    __m256i upper, lower;
};

static inline struct halves halves_of_both(__m256 x, __m256 y)
{
    const __m256i a = _mm256_castps_si256(x), b = _mm256_castps_si256(y);
    return (struct halves){_mm256_blend_epi16(_mm256_srli_epi32(a, 16), b, 0xAA),
                           _mm256_blend_epi16(a, _mm256_slli_epi32(b, 16), 0xAA)};
}

/*
 * Unaligned loads that begin 2 bytes further on or further back replace the shifts of
 * halves_of_both(), because fewer execution units can shift than can load.
 */
static inline struct halves load_halves(const mem_f32 *p)
{
    const char *const a = (const char *)p, *const b = (const char *)(p + 8);
    return (struct halves){_mm256_blend_epi16(load_256(a + 2), load_256(b), 0xAA),
                           _mm256_blend_epi16(load_256(a), load_256(b - 2), 0xAA)};
}

/*
 * Rounds to the upper halves, to nearest even. 1 is added if the lower half exceeds 0x8000, or
 * equals it and the upper half is odd. Subtracting all ones adds 1.
 */
static inline __m256i rounded(struct halves h)
{
    const __m256i even = _mm256_andnot_si256(h.upper, _mm256_set1_epi16(1));
    const __m256i less = _mm256_subs_epu16(h.lower, even);
    return _mm256_sub_epi16(h.upper, _mm256_cmpgt_epi16(_mm256_setzero_si256(), less));
}

/* Rounds the items of x and y, whose halves are h, and keeps NaNs. */
static inline __m256i rounded_or_nan(struct halves h, __m256 x, __m256 y)
{
    const __m256i nan =
        _mm256_blend_epi16(_mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)),
                           _mm256_castps_si256(_mm256_cmp_ps(y, y, _CMP_UNORD_Q)), 0xAA);
    const __m256i quiet = _mm256_or_si256(h.upper, _mm256_set1_epi16(0x40));
    return _mm256_blendv_epi8(rounded(h), quiet, nan);
}

/*
 * Rounds and stores 32 items with the halves low and high. One test looks for NaNs, which are rare.
 */
static inline void store_bf16(mem_bf16 *o, struct halves low, struct halves high, __m256 a,
                              __m256 b, __m256 c, __m256 d)
{
    const bool nans = _mm256_movemask_ps(
        _mm256_or_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q), _mm256_cmp_ps(c, d, _CMP_UNORD_Q)));
    if (UNLIKELY(nans)) {
        store_256(o, take_apart(rounded_or_nan(low, a, b)));
        store_256(o + 16, take_apart(rounded_or_nan(high, c, d)));
    } else {
        store_256(o, take_apart(rounded(low)));
        store_256(o + 16, take_apart(rounded(high)));
    }
}

static inline void round_to_bf16(mem_bf16 *o, __m256 a, __m256 b, __m256 c, __m256 d)
{
    store_bf16(o, halves_of_both(a, b), halves_of_both(c, d), a, b, c, d);
}

#define BLOCK_bf16_FROM_f32 32
CONVERTS(bf16, f32, store_bf16, load_halves(a), load_halves(a + 16), vf_load(a), vf_load(a + 8),
         vf_load(a + 16), vf_load(a + 24))

/*
 * bf16_block_from_f32() for numbers that were stored just now: its unaligned loads would overlap
 * two stores each, which prevents store-to-load forwarding.
 */
static inline void bf16_block_from_new_f32(mem_bf16 *o, const mem_f32 *a)
{
    round_to_bf16(o, vf_load(a), vf_load(a + 8), vf_load(a + 16), vf_load(a + 24));
}

/* Compilers would load whole vectors and split them. */
#define BLOCK_f32_FROM_bf16 16
static inline void f32_block_from_bf16(mem_f32 *o, const mem_bf16 *a)
{
    for (int i = 0; i < BLOCK_f32_FROM_bf16; i += VF)
        vf_store(o + i, vf_load_bf16(a + i));
}

#define BLOCK_bf16_FROM_f64 32
CONVERTS(bf16, f64, round_to_bf16, load_odd(a), load_odd(a + 8), load_odd(a + 16), load_odd(a + 24))

/* ---- integers of 64 bits to float ---------------------------------------------------------- */

/*
 * Builds two doubles from the bits of the halves: 2^52 plus the lower half, and 2^84 plus 2^32
 * times the upper half, to which 2^31 is added if x is signed. Everything is exact until the last
 * addition rounds.
 */
static inline __m256d f64_of_64(__m256i x, bool has_sign)
{
    const int64_t high = INT64_C(0x4530000000000000) + (has_sign ? INT64_C(0x80000000) : 0);
    const double offset = 0x1p84 + 0x1p52 + (has_sign ? 0x1p63 : 0);
    const __m256i lower = _mm256_blend_epi32(x, _mm256_set1_epi64x(0x4330000000000000), 0xAA);
    const __m256i upper = _mm256_xor_si256(_mm256_srli_epi64(x, 32), _mm256_set1_epi64x(high));
    const __m256d rest = _mm256_sub_pd(_mm256_castsi256_pd(upper), _mm256_set1_pd(offset));
    return _mm256_add_pd(rest, _mm256_castsi256_pd(lower));
}

/* Returns a nonzero item for each integer of more than 53 bits, which f64 may not represent. */
static inline __m256i beyond_2_53(__m256i x, bool has_sign)
{
    if (!has_sign) return _mm256_srli_epi64(x, 53);
    return _mm256_srli_epi64(_mm256_add_epi64(x, _mm256_set1_epi64x(INT64_C(1) << 53)), 54);
}

/* This is i64_odd() or u64_odd() of number.h for a vector. */
static inline __m256i odd_of_64(__m256i x, bool has_sign)
{
    const __m256i ones = _mm256_set1_epi64x(0x7FF), low = _mm256_and_si256(x, ones);
    const __m256i odd = _mm256_andnot_si256(ones, _mm256_or_si256(x, _mm256_add_epi64(low, ones)));
    const __m256i within = _mm256_cmpeq_epi64(beyond_2_53(x, has_sign), _mm256_setzero_si256());
    return _mm256_blendv_epi8(odd, x, within);
}

static inline __m256i f32_of_both(__m256d x, __m256d y)
{
    return join(_mm_castps_si128(_mm256_cvtpd_ps(x)), _mm_castps_si128(_mm256_cvtpd_ps(y)));
}

/* The slow path: numbers that must be rounded to odd, or exceed the range of the fast path. */
static NEVER_INLINE void f32_of_large(mem_f32 *o, const mem_u64 *a, bool has_sign)
{
    for (int i = 0; i < 16; i += 8) {
        const __m256i x = odd_of_64(load_256(a + i), has_sign);
        const __m256i y = odd_of_64(load_256(a + i + 4), has_sign);
        store_256(o + i, f32_of_both(f64_of_64(x, has_sign), f64_of_64(y, has_sign)));
    }
}

/*
 * A number below 2^52 (if signed, within 2^51 of 0) is converted exactly by adding it to the bits
 * of 2^52 (2^52 + 2^51) and subtracting that value. Larger numbers are rare and take the slow path.
 */
static inline void f32_of_wide(mem_f32 *o, const mem_u64 *a, bool has_sign)
{
    const int64_t middle = has_sign ? INT64_C(1) << 51 : 0;
    const __m256d base = _mm256_set1_pd(0x1p52 + (double)middle);
    const __m256i exponent = _mm256_castpd_si256(_mm256_set1_pd(0x1p52));
    __m256i all = _mm256_setzero_si256();
    __m256d x[4];
    for (int i = 0; i < 4; i++) {
        const __m256i above = _mm256_add_epi64(load_256(a + 4 * i), _mm256_set1_epi64x(middle));
        all = _mm256_or_si256(all, above);
        x[i] = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(above, exponent)), base);
    }
    if (UNLIKELY(!_mm256_testz_si256(all, _mm256_set1_epi64x(-(INT64_C(1) << 52))))) {
        f32_of_large(o, a, has_sign);
        return;
    }
    store_256(o, f32_of_both(x[0], x[1]));
    store_256(o + 8, f32_of_both(x[2], x[3]));
}

static inline __m256i f32_of_lower_halves(__m256i x, __m256i y)
{
    const __m256 low = _mm256_shuffle_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), 0x88);
    return _mm256_castps_si256(_mm256_cvtepi32_ps(in_order(_mm256_castps_si256(low))));
}

/* Most numbers fit in i32, and then only their lower halves need to be converted. */
static inline void f32_of_64(mem_f32 *o, const mem_u64 *a, bool has_sign)
{
    const int64_t middle = has_sign ? INT64_C(1) << 31 : 0;
    const int64_t beyond = -(INT64_C(1) << (has_sign ? 32 : 31));
    __m256i x[4], all = _mm256_setzero_si256();
    for (int i = 0; i < 4; i++) {
        x[i] = load_256(a + 4 * i);
        all = _mm256_or_si256(all, _mm256_add_epi64(x[i], _mm256_set1_epi64x(middle)));
    }
    if (UNLIKELY(!_mm256_testz_si256(all, _mm256_set1_epi64x(beyond)))) {
        f32_of_wide(o, a, has_sign);
        return;
    }
    store_256(o, f32_of_lower_halves(x[0], x[1]));
    store_256(o + 8, f32_of_lower_halves(x[2], x[3]));
}

#define BLOCK_f32_FROM_i64 16
CONVERTS(f32, i64, f32_of_64, (const mem_u64 *)a, true)
#define BLOCK_f32_FROM_u64 16
CONVERTS(f32, u64, f32_of_64, a, false)
#define BLOCK_f64_FROM_i64 4
CONVERTS(f64, i64, store_256, _mm256_castpd_si256(f64_of_64(load_256(a), true)))
#define BLOCK_f64_FROM_u64 4
CONVERTS(f64, u64, store_256, _mm256_castpd_si256(f64_of_64(load_256(a), false)))

static inline __m256 load_odd_64(const mem_u64 *p, bool has_sign)
{
    const __m256d low = f64_of_64(odd_of_64(load_256(p), has_sign), has_sign);
    const __m256d high = f64_of_64(odd_of_64(load_256(p + 4), has_sign), has_sign);
    return _mm256_castsi256_ps(join(odd_quarter(low), odd_quarter(high)));
}

static inline void bf16_of_64(mem_bf16 *o, const mem_u64 *a, bool has_sign)
{
    round_to_bf16(o, load_odd_64(a, has_sign), load_odd_64(a + 8, has_sign),
                  load_odd_64(a + 16, has_sign), load_odd_64(a + 24, has_sign));
}

#define BLOCK_bf16_FROM_i64 32
CONVERTS(bf16, i64, bf16_of_64, (const mem_u64 *)a, true)
#define BLOCK_bf16_FROM_u64 32
CONVERTS(bf16, u64, bf16_of_64, a, false)

/* ---- floats of 8 bits ---------------------------------------------------------------------- */

/*
 * These go through f16. An e5m2 is the upper byte of an f16. The magnitude of an e4m3, shifted by 7
 * bits, is an f16 whose exponent is too small by 8, which the multiplication by 256 corrects.
 */
#define BLOCK_f32_FROM_f8e5m2 8
static inline void f32_block_from_f8e5m2(mem_f32 *o, const mem_f8e5m2 *a)
{
    const __m128i wide = _mm_cvtepu8_epi16(_mm_loadl_epi64((const void *)a));
    store_256(o, _mm256_castps_si256(_mm256_cvtph_ps(_mm_slli_epi16(wide, 8))));
}

#define BLOCK_f32_FROM_f8e4m3 8
static inline void f32_block_from_f8e4m3(mem_f32 *o, const mem_f8e4m3 *a)
{
    const __m128i wide = _mm_cvtepi8_epi16(_mm_loadl_epi64((const void *)a));
    const __m128i magnitude = _mm_and_si128(wide, _mm_set1_epi16(0x7F));
    const __m128i sign = _mm_and_si128(wide, _mm_set1_epi16((short)0x8000));
    const __m128i half = _mm_or_si128(_mm_slli_epi16(magnitude, 7), sign);
    const __m128i nan = _mm_cmpeq_epi16(magnitude, _mm_set1_epi16(0x7F));
    const __m256 x = _mm256_mul_ps(_mm256_cvtph_ps(half), _mm256_set1_ps(256));
    const __m256i special =
        _mm256_and_si256(_mm256_cvtepi16_epi32(nan), _mm256_set1_epi32(0x7F800000));
    store_256(o, _mm256_or_si256(_mm256_castps_si256(x), special));
}

#include "convert_x86.h"
