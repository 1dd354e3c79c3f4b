/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extremes of vectors of 64 bytes, named by the type of their items. gcc makes the same
 * instructions of plain loops, but loads a vector anew for each that takes it, and a Zen 4 loads
 * one in a cycle: the largest of 32Ki f32 in cache took 1.8 us instead of 1.1.
 */
#ifndef STRIA_SIMD_EXTREME_AVX512_H
#define STRIA_SIMD_EXTREME_AVX512_H

#include "convert_level.h"

/* Keeps a vector in a register, whoever takes it. */
static ALWAYS_INLINE v64 v64_once(const char *p)
{
    v64 x = v64_load(p);
    __asm__("" : "+v"(x));
    return x;
}

static ALWAYS_INLINE v64 v64_max_int8_t(v64 a, v64 b)
{
    return _mm512_max_epi8(a, b);
}
static ALWAYS_INLINE v64 v64_max_int16_t(v64 a, v64 b)
{
    return _mm512_max_epi16(a, b);
}
static ALWAYS_INLINE v64 v64_max_int32_t(v64 a, v64 b)
{
    return _mm512_max_epi32(a, b);
}
static ALWAYS_INLINE v64 v64_max_int64_t(v64 a, v64 b)
{
    return _mm512_max_epi64(a, b);
}
static ALWAYS_INLINE v64 v64_max_uint8_t(v64 a, v64 b)
{
    return _mm512_max_epu8(a, b);
}
static ALWAYS_INLINE v64 v64_max_uint16_t(v64 a, v64 b)
{
    return _mm512_max_epu16(a, b);
}
static ALWAYS_INLINE v64 v64_max_uint32_t(v64 a, v64 b)
{
    return _mm512_max_epu32(a, b);
}
static ALWAYS_INLINE v64 v64_max_uint64_t(v64 a, v64 b)
{
    return _mm512_max_epu64(a, b);
}
static ALWAYS_INLINE v64 v64_min_uint8_t(v64 a, v64 b)
{
    return _mm512_min_epu8(a, b);
}
static ALWAYS_INLINE v64 v64_min_uint16_t(v64 a, v64 b)
{
    return _mm512_min_epu16(a, b);
}
static ALWAYS_INLINE v64 v64_min_uint32_t(v64 a, v64 b)
{
    return _mm512_min_epu32(a, b);
}
static ALWAYS_INLINE v64 v64_min_uint64_t(v64 a, v64 b)
{
    return _mm512_min_epu64(a, b);
}

#endif
