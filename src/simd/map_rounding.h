/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounding to integers: one instruction where the level has it, elsewhere additions that round off
 * the fraction, with the same results. The sign of x is kept, also for zeros; infinities and NaN
 * are unchanged.
 */
#pragma once

#include "map_ops.h"

#if defined __SSE4_1__ || defined __aarch64__

#define floor_f32 __builtin_floorf
#define floor_f64 __builtin_floor
#define ceil_f32  __builtin_ceilf
#define ceil_f64  __builtin_ceil
#define trunc_f32 __builtin_truncf
#define trunc_f64 __builtin_trunc
#define rint_f32  __builtin_rintf
#define rint_f64  __builtin_rint

#else

/* All numbers from `whole` on, 2^23 for f32 and 2^52 for f64, are integers. */
#define ROUNDING(T, real, whole)                                                                   \
    static ALWAYS_INLINE real rint_##T(real x)                                                     \
    {                                                                                              \
        const real size = magnitude_##T(x), near = (size + whole) - whole;                         \
        return size < whole ? with_sign_##T(near, x) : x;                                          \
    }                                                                                              \
    static ALWAYS_INLINE real floor_##T(real x)                                                    \
    {                                                                                              \
        const real near = rint_##T(x);                                                             \
        return with_sign_##T(near - (near > x ? (real)1 : (real)0), x);                            \
    }                                                                                              \
    static ALWAYS_INLINE real ceil_##T(real x)                                                     \
    {                                                                                              \
        const real near = rint_##T(x);                                                             \
        return with_sign_##T(near + (near < x ? (real)1 : (real)0), x);                            \
    }                                                                                              \
    static ALWAYS_INLINE real trunc_##T(real x)                                                    \
    {                                                                                              \
        return with_sign_##T(floor_##T(magnitude_##T(x)), x);                                      \
    }
ROUNDING(f32, float, 0x1p23F)
ROUNDING(f64, double, 0x1p52)
#undef ROUNDING

#endif
