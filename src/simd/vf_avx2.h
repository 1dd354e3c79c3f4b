/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of f32 of 256 bits: the operations that are special to AVX2, see vf.h. */
#pragma once

#define VF            8
#define VF_TABLE_BITS 4
#define VF_RSQRT_OFF  0x1.8p-12F

#define VF_OP(name)     _mm256_##name
#define vf_rsqrt_nearly _mm256_rsqrt_ps

typedef __m256 vf;
typedef __m256 vm;

static ALWAYS_INLINE vf vf_load_f16(const mem_f16 *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const void *)p));
}
static ALWAYS_INLINE vf vf_load_bf16(const mem_bf16 *p)
{
    return (vf)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)p)), 16);
}
static ALWAYS_INLINE vf vf_in_order(vf a)
{
    return (vf)_mm256_permute4x64_pd((__m256d)a, 0xD8);
}
/* Looks up both halves of the table; bit 3 of the index selects one. */
static ALWAYS_INLINE vf vf_lookup(const float *table, vu at)
{
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), (__m256i)at);
    const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), (__m256i)at);
    return _mm256_blendv_ps(low, high, (__m256)(at << 28));
}
#define vf_compare(a, b, how) _mm256_cmp_ps(a, b, how)
static ALWAYS_INLINE vm vs_not_below(vs a, int32_t b)
{
    return (vm)_mm256_cmpgt_epi32((__m256i)a, _mm256_set1_epi32(b - 1));
}
#define vm_or  _mm256_or_ps
#define vm_and _mm256_and_ps
static ALWAYS_INLINE bool vm_any(vm a)
{
    return _mm256_movemask_ps(a) != 0;
}
static ALWAYS_INLINE vf vf_where(vm m, vf a, vf b)
{
    return _mm256_blendv_ps(b, a, m);
}
