/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors of f32 on levels that have HAVE_VF: those with fma and with lookups in a register.
 * Operators work on vf as on a float, on vu as on the bits of one, and on vs as on a signed
 * integer; vm tells of each item whether something holds.
 *
 *     vf_fma(a, b, c)         a b + c, rounded once
 *     vf_fma_odd(a, b, c)     the same, rounded to odd (NOTE [Round to odd] in number.h), and
 *     vf_difference_is_rounded(a, b)
 *                             where a - b is no f32, on levels that have HAVE_VF_ODD
 *     vf_firsts(a, b), vf_seconds(a, b)
 *                             every second item of two vectors, from the first or the second on,
 *                             in an order of their own, and in that of the items after
 *     vf_in_order(a)
 *     vf_low_pairs(a, b), vf_high_pairs(a, b)
 *                             the two vectors of which a and b are the firsts and the seconds
 *     vf_rsqrt_nearly(a)      1 / sqrt(a) of a normal number, off by at most VF_RSQRT_OFF, which
 *                             is at most 1.5 * 2^-12, of itself; its bits differ from CPU to CPU
 *     vf_lookup(t, at)        t[at % 2^VF_TABLE_BITS]
 *     vf_not_below(a, b)      where not a < b: a NaN is not
 *     vf_where(m, a, b)       a where m holds, b elsewhere
 */
#ifndef STRIA_SIMD_VF_H
#define STRIA_SIMD_VF_H

#include "level.h"
#include "number.h"

#if defined HAVE_V64
#include "vf_avx512.h"
#elif defined HAVE_V32
#include "vf_avx2.h"
#endif

#ifdef HAVE_VF

static ALWAYS_INLINE vf vf_abs(vf a)
{
    return (vf)((vu)a & 0x7FFFFFFF);
}

#endif

#endif
