/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of f32 of 256 bits, see vf.h. */
#ifndef STRIA_SIMD_VF_AVX2_H
#define STRIA_SIMD_VF_AVX2_H

#define HAVE_VF       1
#define VF            8
#define VF_TABLE_BITS 4

typedef __m256 vf;
typedef uint32_t vu __attribute__((vector_size(32)));
typedef int32_t vs __attribute__((vector_size(32)));
typedef __m256 vm;

static ALWAYS_INLINE vf vf_load(const mem_f32 *p)
{
    return _mm256_loadu_ps((const float *)(const void *)p);
}
static ALWAYS_INLINE vf vf_load_f16(const mem_f16 *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const void *)p));
}
static ALWAYS_INLINE vf vf_load_bf16(const mem_bf16 *p)
{
    return (vf)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)p)), 16);
}
static ALWAYS_INLINE void vf_store(mem_f32 *p, vf a)
{
    _mm256_storeu_ps((float *)(void *)p, a);
}
static ALWAYS_INLINE vf vf_all(float x)
{
    return _mm256_set1_ps(x);
}
static ALWAYS_INLINE vf vf_fma(vf a, vf b, vf c)
{
    return _mm256_fmadd_ps(a, b, c);
}
static ALWAYS_INLINE vf vf_firsts(vf a, vf b)
{
    return _mm256_shuffle_ps(a, b, 0x88);
}
static ALWAYS_INLINE vf vf_seconds(vf a, vf b)
{
    return _mm256_shuffle_ps(a, b, 0xDD);
}
static ALWAYS_INLINE vf vf_in_order(vf a)
{
    return (vf)_mm256_permute4x64_pd((__m256d)a, 0xD8);
}
static ALWAYS_INLINE vf vf_low_pairs(vf firsts, vf seconds)
{
    return _mm256_unpacklo_ps(firsts, seconds);
}
static ALWAYS_INLINE vf vf_high_pairs(vf firsts, vf seconds)
{
    return _mm256_unpackhi_ps(firsts, seconds);
}
static ALWAYS_INLINE vf vf_sqrt(vf a)
{
    return _mm256_sqrt_ps(a);
}
#define VF_RSQRT_OFF 0x1.8p-12F
static ALWAYS_INLINE vf vf_rsqrt_nearly(vf a)
{
    return _mm256_rsqrt_ps(a);
}
static ALWAYS_INLINE vf vf_max(vf a, vf b)
{
    return _mm256_max_ps(a, b);
}
static ALWAYS_INLINE vf vf_min(vf a, vf b)
{
    return _mm256_min_ps(a, b);
}
static ALWAYS_INLINE vf vf_of_integer(vs a)
{
    return _mm256_cvtepi32_ps((__m256i)a);
}
/* Looks up both halves of the table; bit 3 of the index selects one. */
static ALWAYS_INLINE vf vf_lookup(const float *table, vu at)
{
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), (__m256i)at);
    const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), (__m256i)at);
    return _mm256_blendv_ps(low, high, (__m256)(at << 28));
}
static ALWAYS_INLINE vm vf_not_below(vf a, vf b)
{
    return _mm256_cmp_ps(a, b, _CMP_NLT_UQ);
}
static ALWAYS_INLINE vm vs_not_below(vs a, int32_t b)
{
    return (vm)_mm256_cmpgt_epi32((__m256i)a, _mm256_set1_epi32(b - 1));
}
static ALWAYS_INLINE vm vf_differ(vf a, vf b)
{
    return _mm256_cmp_ps(a, b, _CMP_NEQ_UQ);
}
static ALWAYS_INLINE vm vf_equal(vf a, vf b)
{
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
static ALWAYS_INLINE vm vm_or(vm a, vm b)
{
    return _mm256_or_ps(a, b);
}
static ALWAYS_INLINE vm vm_and(vm a, vm b)
{
    return _mm256_and_ps(a, b);
}
static ALWAYS_INLINE bool vm_any(vm a)
{
    return _mm256_movemask_ps(a) != 0;
}
static ALWAYS_INLINE vf vf_where(vm m, vf a, vf b)
{
    return _mm256_blendv_ps(b, a, m);
}

#endif
