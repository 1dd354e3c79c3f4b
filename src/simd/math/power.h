/* SPDX-License-Identifier: BSD-3-Clause */
/* x^y, and log(e^x + e^y). */
#pragma once

#include "doubt.h"
#include "pair.h"

/*
 * Returns the difference between a and the nearest integer; all numbers from 2^52 on are integers.
 */
static ALWAYS_INLINE double lack_of_whole(double a)
{
    const double whole = (a + 0x1p52) - 0x1p52;
    return a < 0x1p52 ? whole - a : 0;
}

/*
 * Applies the sign of x^y: that of x if y is an odd integer; a negative finite x has no power if y
 * is not an integer. Whether y and y / 2 are integers is kept in floats, which compilers turn into
 * blends.
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

/* log2(a) for a positive normal number. */
static ALWAYS_INLINE double pow_log2(double a)
{
    const struct core_scaled scaled = core_scaled_of(a);
    const double s = (scaled.m - 1) / (scaled.m + 1);
    return fma_f64(core_atanh_of_near(s), 2 * CORE_LOG2_E, scaled.k);
}

/*
 * 2^exponent, limited to exponents of 300 in magnitude, beyond which f32 overflows or underflows.
 */
static ALWAYS_INLINE double pow_of_exponent(double exponent)
{
    exponent = exponent < 300 ? exponent : 300;
    exponent = exponent > -300 ? exponent : -300;
    const double shifted = exponent + TO_INTEGER;
    const struct core_power p = core_exp2_parts(shifted, exponent - (shifted - TO_INTEGER));
    return fma_f64(p.scale, p.rest, p.scale);
}

/* Returns |x|^y with its sign, or the result for special values of x and y. */
static ALWAYS_INLINE double pow_special(double result, double x, double y)
{
    result = magnitude_f64(x) == 1 ? 1 : result;
    result = pow_signed(result, x, y);
    result = x == x ? result : x;
    result = y == y ? result : y;
    result = x == 1 ? 1 : result;
    return y == 0 ? 1 : result;
}

/*
 * 2^(y log2(x)), with an error below 2^-43 in the exponent. Special values are those of C99: the
 * result is 1 if x is 1 or y is 0, whatever the other is.
 */
static ALWAYS_INLINE double power_f32(double x, double y)
{
    const double a = magnitude_f64(x), inf = __builtin_inf();
    double log2 = pow_log2(a);
    log2 = a == 0 ? -0x1p800 : log2; /* acts as infinity, but 0 times it is 0 */
    log2 = a == inf ? 0x1p800 : log2;
    return pow_special(pow_of_exponent(y * log2), x, y);
}

/* power_f32() for positive finite x, where nothing is special. A NaN exponent is in doubt. */
static ALWAYS_INLINE bool power_has_short_f32(float x, float y)
{
    (void)y;
    return (x > 0) & (x < __builtin_inff());
}

static ALWAYS_INLINE double power_short_f32(double x, double y)
{
    const double exponent = y * pow_log2(x);
    return exponent > -126 ? pow_of_exponent(exponent) : IN_DOUBT;
}

/* Adds log(1 + e^-d) to the larger of two finite operands; their distance d is limited to 600. */
static ALWAYS_INLINE double logaddexp_near_f32(double x, double y)
{
    const double most = x > y ? x : y, apart = magnitude_f64(x - y);
    return most + core_log1p(core_exp(-(apart < 600 ? apart : 600)));
}

static ALWAYS_INLINE double logaddexp2_near_f32(double x, double y)
{
    const double most = x > y ? x : y, apart = magnitude_f64(x - y);
    const double d = apart < 800 ? apart : 800, shifted = TO_INTEGER - d;
    const struct core_power p = core_exp2_parts(shifted, -d - (shifted - TO_INTEGER));
    const double power = fma_f64(p.scale, p.rest, p.scale);
    const double result = most + core_log1p(power) * CORE_LOG2_E;
    return x == y ? x + 1 : result;
}

static ALWAYS_INLINE bool logaddexp_is_near_f32(float x, float y)
{
    const bool x_is_finite = magnitude_f32(x) < __builtin_inff();
    return x_is_finite && magnitude_f32(y) < __builtin_inff();
}
#define logaddexp2_is_near_f32 logaddexp_is_near_f32

static ALWAYS_INLINE double logaddexp_limit(double x, double y, double result)
{
    const double inside = magnitude_f64(x - y) == __builtin_inf() ? (x > y ? x : y) : result;
    return x == x && y == y ? inside : x + y;
}

static ALWAYS_INLINE double logaddexp_f32(double x, double y)
{
    return logaddexp_limit(x, y, logaddexp_near_f32(x, y));
}

static ALWAYS_INLINE double logaddexp2_f32(double x, double y)
{
    return logaddexp_limit(x, y, logaddexp2_near_f32(x, y));
}

/*
 * e^(y log(x)) by pairs. The error is within 0.65 units in the last place (0.62 found), or 0.8 for
 * subnormal results. Beyond 2^65 the result does not depend on the size of y.
 */
static ALWAYS_INLINE double power_f64(double x, double y)
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
    return pow_special(result, x, y);
}

/*
 * NOTE [Short powers]: exponents of 1, 2, 3, -1 and 1/2 have forms of their own, which take a tenth
 * of the time: x, x x, 1 / x and the root are correctly rounded, the cube has an error of hardly
 * more than half a unit. They are the power wherever such an exponent stands, alone or among
 * others, so that the bits are those of one definition (power_rows.inc, and exponents.c of
 * ops/elementwise, which has other kernels compute some of them).
 */
/*
 * Both products keep what their rounding lost; of a cube that is 0 or infinite that is nothing. x
 * is scaled to where fma_f64() is exact at every level.
 */
static ALWAYS_INLINE double cube_f64(double x)
{
    const double size = magnitude_f64(x), down = size > 0x1p200 ? 0x1p-100 : 1,
                 scale = size < 0x1p-300 ? 0x1p300 : down, up = size > 0x1p200 ? 0x1p300 : 1,
                 back = size < 0x1p-300 ? 0x1p-900 : up;
    const double y = x * scale, square = y * y, cube = square * y;
    const double rest = fma_f64(fma_f64(y, y, -square), y, fma_f64(square, y, -cube));
    const bool exact = (cube == 0) | (magnitude_f64(cube) == __builtin_inf());
    return (exact ? cube : cube + rest) * back;
}

static ALWAYS_INLINE float cube_f32(float x)
{
    const double wide = (double)x;
    return (float)(wide * wide * wide);
}

/* The power of -0 is +0, and that of -infinity infinite, where the root is another number. */
#define SHORT_POWERS(T, real, root)                                                                \
    static ALWAYS_INLINE bool is_short_power_##T(real y)                                           \
    {                                                                                              \
        return (magnitude_##T(y) == 1) | (y == 2) | (y == 3) | (y == (real)0.5);                   \
    }                                                                                              \
    static ALWAYS_INLINE real half_power_##T(real x)                                               \
    {                                                                                              \
        const bool below = (x < 0) & (x > -(real)__builtin_inf());                                 \
        const real number = below ? (real)__builtin_nan("") : root(magnitude_##T(x));              \
        return x == x ? number : x;                                                                \
    }                                                                                              \
    /* Returns x^y, which is `power` where y is none of them; by is x where y is -1. */            \
    static ALWAYS_INLINE real short_power_##T(real x, real y, real by, real power)                 \
    {                                                                                              \
        power = y == 2 ? x * x : power;                                                            \
        power = y == 3 ? cube_##T(x) : power;                                                      \
        power = y == -1 ? 1 / by : power;                                                          \
        power = y == 1 ? x * y : power;                                                            \
        return y == (real)0.5 ? half_power_##T(x) : power;                                         \
    }
SHORT_POWERS(f32, float, __builtin_sqrtf)
SHORT_POWERS(f64, double, __builtin_sqrt)
#undef SHORT_POWERS

static ALWAYS_INLINE double pow_f32(double x, double y)
{
    return short_power_f64(x, y, y == -1 ? x : 1, power_f32(x, y));
}

/* Returns log(1 + e^(high + low)), high <= 0, within 2^-60. */
static ALWAYS_INLINE struct pair log1p_of_power_f64(double high, double low)
{
    const struct pair_power p = pair_exp_long(high > -747 ? high : -747, high > -747 ? low : 0);
    const double power = p.m.high * p.half * p.other, power_low = p.m.low * p.half * p.other;
    const struct pair sum = pair_of_sorted(1, power), log = pair_log(sum.high);
    const double rest = log.low + (sum.low + power_low) / sum.high;
    const bool tiny = power < 0x1p-30; /* x - x^2 / 2 */
    const double square = fma_f64(-0.5 * power, power, power_low);
    return pair_of_sorted(tiny ? power : log.high, tiny ? square : rest);
}

static ALWAYS_INLINE double sum_of_log(double most, struct pair log)
{
    const struct pair sum = pair_of_sum(most, log.high);
    return sum.high + (sum.low + log.low);
}

/*
 * The error is within 1 unit in the last place (0.7 found) if the result is 2^-8 or more; nearer to
 * 0 it is within 2^-59, the error of the logarithm.
 */
static ALWAYS_INLINE double logaddexp_f64(double x, double y)
{
    const double most = x > y ? x : y, least = x > y ? y : x;
    const struct pair apart = pair_of_sum(least, -most);
    const struct pair log = log1p_of_power_f64(x == y ? 0 : apart.high, x == y ? 0 : apart.low);
    const double inf = __builtin_inf();
    const bool alone = (apart.high == -inf) | (magnitude_f64(most) == inf);
    const double result = alone ? most : sum_of_log(most, log);
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
    const struct pair log = log1p_of_power_f64(power.high, low);
    const struct pair log2 = pair_of_product(log.high, CORE_LOG2_E);
    const double log2_low =
        fma_f64(log.high, CORE_LOG2_E_LOW, fma_f64(log.low, CORE_LOG2_E, log2.low));
    const double sum = x == y ? x + 1 : sum_of_log(most, (struct pair){log2.high, log2_low});
    const double inf = __builtin_inf();
    const bool alone = (apart.high == -inf) | (magnitude_f64(most) == inf);
    const double result = alone ? most : sum;
    return x == x && y == y ? result : x + y;
}

/* f64 has one form for all arguments. */
static ALWAYS_INLINE bool logaddexp_is_near_f64(double x, double y)
{
    (void)x, (void)y;
    return true;
}
#define logaddexp2_is_near_f64 logaddexp_is_near_f64
#define logaddexp_near_f64     logaddexp_f64
#define logaddexp2_near_f64    logaddexp2_f64
