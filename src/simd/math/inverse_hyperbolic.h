/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * asinh, acosh and atanh by log(1 + w). w has two parts for f64 and one for f32, where its error is
 * up to 1.3 units of f64; every f32 is rounded correctly nevertheless (tests/nightly/every_math.c).
 */
#pragma once

#include "log.h"

/* Gives a result that is not negative the sign of x. */
static ALWAYS_INLINE double signed_as(double x, double result)
{
    return f64_of_bits(f64_bits(result) | (f64_bits(x) & UINT64_C(1) << 63));
}

/* The rounding error of the root of square + low. */
static ALWAYS_INLINE double root_rest(double root, double square, double low)
{
    const double twice = root + root;
    return (fma_f64(-root, root, square) + low) / (twice + (root == 0 ? 1.0 : 0.0));
}

/* ---- asinh(a) = log(1 + w), w = a + (sqrt(a^2 + 1) - 1) -------------------------------------- */

static ALWAYS_INLINE double asinh_f32(double x)
{
    const double a = magnitude_f64(x), square = a * a;
    const double w = a + square / (1 + __builtin_sqrt(1 + square));
    const double result = a < __builtin_inf() && a != 0 ? log1p_one_part(0, w) : a;
    return signed_as(x, result);
}

/* Beyond 2^60 it is log(2 a) = log(a) + ln 2, because 1 is lost in 1 + a. */
static ALWAYS_INLINE double asinh_f64(double x)
{
    const double a = magnitude_f64(x), square = a * a, square_low = fma_f64(a, a, -square);
    const double sum = 1 + square, part = sum - 1;
    const double sum_low = (1 - (sum - part)) + (square - part) + square_low;
    const double root = __builtin_sqrt(sum), root_low = root_rest(root, sum, sum_low);
    const bool small = a<0.4, large = a> 0x1p60;
    const double more = small ? square / (1 + root) : root - 1, more_low = small ? 0 : root_low;
    const double w = a + more, low = ((a - w) + more) + more_low;
    const double log = log1p_sum(large ? 1 : 0, large ? a : w, large ? 0 : low);
    return signed_as(x, a < __builtin_inf() && a != 0 ? log : a);
}

/* ---- acosh(x) = log(1 + w), w = sqrt(x^2 - 1) + (x - 1) -------------------------------------- */

static ALWAYS_INLINE double acosh_limit(double x, double result)
{
    const double inside = x >= 1 ? result : (double)__builtin_nanf("");
    const double some = x == 1 ? 0 : inside;
    return x < __builtin_inf() ? some : x;
}

static ALWAYS_INLINE double acosh_f32(double x)
{
    return acosh_limit(x, log1p_one_part(0, __builtin_sqrt(x * x - 1) + (x - 1)));
}

/* x^2 - 1 is 2 t + t^2 with t = x - 1, which keeps all its bits near 1. */
static ALWAYS_INLINE double acosh_f64(double x)
{
    const double more = x - 1, twice = more + more, square = more * more;
    const double sum = twice + square, part = sum - twice;
    const double sum_low = (twice - (sum - part)) + (square - part) + fma_f64(more, more, -square);
    const double root = __builtin_sqrt(sum), root_low = root_rest(root, sum, sum_low);
    const double w = root + more, low = ((root - w) + more) + root_low;
    const bool large = x > 0x1p60;
    const double log = log1p_sum(large ? 1 : 0, large ? x : w, large ? 0 : low);
    return acosh_limit(x, log);
}

/* ---- atanh(a) = log((1 + a) / (1 - a)) / 2 --------------------------------------------------- */

/* Uses the series of log, in which s is a. */
static ALWAYS_INLINE double atanh_small(double a)
{
    const double z = a * a;
    return fma_f64(a * z, 0.5 * log_series(z), a);
}

static ALWAYS_INLINE double atanh_limit(double x, double a, double result)
{
    const double one = a == 1 ? __builtin_inf() : (double)__builtin_nanf("");
    return signed_as(x, a < 1 ? result : a == a ? one : a);
}

static ALWAYS_INLINE double atanh_f32(double x)
{
    const double a = magnitude_f64(x);
    const struct log_cut cut = log_cut((1 + a) / (1 - a));
    const double log = 0.5 * log_sum(cut.k, cut.f, 0);
    return atanh_limit(x, a, a < 0.17 ? atanh_small(a) : log);
}

static ALWAYS_INLINE double atanh_f64(double x)
{
    const double a = magnitude_f64(x), below = 1 - a, below_low = (1 - below) - a, twice = a + a;
    const double w = twice / below;
    const double low = (fma_f64(-w, below, twice) - w * below_low) / below;
    return atanh_limit(x, a, a < 0.17 ? atanh_small(a) : 0.5 * log1p_sum(0, w, low));
}
