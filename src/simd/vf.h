/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors of f32 on levels that have HAVE_VF, which are those with fma and with table lookups in
 * registers. Operators work on vf as on a float, on vu as on its bits, and on vs as on a signed
 * integer; vm is a mask with one truth value per item.
 *
 *     vf_fma(a, b, c)         a b + c, rounded once
 *     vf_fma_odd(a, b, c)     a b + c, rounded to odd (NOTE [Round to odd] in number.h), and
 *     vf_difference_is_rounded(a, b)
 *                             a mask of inexact a - b, both on levels that have HAVE_VF_ODD
 *     vf_firsts(a, b), vf_seconds(a, b)
 *                             items 0, 2, 4, ... or 1, 3, 5, ... of a followed by b, permuted
 *     vf_in_order(a)          undoes that permutation
 *     vf_low_pairs(a, b), vf_high_pairs(a, b)
 *                             the two vectors of which a and b are the firsts and the seconds
 *     vf_rsqrt_nearly(a)      1 / sqrt(a) of a normal number with a relative error of at most
 *                             VF_RSQRT_OFF <= 1.5 * 2^-12; its bits differ from CPU to CPU
 *     vf_lookup(t, at)        t[at % 2^VF_TABLE_BITS]
 *     vf_not_below(a, b)      a mask of !(a < b), which is true for NaN
 *     vf_where(m, a, b)       a where m is true, b elsewhere
 */
#pragma once

#include "level.h"
#include "number.h"

#if defined HAVE_V32
#define HAVE_VF 1

typedef uint32_t vu __attribute__((vector_size(WIDEST)));
typedef int32_t vs __attribute__((vector_size(WIDEST)));

#if defined HAVE_V64
#include "vf_avx512.h"
#else
#include "vf_avx2.h"
#endif

#define vf_all        VF_OP(set1_ps)
#define vf_fma        VF_OP(fmadd_ps)
#define vf_sqrt       VF_OP(sqrt_ps)
#define vf_max        VF_OP(max_ps)
#define vf_min        VF_OP(min_ps)
#define vf_low_pairs  VF_OP(unpacklo_ps)
#define vf_high_pairs VF_OP(unpackhi_ps)

#define vf_firsts(a, b)    VF_OP(shuffle_ps)(a, b, 0x88)
#define vf_seconds(a, b)   VF_OP(shuffle_ps)(a, b, 0xDD)
#define vf_not_below(a, b) vf_compare(a, b, _CMP_NLT_UQ)
#define vf_differ(a, b)    vf_compare(a, b, _CMP_NEQ_UQ)
#define vf_equal(a, b)     vf_compare(a, b, _CMP_EQ_OQ)

static ALWAYS_INLINE vf vf_load(const mem_f32 *p)
{
    return VF_OP(loadu_ps)((const float *)(const void *)p);
}

static ALWAYS_INLINE void vf_store(mem_f32 *p, vf a)
{
    VF_OP(storeu_ps)((float *)(void *)p, a);
}

static ALWAYS_INLINE vf vf_abs(vf a)
{
    return (vf)((vu)a & 0x7FFFFFFF);
}

#endif
