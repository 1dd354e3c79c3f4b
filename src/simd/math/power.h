/* SPDX-License-Identifier: BSD-3-Clause */
/* x^y, and log(e^x + e^y). */
#ifndef STRIA_SIMD_MATH_POWER_H
#define STRIA_SIMD_MATH_POWER_H

#include "pair.h"

/* What a lacks of the whole number next to it, or has beyond it; 2^52 and more are whole. */
static ALWAYS_INLINE double lack_of_whole(double a)
{
    const double whole = (a + 0x1p52) - 0x1p52;
    return a < 0x1p52 ? whole - a : 0;
}

/*
 * The sign of x^y for odd whole y is that of x; a negative finite x has a power of whole y only.
 * What y and its half lack of whole numbers tells which it is, in numbers for the sake of blends.
 */
static ALWAYS_INLINE double pow_signed(double power, double x, double y)
{
    const double a = magnitude_f64(x), b = magnitude_f64(y), half = 0.5 * b;
    const double lacks = lack_of_whole(b), half_lacks = lack_of_whole(half);
    const double side = f64_of_bits((f64_bits(x) & UINT64_C(1) << 63) | f64_bits(1.0));
    const double odd = lacks == 0 ? half_lacks : 0, sign = odd != 0 ? side : 1;
    const double below = x < 0 ? lacks : 0, none = a == __builtin_inf() ? 0 : below;
    const double result = sign < 0 ? -power : power;
    return none != 0 ? __builtin_nan("") : result;
}

/*
 * 2^(y log2(x)), whose exponent is off by less than 2^-43. Special values as C99 has them: 1 where
 * x is 1 or y is 0, whatever the other is.
 */
static ALWAYS_INLINE double pow_f32(double x, double y)
{
    const double a = magnitude_f64(x), inf = __builtin_inf();
    const struct core_scaled scaled = core_scaled_of(a);
    const double s = (scaled.m - 1) / (scaled.m + 1);
    double log2 = fma_f64(core_atanh_of_near(s), 2 * CORE_LOG2_E, scaled.k);
    log2 = a == 0 ? -inf : log2;
    log2 = a == inf ? inf : log2;
    double exponent = y * log2;
    exponent = exponent < 300 ? exponent : 300;
    exponent = exponent > -300 ? exponent : -300;
    const double shifted = exponent + CORE_TO_INTEGER;
    const struct core_power p = core_exp2_parts(shifted, exponent - (shifted - CORE_TO_INTEGER));
    double result = fma_f64(p.scale, p.rest, p.scale);
    result = a == 1 ? 1 : result;
    result = pow_signed(result, x, y);
    result = x == x ? result : x;
    result = y == y ? result : y;
    result = x == 1 ? 1 : result;
    return y == 0 ? 1 : result;
}

/* The larger one and log(1 + e^-d), d how far apart they are; beyond 600 that makes no difference.
 */
static ALWAYS_INLINE double logaddexp_f32(double x, double y)
{
    const double most = x > y ? x : y, apart = magnitude_f64(x - y);
    const double d = apart < 600 ? apart : 600, same = x == y ? 0 : d;
    const double sum = most + core_log1p(core_exp(-same));
    const double result = apart == __builtin_inf() ? most : sum;
    return x == x && y == y ? result : x + y;
}

static ALWAYS_INLINE double logaddexp2_f32(double x, double y)
{
    const double most = x > y ? x : y, apart = magnitude_f64(x - y);
    const double d = apart < 800 ? apart : 800, same = x == y ? 0 : d;
    const double shifted = CORE_TO_INTEGER - same;
    const struct core_power p = core_exp2_parts(shifted, -same - (shifted - CORE_TO_INTEGER));
    const double power = fma_f64(p.scale, p.rest, p.scale);
    const double apart_result = most + core_log1p(power) * CORE_LOG2_E;
    const double sum = x == y ? x + 1 : apart_result;
    const double result = apart == __builtin_inf() ? most : sum;
    return x == x && y == y ? result : x + y;
}

/*
 * e^(y log(x)) by pairs: within 0.65 units in the last place (0.62 found), 0.8 where the result is
 * subnormal. Beyond 2^65 the result does not depend on how large y is.
 */
static ALWAYS_INLINE double pow_f64(double x, double y)
{
    const double a = magnitude_f64(x), inf = __builtin_inf();
    double factor = y < 0x1p65 ? y : 0x1p65;
    factor = factor > -0x1p65 ? factor : -0x1p65;
    const struct pair log = pair_log(a);
    const double exponent = factor * log.high;
    const double low = fma_f64(factor, log.low, fma_f64(factor, log.high, -exponent));
    const bool is_within = magnitude_f64(exponent) < 747;
    const double bound = exponent > 0 ? 747.0 : -747.0;
    const struct pair_power p = pair_exp(is_within ? exponent : bound, is_within ? low : 0);
    double result = (p.m.high + p.m.low) * p.half * p.other;
    const double at_infinity = y > 0 ? inf : 0, at_zero = y > 0 ? 0 : inf;
    result = a == 0 ? at_zero : result;
    result = a == inf ? at_infinity : result;
    result = a == 1 ? 1 : result;
    result = pow_signed(result, x, y);
    result = x == x ? result : x;
    result = y == y ? result : y;
    result = x == 1 ? 1 : result;
    return y == 0 ? 1 : result;
}

/* The same by the name that always computes in f64. */
static ALWAYS_INLINE double float_power_f32(double x, double y)
{
    return pow_f64(x, y);
}

static ALWAYS_INLINE double float_power_f64(double x, double y)
{
    return pow_f64(x, y);
}

/* log(1 + e^(high + low)), high <= 0. */
static ALWAYS_INLINE double log1p_of_power_f64(double high, double low)
{
    const struct pair_power p = pair_exp(high > -747 ? high : -747, high > -747 ? low : 0);
    const double power = (p.m.high + p.m.low) * p.half * p.other;
    return power < 0x1p-60 ? power : core_log1p(power < 0x1p-60 ? 0 : power);
}

/*
 * Within 3 units in the last place where the result is not near 0; there within 2^-52, which is
 * what the larger operand and the logarithm are off.
 */
static ALWAYS_INLINE double logaddexp_f64(double x, double y)
{
    const double most = x > y ? x : y, least = x > y ? y : x;
    const struct pair apart = pair_of_sum(least, -most);
    const double log = log1p_of_power_f64(x == y ? 0 : apart.high, x == y ? 0 : apart.low);
    const double result = apart.high == -__builtin_inf() ? most : most + log;
    return x == x && y == y ? result : x + y;
}

static ALWAYS_INLINE double logaddexp2_f64(double x, double y)
{
    const double most = x > y ? x : y, least = x > y ? y : x;
    const struct pair apart = pair_of_sum(least, -most);
    const bool is_far = !(apart.high > -1100);
    const double d = is_far ? -1100 : apart.high, d_low = is_far ? 0 : apart.low;
    const struct pair power = pair_of_product(d, CORE_LN_2);
    const double low = fma_f64(d_low, CORE_LN_2, fma_f64(d, 0x1.abc9e3b39803fp-56, power.low));
    const double log = log1p_of_power_f64(power.high, low);
    const double sum = x == y ? x + 1 : most + log * CORE_LOG2_E;
    const double result = apart.high == -__builtin_inf() ? most : sum;
    return x == x && y == y ? result : x + y;
}

#endif
