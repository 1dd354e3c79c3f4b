/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ops of three f16 or bf16 operands in vectors of f32. Unless a result is in doubt, rounding it to
 * the small float gives the same bits as computing in f64 and rounding once.
 */
#pragma once

#include "math/narrow.h"

#ifdef HAVE_VF

/* The number of bits that a normal f32 loses when it is rounded. */
enum { LOST_f16 = 13, LOST_bf16 = 16 };

#ifdef HAVE_VF_ODD
#define vf_fma_again vf_fma_odd
#else
/* See NOTE [Half way] in number.h. Subnormal f16 lose other bits, so all of them are in doubt. */
static ALWAYS_INLINE vm vf_half_way(const int lost, vf x)
{
    const vm half = vs_not_below((vs)(((vu)x << (32 - lost)) - 1), INT32_MAX);
    return lost == LOST_f16 ? vm_or(half, narrow_below(x, 0x1p-14F)) : half;
}

/* Rounds to nearest; a result half way between two small floats is in doubt. */
static ALWAYS_INLINE vf vf_fma_again(vf a, vf b, vf c)
{
    return vf_fma(a, b, c);
}
static ALWAYS_INLINE vm vf_difference_is_rounded(vf a, vf b)
{
    return vf_differ(vf_pair_of_sum(a, -b).low, vf_all(0));
}
#endif

/*
 * Interpolates as lerp_wide() does in f64. The difference must be exact here too. Its product
 * with the weight has at most 40 bits and is less than 2^48 times the end, so the sum has more than
 * 53 bits only where it is too far from the middle between two f16 or bf16 to be rounded to that
 * middle in f64. The negated difference is used instead of a - b because its sign is right if it is
 * 0.
 */
static ALWAYS_INLINE vf lerp_vf(vm *doubt, vf a, vf b, vf w)
{
    const vm second = vf_not_below(w, vf_all(0.5F));
    const vf part = vf_where(second, 1 - w, -w), end = vf_where(second, b, a);
    *doubt = vm_or(vf_difference_is_rounded(b, a), narrow_beyond(w, 0x1p16F));
    return vf_fma_again(-(b - a), part, end);
}

/*
 * Computes a + b / c as (a c + b) / c with c > 0: two roundings and no cancellation, so the error
 * is less than two units in the last place. A result is in doubt if the middle between two f16 or
 * bf16 is that near, if an operand is not a number, and for bf16 if an intermediate result is too
 * small or too large.
 */
static ALWAYS_INLINE vf addcdiv_vf(const int lost, vm *doubt, vf a, vf b, vf c)
{
    const vf positive = vf_abs(c), dividend = (vf)((vu)b ^ ((vu)c & 0x80000000));
    const vf sum = vf_fma(a, positive, dividend), y = sum / positive;
    const int up = 32 - lost, top = INT32_MAX - (5 << up) + 1;
    const uint32_t nearest_below = (UINT32_C(1) << (lost - 1)) - 2;
    const vm half =
        vs_not_below((vs)(((vu)y << up) + ((uint32_t)top - (nearest_below << up))), top);
    *doubt = vm_or(half, vf_differ(y, y));
    if (lost == LOST_f16) {
        *doubt = vm_or(*doubt, narrow_below(y, 0x1p-14F));
    } else {
        const vm extreme = narrow_not_between(sum, 0x1p-100F, 0x1p127F);
        *doubt = vm_or(*doubt, vm_or(extreme, narrow_not_between(y, 0x1p-100F, 0x1p127F)));
    }
    return y;
}

/*
 * Computes a + b c; the product is exact in f32. If a is so far below the product that their sum in
 * f64 may lose it, which is possible for bf16, the result is in doubt.
 */
static ALWAYS_INLINE vf addcmul_vf(const int lost, vm *doubt, vf a, vf b, vf c)
{
    const vf y = vf_fma_again(b, c, a);
    const vm lower = vf_not_below(vf_abs(y) * 0x1p-30F, vf_abs(a));
    *doubt = lost == LOST_f16 ? vf_differ(a, a) : vm_and(lower, vf_differ(a, vf_all(0)));
    return y;
}

/* Sets *doubt where a result must be computed again in f64. */
static ALWAYS_INLINE vf vectors_of(const enum stria_op op, const int lost, vm *doubt, vf a, vf b,
                                   vf c)
{
    if (op == STRIA_ADDCDIV) return addcdiv_vf(lost, doubt, a, b, c);
    const vf y = op == STRIA_LERP ? lerp_vf(doubt, a, b, c) : addcmul_vf(lost, doubt, a, b, c);
#ifndef HAVE_VF_ODD
    *doubt = vm_or(*doubt, vf_half_way(lost, y));
#endif
    return y;
}

#endif
