/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vector layer for vectors of 16 bytes, written in the compiler's own vectors, which gcc and
 * clang turn into the shuffles and moves of every CPU that has such vectors. vN_loN and vN_hiN
 * interleave the low or high halves of two vectors in elements of N bytes; vN_lanes collects
 * 16-byte lanes from memory. A header of one CPU may define v16 and some functions before it
 * includes this one, and says so by the macros that are tested here. x86 is the only one whose
 * non-temporal stores pay, and compilers have no vectors for them.
 */
#pragma once

#include <stdint.h>
#include <string.h>
#if defined __SSE2__
#include <emmintrin.h>
#endif

#define HAVE_V16 1

typedef uint8_t v16_u8 __attribute__((vector_size(16)));
typedef uint16_t v16_u16 __attribute__((vector_size(16)));
typedef uint32_t v16_u32 __attribute__((vector_size(16)));
typedef uint64_t v16_u64 __attribute__((vector_size(16)));
#if defined __SSE2__
typedef __m128i v16;
#elif !defined HAVE_V16_TYPE
typedef v16_u8 v16;
#endif

#ifndef HAVE_V16_MOVES
static inline v16 v16_load(const char *p)
{
    v16 a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline void v16_store(char *p, v16 a)
{
    memcpy(p, &a, sizeof a);
}
#endif
static inline v16 v16_lanes(const char *p, const int64_t *at, int step)
{
    (void)step;
    return v16_load(p + at[0]);
}
/* These load 8 bytes from each of two addresses, and store to them. */
static inline v16 v16_halves(const char *low, const char *high)
{
    uint64_t a, b;
    memcpy(&a, low, sizeof a);
    memcpy(&b, high, sizeof b);
    return (v16)(v16_u64){a, b};
}
static inline void v16_store_halves(char *low, char *high, v16 a)
{
    const uint64_t l = ((v16_u64)a)[0], h = ((v16_u64)a)[1];
    memcpy(low, &l, sizeof l);
    memcpy(high, &h, sizeof h);
}

#ifdef __clang__
#define SHUFFLED(type, a, b, ...) __builtin_shufflevector((type)(a), (type)(b), __VA_ARGS__)
#else
#define SHUFFLED(type, a, b, ...) __builtin_shuffle((type)(a), (type)(b), (type){__VA_ARGS__})
#endif
#define INTERLEAVE(name, type, ...)                                                                \
    static inline v16 v16_##name(v16 a, v16 b)                                                     \
    {                                                                                              \
        return (v16)SHUFFLED(type, a, b, __VA_ARGS__);                                             \
    }
INTERLEAVE(lo1, v16_u8, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
INTERLEAVE(hi1, v16_u8, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
INTERLEAVE(lo2, v16_u16, 0, 8, 1, 9, 2, 10, 3, 11)
INTERLEAVE(hi2, v16_u16, 4, 12, 5, 13, 6, 14, 7, 15)
INTERLEAVE(lo4, v16_u32, 0, 4, 1, 5)
INTERLEAVE(hi4, v16_u32, 2, 6, 3, 7)
INTERLEAVE(lo8, v16_u64, 0, 2)
INTERLEAVE(hi8, v16_u64, 1, 3)
#undef INTERLEAVE
#undef SHUFFLED

/*
 * POWER and z permute bytes by an index in one instruction; where the index has its highest bit
 * set, the byte becomes 0.
 */
#if !defined HAVE_SHUFFLE && !defined __clang__ && (defined __VSX__ || defined __VEC__)
#define HAVE_SHUFFLE 1
static inline v16 v16_shuffle(v16 a, v16 index)
{
    const v16_u8 at = (v16_u8)index;
    return (v16)(__builtin_shuffle((v16_u8)a, at) & (v16_u8)(at < 128));
}
static inline v16 v16_or(v16 a, v16 b)
{
    return a | b;
}
#define v16_same_lanes v16_load
#endif

#if defined __SSE2__
#define v16_product4 _mm_mul_epu32
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
#else
/* The 64-bit products of the lower halves of the 64-bit items of a and b. */
#ifndef HAVE_V16_PRODUCT4
static inline v16 v16_product4(v16 a, v16 b)
{
    return (v16)(((v16_u64)a & UINT32_MAX) * ((v16_u64)b & UINT32_MAX));
}
#endif
/* Streaming is an ordinary store where the CPU has no other, or finds streams by itself. */
#define v16_stream v16_store
#include "vec_plain.h"
#endif
