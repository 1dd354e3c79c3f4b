/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of f32 of 512 bits, see vf.h. */
#ifndef STRIA_SIMD_VF_AVX512_H
#define STRIA_SIMD_VF_AVX512_H

#define HAVE_VF       1
#define VF            16
#define VF_TABLE_BITS 5

typedef __m512 vf;
typedef uint32_t vu __attribute__((vector_size(64)));
typedef int32_t vs __attribute__((vector_size(64)));
typedef __mmask16 vm;

static ALWAYS_INLINE vf vf_load(const mem_f32 *p)
{
    return _mm512_loadu_ps(p);
}
static ALWAYS_INLINE void vf_store(mem_f32 *p, vf a)
{
    _mm512_storeu_ps(p, a);
}
static ALWAYS_INLINE vf vf_all(float x)
{
    return _mm512_set1_ps(x);
}
static ALWAYS_INLINE vf vf_fma(vf a, vf b, vf c)
{
    return _mm512_fmadd_ps(a, b, c);
}
static ALWAYS_INLINE vf vf_rsqrt_nearly(vf a)
{
    return _mm512_rsqrt14_ps(a);
}
static ALWAYS_INLINE vf vf_max(vf a, vf b)
{
    return _mm512_max_ps(a, b);
}
static ALWAYS_INLINE vf vf_min(vf a, vf b)
{
    return _mm512_min_ps(a, b);
}
static ALWAYS_INLINE vf vf_of_integer(vs a)
{
    return _mm512_cvtepi32_ps((__m512i)a);
}
static ALWAYS_INLINE vf vf_lookup(const float *table, vu at)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)at, _mm512_loadu_ps(table + 16));
}
static ALWAYS_INLINE vm vf_not_below(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ);
}
static ALWAYS_INLINE vm vs_not_below(vs a, int32_t b)
{
    return _mm512_cmpge_epi32_mask((__m512i)a, _mm512_set1_epi32(b));
}
static ALWAYS_INLINE vm vf_differ(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ);
}
static ALWAYS_INLINE vm vf_equal(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
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

#endif
