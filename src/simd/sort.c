/* SPDX-License-Identifier: BSD-3-Clause */
/* The sort kernels of one level (level.h). */
#include "sort.h"

#include "level.h"
#include "number.h"

/* ---- keys ------------------------------------------------------------------------------------ */

/*
 * Numbers of BITS bits and their keys of WIDE bits. A float with a sign has the bits of its
 * magnitude flipped, so keys are ordered as signs and magnitudes are.
 */
#define KEYS(BITS, WIDE)                                                                           \
    static bool to_keys_##BITS(void *to, const char *from, int64_t n, const struct key_form *form) \
    {                                                                                              \
        typedef uint##BITS##_t word;                                                               \
        const word top = (word)form->top, less = (word)form->less, flip = (word)form->flip;        \
        const word magnitude = (word)form->magnitude;                                              \
        const int##BITS##_t infinity = (int##BITS##_t)form->infinity, zero = INT##BITS##_MIN;      \
        const mem_i##BITS *const in = (const void *)from;                                          \
        mem_i##WIDE *const out = to;                                                               \
        int##BITS##_t odd = 0;                                                                     \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const int##BITS##_t x = in[i];                                                         \
            const word sign = (word)(x >> (BITS - 1)), least = (word)((word)x ^ top);              \
            odd |= (x & INT##BITS##_MAX) > infinity ? -1 : 0;                                      \
            odd |= x == zero ? -1 : 0;                                                             \
            out[i] = (int##BITS##_t)(((word)(least - less) ^ flip) ^ (sign & magnitude));          \
        }                                                                                          \
        return odd != 0;                                                                           \
    }                                                                                              \
    static NEVER_INLINE void to_numbers_##BITS(void *to, const void *keys, int64_t n,              \
                                               const struct key_form *form)                        \
    {                                                                                              \
        typedef uint##BITS##_t word;                                                               \
        const word top = (word)form->top, less = (word)form->less, flip = (word)form->flip;        \
        const word magnitude = (word)form->magnitude;                                              \
        const mem_u##WIDE *const in = keys;                                                        \
        mem_u##BITS *const out = to;                                                               \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const word x = (word)((word)in[i] ^ flip);                                             \
            const word sign = (word)((int##BITS##_t)x >> (BITS - 1));                              \
            out[i] = (word)(((word)(x + less) ^ top) ^ (sign & magnitude));                        \
        }                                                                                          \
    }
KEYS(8, 32)
KEYS(16, 32)
KEYS(32, 32)
KEYS(64, 64)

/* Levels without vectors for keys of a size divide them one by one. */
#define SPLIT(BITS)                                                                                \
    static int64_t split_##BITS(void *at, int64_t n, int64_t pivot)                                \
    {                                                                                              \
        mem_i##BITS *const keys = at;                                                              \
        int64_t count = 0;                                                                         \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const int##BITS##_t key = keys[i];                                                     \
            keys[i] = keys[count];                                                                 \
            keys[count] = key;                                                                     \
            count += key < pivot;                                                                  \
        }                                                                                          \
        return count;                                                                              \
    }

/* ---- vectors --------------------------------------------------------------------------------- */

enum { ROWS = 16 /* vectors that are sorted at once */, UNROLLED = 8, MANY = 4096 };

#if defined HAVE_V64
enum { VECTOR = 64 };
#elif defined HAVE_V32
enum { VECTOR = 32 };
#else
enum { VECTOR = 16 };
#endif

#define EACH_ROW_OF_8(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7)
#define EACH_ROW(f)      EACH_ROW_OF_8(f) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)

/* Networks of the fewest comparisons that are known: of 16 by Green. */
#define NETWORK_4(f) f(0, 1) f(2, 3) f(0, 2) f(1, 3) f(1, 2)
#define NETWORK_8(f)                                                                               \
    f(0, 1) f(2, 3) f(4, 5) f(6, 7) f(0, 2) f(1, 3) f(4, 6) f(5, 7) f(1, 2) f(5, 6) f(0, 4)        \
        f(3, 7) f(1, 5) f(2, 6) f(1, 4) f(3, 6) f(2, 4) f(3, 5) f(3, 4)
#define NETWORK_16(f)                                                                              \
    f(0, 1) f(2, 3) f(4, 5) f(6, 7) f(8, 9) f(10, 11) f(12, 13) f(14, 15) f(0, 2) f(1, 3) f(4, 6)  \
        f(5, 7) f(8, 10) f(9, 11) f(12, 14) f(13, 15) f(0, 4) f(1, 5) f(2, 6) f(3, 7) f(8, 12)     \
            f(9, 13) f(10, 14) f(11, 15) f(0, 8) f(1, 9) f(2, 10) f(3, 11) f(4, 12) f(5, 13)       \
                f(6, 14) f(7, 15) f(5, 10) f(6, 9) f(3, 12) f(13, 14) f(4, 8) f(7, 11) f(1, 2)     \
                    f(1, 4) f(7, 13) f(2, 8) f(11, 14) f(2, 4) f(5, 6) f(9, 10) f(11, 13) f(3, 8)  \
                        f(7, 12) f(6, 8) f(10, 12) f(3, 5) f(7, 9) f(3, 4) f(5, 6) f(7, 8)         \
                            f(9, 10) f(11, 12) f(6, 7) f(8, 9)

/* Lane c of a shuffle of two vectors of w lanes, of which those of the second begin at w. */
#define SWAPPED(c, w, m) (((c) ^ (m)) & ((w)-1))
#define PICKED(c, w, d)  ((c) & (d) ? (w) + (c) : (c))
#define FIRSTS(c, w, d)  ((c) & (d) ? (w) + ((c) ^ (d)) : (c))
#define SECONDS(c, w, d) ((c) & (d) ? (w) + (c) : ((c) ^ (d)) & ((w)-1))

#define LANES_2(f, w, d) f(0, w, d), f(1, w, d)
#define LANES_4(f, w, d) LANES_2(f, w, d), f(2, w, d), f(3, w, d)
#define LANES_8(f, w, d) LANES_4(f, w, d), f(4, w, d), f(5, w, d), f(6, w, d), f(7, w, d)
#define LANES_16(f, w, d)                                                                          \
    LANES_8(f, w, d), f(8, w, d), f(9, w, d), f(10, w, d), f(11, w, d), f(12, w, d), f(13, w, d),  \
        f(14, w, d), f(15, w, d)

#ifdef __clang__
#define SHUFFLED(a, b, lanes, w, f, d) __builtin_shufflevector(a, b, lanes(f, w, d))
#else
#define SHUFFLED(a, b, lanes, w, f, d) __builtin_shuffle(a, b, (N(vi)){lanes(f, w, d)})
#endif

/* ---- levels ---------------------------------------------------------------------------------- */

#if defined HAVE_V32 || defined STRIA_ISA_NEON
/* The place of lane i where lanes with a bit in m come first, then those without. */
#define BELOW(m, i) __builtin_popcount((m) & ((1 << (i)) - 1))
#define PLACE(m, i) ((m) >> (i)&1 ? BELOW(m, i) : __builtin_popcount(m) + (i)-BELOW(m, i))
#endif

#if defined HAVE_V32
/* Four bits for each of 8 lanes: those with a bit in the number of the entry, then the others. */
#define LANE_AT(m, i) ((uint32_t)(i) << 4 * PLACE(m, i))
#define LANES_OF(m)                                                                                \
    LANE_AT(m, 0) | LANE_AT(m, 1) | LANE_AT(m, 2) | LANE_AT(m, 3) | LANE_AT(m, 4) |                \
        LANE_AT(m, 5) | LANE_AT(m, 6) | LANE_AT(m, 7)
#define LANES_OF_4(m)  LANES_OF(m), LANES_OF((m) + 1), LANES_OF((m) + 2), LANES_OF((m) + 3)
#define LANES_OF_16(m) LANES_OF_4(m), LANES_OF_4((m) + 4), LANES_OF_4((m) + 8), LANES_OF_4((m) + 12)
#define LANES_OF_64(m)                                                                             \
    LANES_OF_16(m), LANES_OF_16((m) + 16), LANES_OF_16((m) + 32), LANES_OF_16((m) + 48)
static const uint32_t lanes_of[256] = {LANES_OF_64(0), LANES_OF_64(64), LANES_OF_64(128),
                                       LANES_OF_64(192)};

/* Puts lanes that are less than the pivot first; returns how many there are. */
static ALWAYS_INLINE int lesser_first_of_8(__m256i *x, __m256i less)
{
    const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(less));
    const __m256i lanes = _mm256_srlv_epi32(_mm256_set1_epi32((int)lanes_of[mask]), shifts);
    *x = _mm256_permutevar8x32_epi32(*x, lanes);
    return __builtin_popcount(mask);
}

static ALWAYS_INLINE int lesser_first_32(__m256i *x, __m256i pivot)
{
    return lesser_first_of_8(x, _mm256_cmpgt_epi32(pivot, *x));
}
#endif

#if defined HAVE_V64
/*
 * The lanes c with c & d. Permutations of one vector and masks need fewer copies of registers than
 * permutations of two, which are written over their indices.
 */
static ALWAYS_INLINE __mmask16 lanes_with(int d)
{
    return (__mmask16)(d == 1 ? 0xAAAA : d == 2 ? 0xCCCC : d == 4 ? 0xF0F0 : 0xFF00);
}

static ALWAYS_INLINE int lesser_first_64(__m512i *x, __m512i pivot)
{
    const __m512i shifts = _mm512_setr_epi64(0, 4, 8, 12, 16, 20, 24, 28);
    const unsigned mask = _mm512_cmpgt_epi64_mask(pivot, *x);
    const __m512i lanes = _mm512_srlv_epi64(_mm512_set1_epi64(lanes_of[mask]), shifts);
    *x = _mm512_permutexvar_epi64(lanes, *x);
    return __builtin_popcount(mask);
}
#elif defined HAVE_V32
static ALWAYS_INLINE int lesser_first_64(__m256i *x, __m256i pivot)
{
    return lesser_first_of_8(x, _mm256_cmpgt_epi64(pivot, *x)) / 2;
}
/* gcc 12 compares the mask of a blend of bytes with 0 first. */
static ALWAYS_INLINE __m256i least_64(__m256i a, __m256i b, __m256i more)
{
    return _mm256_castpd_si256(_mm256_blendv_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b),
                                                _mm256_castsi256_pd(more)));
}
static ALWAYS_INLINE __m256i min_64(__m256i a, __m256i b)
{
    return least_64(a, b, _mm256_cmpgt_epi64(a, b));
}
static ALWAYS_INLINE __m256i max_64(__m256i a, __m256i b)
{
    return least_64(b, a, _mm256_cmpgt_epi64(a, b));
}
#elif defined STRIA_ISA_NEON
/* The bytes of 4 lanes, in the same order. */
#define LANE_IF(m, i, k) (PLACE(m, i) == (k) ? 0x03020100 + 0x04040404 * (i) : 0)
#define LANE_AT(m, k)    LANE_IF(m, 0, k) + LANE_IF(m, 1, k) + LANE_IF(m, 2, k) + LANE_IF(m, 3, k)
#define LANES_OF(m)                                                                                \
    {                                                                                              \
        LANE_AT(m, 0), LANE_AT(m, 1), LANE_AT(m, 2), LANE_AT(m, 3)                                 \
    }
#define LANES_OF_4(m) LANES_OF(m), LANES_OF((m) + 1), LANES_OF((m) + 2), LANES_OF((m) + 3)
static const uint32_t lanes_of[16][4] = {LANES_OF_4(0), LANES_OF_4(4), LANES_OF_4(8),
                                         LANES_OF_4(12)};

/* Puts lanes that are less than the pivot first; returns how many lanes of 4 bytes these are. */
static ALWAYS_INLINE int lesser_first_of_4(uint32x4_t *x, uint32x4_t less)
{
    static const uint32_t bits[4] = {1, 2, 4, 8};
    const unsigned mask = vaddvq_u32(vandq_u32(less, vld1q_u32(bits)));
    const uint8x16_t lanes = vreinterpretq_u8_u32(vld1q_u32(lanes_of[mask]));
    *x = vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(*x), lanes));
    return __builtin_popcount(mask);
}
#endif

/* ---- keys of 4 bytes, and of 8 --------------------------------------------------------------- */

#if defined HAVE_V32 || defined STRIA_ISA_NEON
#define BITS 32
#if defined HAVE_V64
#define PART                   32
#define SHUFFLE(a, b, f, d)    SHUFFLED(a, b, LANES_16, 16, f, d)
#define PICK(a, b, d)          _mm512_mask_blend_epi32(lanes_with(d), (__m512i)(a), (__m512i)(b))
#define MIN(a, b)              _mm512_min_epi32((__m512i)(a), (__m512i)(b))
#define MAX(a, b)              _mm512_max_epi32((__m512i)(a), (__m512i)(b))
#define LESSER_FIRST(x, pivot) lesser_first_32((__m256i *)(x), (__m256i)(pivot))
#elif defined HAVE_V32
#define PART                   32
#define SHUFFLE(a, b, f, d)    SHUFFLED(a, b, LANES_8, 8, f, d)
#define MIN(a, b)              _mm256_min_epi32((__m256i)(a), (__m256i)(b))
#define MAX(a, b)              _mm256_max_epi32((__m256i)(a), (__m256i)(b))
#define LESSER_FIRST(x, pivot) lesser_first_32((__m256i *)(x), (__m256i)(pivot))
#else
#define PART                   16
#define SHUFFLE(a, b, f, d)    SHUFFLED(a, b, LANES_4, 4, f, d)
#define MIN                    vminq_s32
#define MAX                    vmaxq_s32
#define LESSER_FIRST(x, pivot) lesser_first_of_4((uint32x4_t *)(x), (uint32x4_t)(*(x) < (pivot)))
#endif
#include "sort.inc"
#else
SPLIT(32)
#endif

#if defined HAVE_V32
#define BITS 64
#if defined HAVE_V64
#define PART                   64
#define SHUFFLE(a, b, f, d)    SHUFFLED(a, b, LANES_8, 8, f, d)
#define MIN(a, b)              _mm512_min_epi64((__m512i)(a), (__m512i)(b))
#define MAX(a, b)              _mm512_max_epi64((__m512i)(a), (__m512i)(b))
#define LESSER_FIRST(x, pivot) lesser_first_64((__m512i *)(x), (__m512i)(pivot))
#elif defined HAVE_V32
#define PART                   32
#define SHUFFLE(a, b, f, d)    SHUFFLED(a, b, LANES_4, 4, f, d)
#define MIN(a, b)              min_64((__m256i)(a), (__m256i)(b))
#define MAX(a, b)              max_64((__m256i)(a), (__m256i)(b))
#define LESSER_FIRST(x, pivot) lesser_first_64((__m256i *)(x), (__m256i)(pivot))
#endif
#include "sort.inc"
#else
SPLIT(64)
#endif

#if defined HAVE_V32 && !defined HAVE_V64
#define BITS 64
#define REAL
#define PART                   32
#define SHUFFLE(a, b, f, d)    SHUFFLED(a, b, LANES_4, 4, f, d)
#define MIN(a, b)              _mm256_min_pd((__m256d)(a), (__m256d)(b))
#define MAX(a, b)              _mm256_max_pd((__m256d)(a), (__m256d)(b))
#define LESSER_FIRST(x, pivot) (lesser_first_of_8((__m256i *)(x), (__m256i)(*(x) < (pivot))) / 2)
#include "sort.inc"
#endif

extern const struct sort_kernels TABLE(stria__sort_);
const struct sort_kernels TABLE(stria__sort_) = {
    .to_keys = {to_keys_8, to_keys_16, to_keys_32, to_keys_64},
    .to_numbers = {to_numbers_8, to_numbers_16, to_numbers_32, to_numbers_64},
    .radix_bits = VECTOR == 64 ? 22 : 33,
#if defined HAVE_V64
    .sort = {sort_32, sort_64},
    .sort_rows = {sort_rows_32, sort_rows_64},
#elif defined HAVE_V32
    .sort = {sort_32, sort_64, sort_real},
    .sort_rows = {sort_rows_32, sort_rows_64, sort_rows_real},
#elif defined STRIA_ISA_NEON
    .sort = {sort_32},
    .sort_rows = {sort_rows_32},
#endif
    .split = {split_32, split_64},
};
