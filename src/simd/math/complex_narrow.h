/* SPDX-License-Identifier: BSD-3-Clause */
/* The narrow forms (narrow.h) of |z| and 1 / z for z = x + i y. */
#pragma once

#include "narrow.h"

#ifdef HAVE_VF

/*
 * Tell where the narrow forms do not hold. They are called first, so that no square raises the
 * overflow flag. If parts are between 2^-40 and 2^30, the parts of the reciprocal are 2^-101 or
 * more, and their remainders are not subnormal. A length has a wider range and may be 0. |x| + |y|
 * is NaN if either is, which is not true of a maximum.
 */
static ALWAYS_INLINE vm length_beyond(vf x, vf y)
{
    const vm large = vm_or(narrow_beyond(x, 0x1p40F), narrow_beyond(y, 0x1p40F));
    return vm_or(large, narrow_below(vf_abs(x) + vf_abs(y), 0x1p-39F));
}

static ALWAYS_INLINE vm reciprocal_beyond(vf x, vf y)
{
    return vm_or(narrow_not_between(x, 0x1p-40F, 0x1p30F),
                 narrow_not_between(y, 0x1p-40F, 0x1p30F));
}

/*
 * x^2 + y^2 with a relative error of 2^-46. The sum is between 2^-80 and 2^80, so the errors of the
 * squares, and what they lose below 2^-100, are smaller than that.
 */
static ALWAYS_INLINE struct vf_pair vf_norm(vf x, vf y)
{
    const vf p = vf_abs(x), q = vf_abs(y), most = vf_max(p, q), least = vf_min(p, q);
    const struct vf_pair large = vf_pair_of_product(most, most);
    const struct vf_pair small = vf_pair_of_product(least, least);
    const struct vf_pair sum = vf_pair_of_sorted(large.high, small.high);
    return (struct vf_pair){sum.high, sum.low + (large.low + small.low)};
}

/*
 * The square of the root differs from the norm by less than 2^-22 of it. The difference over twice
 * the root corrects the root, and the correction is as exact as the estimate of 1 / root. For 0 it
 * is 0.
 */
static ALWAYS_INLINE struct narrow length_vf(vf x, vf y)
{
    const struct vf_pair norm = vf_norm(x, y);
    const vf root = vf_sqrt(norm.high);
    const vf inverse = vf_rsqrt_nearly(vf_max(norm.high, vf_all(0x1p-100F)));
    const vf lacks = vf_fma(-root, root, norm.high) + norm.low;
    const struct vf_pair length = {root, lacks * (inverse * 0.5F)};
    return narrow_rounded_part(length, 0x1.8p-23F * VF_RSQRT_OFF, (vm){0});
}

/* x / norm; `inverse` is the reciprocal of the norm, rounded once. */
static ALWAYS_INLINE struct narrow narrow_part(vf x, struct vf_pair norm, vf inverse)
{
    const vf q = x * inverse;
    const vf lacks = vf_fma(-q, norm.low, vf_fma(-q, norm.high, x));
    return narrow_rounded_part((struct vf_pair){q, lacks * inverse}, 0x1p-42F, (vm){0});
}

static ALWAYS_INLINE void reciprocal_vf(struct narrow *re, struct narrow *im, vf x, vf y)
{
    const struct vf_pair norm = vf_norm(x, y);
    const vf inverse = 1 / norm.high;
    *re = narrow_part(x, norm, inverse);
    *im = narrow_part(-y, norm, inverse);
}

#endif
