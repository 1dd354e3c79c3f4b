/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vector layer for 512-bit x86 vectors, which are four lanes of 16 bytes: a whole cache line.
 */
#pragma once

#include "vec_avx2.h"

#define HAVE_V64 1

typedef __m512i v64;

#define v64_load  _mm512_loadu_si512
#define v64_store _mm512_storeu_si512
/*
 * Shift 16-bit items by individual counts. A count of 16 or more, read as unsigned, leaves 0, or
 * copies of the sign bit for right shifts of signed items.
 */
#define HAVE_SHIFTS_i16 1
#define HAVE_SHIFTS_u16 1
#define v32_left_i16    _mm256_sllv_epi16
#define v32_right_i16   _mm256_srav_epi16
#define v32_left_u16    _mm256_sllv_epi16
#define v32_right_u16   _mm256_srlv_epi16
/*
 * v64_put_N stores the items of N bytes whose mask bit is set. The others are not accessed and may
 * be unmapped.
 */
#define HAVE_PUT  1
#define v64_put_1 _mm512_mask_storeu_epi8
static inline void v64_put_2(char *p, uint64_t mask, v64 a)
{
    _mm512_mask_storeu_epi16(p, (__mmask32)mask, a);
}
static inline void v64_put_4(char *p, uint64_t mask, v64 a)
{
    _mm512_mask_storeu_epi32(p, (__mmask16)mask, a);
}
static inline void v64_put_8(char *p, uint64_t mask, v64 a)
{
    _mm512_mask_storeu_epi64(p, (__mmask8)mask, a);
}
/* Returns a bit for each byte, which is set unless the byte is 0. */
static inline uint64_t v64_true_bytes(const char *p)
{
    const v64 bytes = v64_load(p);
    return _mm512_test_epi8_mask(bytes, bytes);
}
/* Loads the bytes whose mask bit is set, and zeros for the others, which are not accessed. */
static inline v64 v64_load_masked(const char *p, uint64_t mask)
{
    return _mm512_maskz_loadu_epi8(mask, p);
}
/* Returns a mask of the first n bytes of a vector, for any n. */
static inline uint64_t v64_first(int64_t n)
{
    return n <= 0 ? 0 : n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}
static inline void v64_stream(char *p, v64 a)
{
    _mm512_stream_si512((__m512i *)(void *)p, a);
}
/* Lanes are joined in halves: if inserted one by one, each would wait for the one before. */
static inline v64 v64_lanes(const char *p, const int64_t *at, int step)
{
    const __m256i low = v32_lanes(p, at, step), high = v32_lanes(p, at + 2 * step, step);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
/* That wait does not matter for lines in the first-level cache; this needs fewer shuffles. */
static inline v64 v64_near_lanes(const char *p, const int64_t *at, int step)
{
    const v64 low = _mm512_castsi256_si512(v32_lanes(p, at, step)),
              third = _mm512_mask_broadcast_i32x4(low, 0x0f00, v16_load(p + at[2 * step]));
    return _mm512_mask_broadcast_i32x4(third, 0xf000, v16_load(p + at[3 * step]));
}
/* Loads two halves; the asm keeps compilers from merging adjacent ones into one load. */
static inline v64 v64_halves(const char *low, const char *high)
{
    v32 first = v32_load(low);
    __asm__("" : "+v"(first));
    return _mm512_inserti64x4(_mm512_castsi256_si512(first), v32_load(high), 1);
}
#define v64_shuffle _mm512_shuffle_epi8
#define v64_or      _mm512_or_si512
/* Replaces the words of `all` whose mask bit is set by words at[i] of a. */
#define HAVE_PLACED 1
static inline v64 v64_placed_2(v64 all, uint32_t mask, v64 at, v64 a)
{
    return _mm512_mask_permutexvar_epi16(all, mask, at, a);
}
/* Returns the last n bytes of a followed by the first bytes of b; 0 < n < 64. */
static inline v64 v64_joined(v64 a, v64 b, int n)
{
    const __m512i counted =
        _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13,
                         12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i at = _mm512_add_epi16(counted, _mm512_set1_epi16((short)((64 - n) / 2)));
    const __m512i pairs = _mm512_permutex2var_epi16(a, at, b);
    if (n % 2 == 0) return pairs;
    const __m512i later = _mm512_add_epi16(at, _mm512_set1_epi16(1));
    return _mm512_or_si512(_mm512_srli_epi16(pairs, 8),
                           _mm512_slli_epi16(_mm512_permutex2var_epi16(a, later, b), 8));
}
/* Item i of the result is item at[i] of the concatenation of a and b. */
#define v64_pick_2 _mm512_permutex2var_epi16
#define v64_pick_4 _mm512_permutex2var_epi32
#define v64_pick_8 _mm512_permutex2var_epi64
static inline v64 v64_same_lanes(const char *p)
{
    return _mm512_broadcast_i32x4(v16_load(p));
}
#define v64_lo1      _mm512_unpacklo_epi8
#define v64_hi1      _mm512_unpackhi_epi8
#define v64_lo2      _mm512_unpacklo_epi16
#define v64_hi2      _mm512_unpackhi_epi16
#define v64_lo4      _mm512_unpacklo_epi32
#define v64_hi4      _mm512_unpackhi_epi32
#define v64_lo8      _mm512_unpacklo_epi64
#define v64_hi8      _mm512_unpackhi_epi64
#define v64_product4 _mm512_mul_epu32

static inline int64_t *v64_find(int64_t *out, const char *mask, int64_t first)
{
    const uint64_t all = v64_true_bytes(mask);
    v64 at = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    for (int k = 0; k < 64; k += 8) {
        const __mmask8 m = (__mmask8)(all >> k);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(m, at));
        out += __builtin_popcount(m);
        at = _mm512_add_epi64(at, _mm512_set1_epi64(8));
    }
    return out;
}

/*
 * Compress and expand: MASKED items with as many mask bytes move to or from adjacent items. Both
 * return the number of true bytes. They may write or read up to MASKED adjacent items. Items of 1
 * and 2 bytes are moved as items of 4.
 */
#define HAVE_COMPRESS 1
enum { MASKED = 16 };

static inline __mmask16 v_mask(const char *mask)
{
    const __m128i bytes = v16_load(mask);
    return _mm_test_epi8_mask(bytes, bytes);
}
static inline int v_compress_1(char *out, const char *in, const char *mask)
{
    const __mmask16 m = v_mask(mask);
    const v64 a = _mm512_maskz_compress_epi32(m, _mm512_cvtepu8_epi32(v16_load(in)));
    v16_store(out, _mm512_cvtepi32_epi8(a));
    return __builtin_popcount(m);
}
static inline int v_compress_2(char *out, const char *in, const char *mask)
{
    const __mmask16 m = v_mask(mask);
    const v64 a = _mm512_maskz_compress_epi32(m, _mm512_cvtepu16_epi32(v32_load(in)));
    v32_store(out, _mm512_cvtepi32_epi16(a));
    return __builtin_popcount(m);
}
static inline int v_compress_4(char *out, const char *in, const char *mask)
{
    const __mmask16 m = v_mask(mask);
    v64_store(out, _mm512_maskz_compress_epi32(m, v64_load(in)));
    return __builtin_popcount(m);
}
static inline int v_compress_8(char *out, const char *in, const char *mask)
{
    const __mmask16 m = v_mask(mask);
    const int first = __builtin_popcount(m & 255);
    v64_store(out, _mm512_maskz_compress_epi64((__mmask8)m, v64_load(in)));
    v64_store(out + first * 8, _mm512_maskz_compress_epi64((__mmask8)(m >> 8), v64_load(in + 64)));
    return __builtin_popcount(m);
}
static inline int v_expand_1(char *out, const char *in, const char *mask)
{
    const __mmask16 m = v_mask(mask);
    const v64 a = _mm512_cvtepu8_epi32(v16_load(in)), old = _mm512_cvtepu8_epi32(v16_load(out));
    v16_store(out, _mm512_cvtepi32_epi8(_mm512_mask_expand_epi32(old, m, a)));
    return __builtin_popcount(m);
}
static inline int v_expand_2(char *out, const char *in, const char *mask)
{
    const __mmask16 m = v_mask(mask);
    const v64 a = _mm512_cvtepu16_epi32(v32_load(in)), old = _mm512_cvtepu16_epi32(v32_load(out));
    v32_store(out, _mm512_cvtepi32_epi16(_mm512_mask_expand_epi32(old, m, a)));
    return __builtin_popcount(m);
}
static inline int v_expand_4(char *out, const char *in, const char *mask)
{
    const __mmask16 m = v_mask(mask);
    v64_store(out, _mm512_mask_expand_epi32(v64_load(out), m, v64_load(in)));
    return __builtin_popcount(m);
}
static inline int v_expand_8(char *out, const char *in, const char *mask)
{
    const __mmask16 m = v_mask(mask);
    const int first = __builtin_popcount(m & 255);
    const __mmask8 low = (__mmask8)m, high = (__mmask8)(m >> 8);
    const v64 a = v64_load(in), b = v64_load(in + first * 8);
    v64_store(out, _mm512_mask_expand_epi64(v64_load(out), low, a));
    v64_store(out + 64, _mm512_mask_expand_epi64(v64_load(out + 64), high, b));
    return __builtin_popcount(m);
}
