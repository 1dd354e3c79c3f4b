/* SPDX-License-Identifier: BSD-3-Clause */
/* Narrow forms (narrow.h) of activations. */
#pragma once

#include "exp_narrow.h"
#include "log_narrow.h"

#ifdef HAVE_VF

/*
 * x times the sigmoid, which is 1 from 63 on. The products with its upper and its lower bound are
 * rounded once each. The upper one is the result, because it keeps the sign of zeros.
 */
static ALWAYS_INLINE struct narrow silu_vf(vf x)
{
    const float part = NARROW_OFF(0x1.3p-33F);
    const vf a = vf_min(vf_all(63), x);
    const struct vf_pair s = narrow_sigmoid(a);
    const vf more = vf_fma(s.high, vf_all(part), s.low),
             less = vf_fma(s.high, vf_all(-part), s.low);
    const vf y = vf_fma(x, s.high, x * more), other = vf_fma(x, s.high, x * less);
    const vm doubt = vm_or(narrow_beyond(a, 64), narrow_not_usual(a));
    return (struct narrow){y, vm_or(doubt, vf_differ(y, other))};
}

/* min(x, 0) - log(1 + e^-|x|). From 64 on that is the power e^-|x| alone. */
static ALWAYS_INLINE struct narrow log_sigmoid_vf(vf x)
{
    const vf limit = vf_all(64), a = vf_min(vf_abs(x), limit);
    const struct narrow_log_sum l =
        narrow_log1p_of_pair(narrow_exp_pair(-a), NARROW_OFF(0x1.ep-33F));
    const struct vf_pair sum = vf_pair_of_sum(vf_min(x, vf_all(0)), -l.value.high);
    return narrow_rounded((struct vf_pair){sum.high, sum.low - l.value.low}, l.off,
                          vf_not_below(x, limit));
}

/* log(1 + (1 - 2 y) / y), y = min(x, 1 - x), does not cancel; it gets the sign of x - 1/2. */
static ALWAYS_INLINE struct narrow logit_vf(vf x)
{
    const vf one = vf_all(1), least = vf_min(x, one - x), side = x - 0.5F;
    const struct vf_pair above = vf_pair_of_sorted(one, -2 * least);
    const vf inverse = 1 / least, q = above.high * inverse;
    const vf rest = vf_fma(-q, least, above.high) + above.low;
    const struct narrow_log_sum l =
        narrow_log1p_of_pair((struct vf_pair){q, rest * inverse}, 0x1p-43F);
    const vm doubt = vm_or(narrow_not_normal(x), vf_not_below(x, one));
    const struct narrow y = narrow_log_rounded(l, doubt);
    return (struct narrow){vf_with_sign(vf_abs(y.value), side), y.doubt};
}

#endif
