/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of f32 of 512 bits: the operations that are special to AVX-512, see vf.h. */
#pragma once

#define VF            16
#define VF_TABLE_BITS 5
#define VF_RSQRT_OFF  0x1p-14F

#define VF_OP(name)     _mm512_##name
#define vf_rsqrt_nearly _mm512_rsqrt14_ps

typedef __m512 vf;
typedef __mmask16 vm;

static ALWAYS_INLINE vf vf_load_f16(const mem_f16 *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const void *)p));
}
static ALWAYS_INLINE vf vf_load_bf16(const mem_bf16 *p)
{
    const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)p));
    return (vf)_mm512_slli_epi32(wide, 16);
}
/* Rounds a result between two f32 to both of them and takes the one that is odd. */
#define HAVE_VF_ODD 1
static ALWAYS_INLINE vf vf_fma_odd(vf a, vf b, vf c)
{
    const vf below = _mm512_fmadd_round_ps(a, b, c, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const vf above = _mm512_fmadd_round_ps(a, b, c, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    const vm odd = _mm512_test_epi32_mask((__m512i)below, _mm512_set1_epi32(1));
    return _mm512_mask_mov_ps(above, odd, below);
}
static ALWAYS_INLINE vm vf_difference_is_rounded(vf a, vf b)
{
    const vf below = _mm512_sub_round_ps(a, b, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const vf above = _mm512_sub_round_ps(a, b, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    return _mm512_cmp_ps_mask(below, above, _CMP_NEQ_UQ);
}
static ALWAYS_INLINE vf vf_in_order(vf a)
{
    return (vf)_mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), (__m512i)a);
}
static ALWAYS_INLINE vf vf_lookup(const float *table, vu at)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)at, _mm512_loadu_ps(table + 16));
}
#define vf_compare(a, b, how) _mm512_cmp_ps_mask(a, b, how)
static ALWAYS_INLINE vm vs_not_below(vs a, int32_t b)
{
    return _mm512_cmpge_epi32_mask((__m512i)a, _mm512_set1_epi32(b));
}
static ALWAYS_INLINE vm vm_or(vm a, vm b)
{
    return (vm)(a | b);
}
static ALWAYS_INLINE vm vm_and(vm a, vm b)
{
    return (vm)(a & b);
}
static ALWAYS_INLINE bool vm_any(vm a)
{
    return a != 0;
}
static ALWAYS_INLINE vf vf_where(vm m, vf a, vf b)
{
    return _mm512_mask_mov_ps(b, m, a);
}
