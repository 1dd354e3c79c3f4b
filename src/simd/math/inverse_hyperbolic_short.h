/* SPDX-License-Identifier: BSD-3-Clause */
/* Short forms (doubt.h) of asinh and acosh as log(1 + y); y has a relative error of 2^-51. */
#pragma once

#include "log_short.h"
#include "sign.h"

static ALWAYS_INLINE bool asinh_has_short_f32(float x)
{
    return (x > -__builtin_inff()) & (x < __builtin_inff());
}

/* sqrt(1 + a^2) - 1 is a^2 / (sqrt(1 + a^2) + 1). */
static ALWAYS_INLINE double asinh_short_f32(double x)
{
    const double a = magnitude_f64(x), a2 = a * a;
    return with_sign(log1p_short_f32(a + a2 / (__builtin_sqrt(1 + a2) + 1)), x, 0);
}

static ALWAYS_INLINE bool acosh_has_short_f32(float x)
{
    return (x >= 1) & (x < __builtin_inff());
}

/* x^2 - 1 is y (y + 2) with y = x - 1, which is exact. */
static ALWAYS_INLINE double acosh_short_f32(double x)
{
    const double y = x - 1;
    return log1p_short_f32(y + __builtin_sqrt(y * (y + 2)));
}
