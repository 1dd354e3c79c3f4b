/* SPDX-License-Identifier: BSD-3-Clause */
/* The narrow form (narrow.h) of the angle of a real number. */
#pragma once

#include "narrow.h"

#ifdef HAVE_VF

/* This is exact; a NaN is left to the ordinary function. */
static ALWAYS_INLINE struct narrow angle_vf(vf x)
{
    const vu negative = (vu)((vs)x >> 31);
    return (struct narrow){(vf)(negative & f32_bits(0x1.921fb6p+1F)), vf_differ(x, x)};
}

#endif
