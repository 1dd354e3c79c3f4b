/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * x 2^e, a b + c, and rounding to decimals, each with one rounding of the exact result. Suffixes
 * name the type: _f32, _f64, and _odd for f32 that will be rounded again (NOTE [Round to odd] in
 * number.h).
 */
#pragma once

#include "map_rounding.h"
#include "math/pair.h"

/* ---- x 2^e ---------------------------------------------------------------------------------- */

/* Returns 2^e for an integer e, -1022 <= e <= 1023. */
static ALWAYS_INLINE double power_of_two(double e)
{
    return f64_of_bits(f64_bits(e + (0x1.8p52 + 1023)) << 52);
}

static ALWAYS_INLINE double limited(double x, double low, double high)
{
    const double raised = x > low ? x : low;
    return raised < high ? raised : high;
}

/*
 * |e| is limited to 2200, beyond which no f64 stays finite and nonzero. Of the three steps the
 * largest is last, since only that one may round.
 */
static ALWAYS_INLINE double ldexp_f64(double x, double e)
{
    const double all = limited(e, -2200, 2200), last = limited(all, -1022, 1023);
    const double before = limited(all - last, -1022, 1023), first = all - last - before;
    return x * power_of_two(first) * power_of_two(before) * power_of_two(last);
}

static ALWAYS_INLINE double ldexp_wide(float x, float e)
{
    return (double)x * power_of_two(limited((double)e, -400, 400));
}

ROUNDED_BOTH_WAYS(ldexp, (float x, float e), ldexp_wide(x, e))

/* ---- a b + c -------------------------------------------------------------------------------- */

/* Returns x + rest, rounded to odd, if rest is far below x. */
static ALWAYS_INLINE double odd_sum(double x, double rest)
{
    const uint64_t bits = f64_bits(x), even = ~bits & (uint64_t)(rest != 0);
    const uint64_t step = 1 - ((bits ^ f64_bits(rest)) >> 63 << 1);
    const double odd = f64_of_bits(bits + (step & (0 - (even & 1))));
    return magnitude_f64(x) < __builtin_inf() ? odd : x;
}

/*
 * Rounds high + low to the last place of `anchor`. The sum has the sign of `side` and is less than
 * 2^52 such places.
 */
static ALWAYS_INLINE double rounded_at(double high, double low, double anchor, double side)
{
    const double from = with_sign_f64(anchor, side);
    const struct pair sum = pair_of_sum(from, high), rest = pair_of_sum(sum.low, low);
    return with_sign_f64(sum.high + odd_sum(rest.high, rest.low) - from, side);
}

/* The product of two f32 is exact in f64. What the sum loses is kept by rounding it to odd. */
static ALWAYS_INLINE double fused_wide(float a, float b, float c)
{
    const struct pair sum = pair_of_sum((double)a * (double)b, (double)c);
    return odd_sum(sum.high, sum.low);
}

ROUNDED_BOTH_WAYS(fused, (float a, float b, float c), fused_wide(a, b, c))

#ifdef HAVE_FMA

static ALWAYS_INLINE double fused_f64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

#else

/* A nonzero number as m 2^exponent, 1 <= |m| < 2. */
struct significand {
    double m, exponent;
};

static ALWAYS_INLINE struct significand significand_of(double x)
{
    const bool tiny = magnitude_f64(x) < 0x1p-1022;
    const uint64_t bits = f64_bits(tiny ? x * 0x1p54 : x), field = UINT64_C(0x7FF) << 52;
    const double e = f64_of_bits((bits & field) >> 52 | f64_bits(0x1p52)) - (0x1p52 + 1023);
    return (struct significand){f64_of_bits((bits & ~field) | f64_bits(1.0)), tiny ? e - 54 : e};
}

/*
 * The product and the sum of the significands are represented exactly by three parts and rounded as
 * if they were added at once. If c is too far away for its bits to overlap those of a b, only the
 * sign of the smaller term matters, so the distance k is limited. A result below 2^-1022 is rounded
 * at the position that its last bit will have.
 */
static ALWAYS_INLINE double fused_finite(double a, double b, double c)
{
    const struct significand x = significand_of(a), y = significand_of(b), z = significand_of(c);
    const double exponent = x.exponent + y.exponent, above = z.exponent - exponent;
    const double k = limited(above, -200, 120);
    double scale = above > 120 ? z.exponent - 120 : exponent;
    scale = scale > -1200 ? scale : -1200;
    const struct pair product = pair_of_product(x.m, y.m);
    const struct pair sum = pair_of_sum(z.m * power_of_two(k), product.high);
    const struct pair low = pair_of_sum(sum.low, product.low);
    const double rest = odd_sum(low.high, low.low), near = sum.high + rest;
    const bool subnormal =
        (near != 0) & (scale < -800) & (magnitude_f64(near) < ldexp_f64(1, -1022 - scale));
    const double unit = subnormal ? -1074 - scale : 0;
    const double tiny = rounded_at(sum.high, rest, 0x1p52 * power_of_two(unit), near);
    return ldexp_f64(subnormal ? tiny : near, scale);
}

/* If the product or c is 0, infinite or NaN, two roundings give the same result as one. */
static ALWAYS_INLINE double fused_f64(double a, double b, double c)
{
    const double inf = __builtin_inf(), product = a * b;
    const bool finite = magnitude_f64(a) < inf && magnitude_f64(b) < inf;
    if (!finite || a == 0 || b == 0) return product + c;
    if (!(magnitude_f64(c) < inf)) return c;
    return c == 0 ? product : fused_finite(a, b, c);
}

#endif

/* ---- decimals ------------------------------------------------------------------------------- */

/* 10^(2^k) as pairs; from k = 5 on they are divided by 2^106, 2^212, 2^425 and 2^850. */
static const struct pair decimal_powers[] = {
    {0x1.4p+3, 0},
    {0x1.9p+6, 0},
    {0x1.388p+13, 0},
    {0x1.7d784p+26, 0},
    {0x1.1c37937e08p+53, 0},
    {0x1.3b8b5b5056e17p+0, -0x1.3107fp-54},
    {0x1.84f03e93ff9f5p+0, -0x1.2ac340948e389p-55},
    {0x1.27748f9301d32p+0, -0x1.901cc86649e4ap-54},
    {0x1.54fdd7f73bf3cp+0, -0x1.7222446fe467p-55},
};

/* 10^n, 0 <= n <= 340, is value * 2^exponent; up to 10^22 the value is exact. */
struct decimal_power {
    struct pair value;
    double exponent;
};

static ALWAYS_INLINE struct pair times_pair(struct pair a, struct pair b)
{
    const struct pair p = pair_of_product(a.high, b.high);
    return pair_of_sorted(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static ALWAYS_INLINE struct decimal_power decimal_power(double n)
{
    static const double exponents[] = {0, 0, 0, 0, 0, 106, 212, 425, 850};
    const uint64_t bits = f64_bits(n + 0x1.8p52);
    struct decimal_power power = {{1, 0}, 0};
    UNROLL
    for (int k = 0; k < 9; k++) {
        const struct pair more = times_pair(power.value, decimal_powers[k]);
        const bool has = bits >> k & 1;
        power.value.high = has ? more.high : power.value.high;
        power.value.low = has ? more.low : power.value.low;
        power.exponent += has ? exponents[k] : 0;
    }
    return power;
}

/*
 * Returns x 2^e, |e| <= 1100, in two steps and without a choice: GCC would compute both sides of a
 * choice, and the side that is not chosen overflows (NOTE [Flags] in math.inc).
 */
static ALWAYS_INLINE double shifted_f64(double x, double e)
{
    const double half = e * 0.5 + 0x1.8p52 - 0x1.8p52;
    return x * power_of_two(half) * power_of_two(e - half);
}

/* Rounds high + low to the nearest integer, ties to even. */
static ALWAYS_INLINE double whole_of_pair(double high, double low)
{
    const double near = rint_f64(high), beside = high - near;
    const double up = ((beside == 0.5) & (low > 0)) ? near + 1 : near;
    return ((beside == -0.5) & (low < 0)) ? near - 1 : up;
}

/*
 * x 10^decimals, rounded to an integer. If that is 2^53 or more, x is left unchanged, because the
 * result would be nearer to x than to any neighbour of x. The same holds beyond 340 decimals.
 */
struct decimals {
    double whole;
    struct decimal_power power;
    bool before, changes;
};

static ALWAYS_INLINE struct decimals decimals_of(double x, double decimals)
{
    const bool before = decimals < 0;
    const struct decimal_power power = decimal_power(limited(magnitude_f64(decimals), 0, 340));
    const double p = power.value.high, p_low = power.value.low;
    const double y = shifted_f64(x, before ? -power.exponent : power.exponent);
    const double up = y * p, up_low = fma_f64(y, p, -up) + y * p_low;
    const double down = y / p, down_low = (fma_f64(-down, p, y) - down * p_low) / p;
    const struct pair sum = pair_of_sorted(before ? down : up, before ? down_low : up_low);
    return (struct decimals){whole_of_pair(sum.high, sum.low), power, before,
                             magnitude_f64(sum.high) < 0x1p53};
}

/* Divides the integer by 10^decimals again; *rest is the rounding error, for a second rounding. */
static ALWAYS_INLINE double rounded_wide(double x, double decimals, double *rest)
{
    const struct decimals of = decimals_of(x, decimals);
    const double whole = of.whole, p = of.power.value.high, p_low = of.power.value.low;
    const double q = whole / p, lacks = (fma_f64(-q, p, whole) - q * p_low) / p;
    const double product = whole * p, beyond = fma_f64(whole, p, -product) + whole * p_low;
    const struct pair result = pair_of_sorted(of.before ? product : q, of.before ? beyond : lacks);
    const double back = of.before ? of.power.exponent : -of.power.exponent;
    const double usual = shifted_f64(result.high, back);
    const bool subnormal = (back < -800) & (magnitude_f64(usual) < 0x1p-1022);
    const double tiny =
        rounded_at(result.high, result.low, power_of_two(of.power.exponent - 1022), x);
    *rest = of.changes ? shifted_f64(result.low, back) : 0;
    return of.changes ? with_sign_f64(subnormal ? shifted_f64(tiny, back) : usual, x) : x;
}

static ALWAYS_INLINE double rounded_f64(double x, double decimals)
{
    double rest;
    return rounded_wide(x, decimals, &rest);
}

static ALWAYS_INLINE double rounded_wide_f32(float x, float decimals)
{
    double rest;
    const double y = rounded_wide((double)x, (double)decimals, &rest);
    return odd_sum(y, rest);
}

ROUNDED_BOTH_WAYS(rounded, (float x, float decimals), rounded_wide_f32(x, decimals))

/* Rounds to a multiple of 10^-decimals, ties to even, modulo 2^64. */
static ALWAYS_INLINE uint64_t rounded_whole(uint64_t x, int64_t decimals)
{
    uint64_t power = 1;
    if (decimals >= 0) return x;
    if (decimals < -19) return 0;
    for (int64_t i = decimals; i < 0; i++)
        power *= 10;
    const uint64_t quotient = x / power, rest = x % power, half = power / 2;
    return (quotient + (rest > half || (rest == half && quotient % 2))) * power;
}
