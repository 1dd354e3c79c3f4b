/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * e^x by a polynomial without tables: e^x = 2^n e^r with |r| <= ln 2 / 2. Every operation is one of
 * IEEE 754 in a fixed order, so every level gives the same bits.
 */
#pragma once

#include "core.h"

#define LOG2_E CORE_LOG2_E

/* Replaces results that overflow or underflow; a NaN stays as it was computed. */
static ALWAYS_INLINE double exp_limit_f64(double x, double result)
{
    result = x > 710.0 ? __builtin_inf() : result;
    return x < -746.0 ? 0.0 : result;
}

/* (2^f - 1) / f, |f| <= 1/2, by a polynomial of degree 9; 2^f has a relative error of 2^-52. */
static ALWAYS_INLINE double exp2_slope(const double c[10], double f)
{
    const double f2 = f * f, f4 = f2 * f2;
    const double c12 = fma_or_two_f64(c[2], f, c[1]), c34 = fma_or_two_f64(c[4], f, c[3]);
    const double c56 = fma_or_two_f64(c[6], f, c[5]), c78 = fma_or_two_f64(c[8], f, c[7]);
    const double c7_9 = fma_or_two_f64(c[9], f2, c78);
    const double c1_4 = fma_or_two_f64(c34, f2, c12), c5_9 = fma_or_two_f64(c7_9, f2, c56);
    return fma_or_two_f64(fma_or_two_f64(c5_9, f4, c1_4), f, c[0]);
}

static ALWAYS_INLINE double exp2_fraction(double f)
{
    return fma_or_two_f64(exp2_slope(core_exp2, f), f, 1.0);
}

/* x log2(e) - n for an f32: the error is 2^-56 of x with fma, and less without. */
static ALWAYS_INLINE double exp_rest(double x, double n)
{
#ifdef HAVE_FMA
    return fma_f64(x, LOG2_E, -n);
#else
    const double high = 0x1.7154765p+0, low = 0x1.5c17f0bbbe88p-31; /* x * high is exact */
    return (x * high - n) + x * low;
#endif
}

/*
 * e^x of an f32. The errors of the rest and of roundings add up to 5 units of 2^-52 for large x.
 * Nevertheless every f32 is rounded correctly, with fma and without: of all results the one nearest
 * to the middle between two f32 is 1.26 units from it (x = -0x1.d2259ap+3), and near there the
 * error is smaller than that. All of them are tested (tests/nightly/every_math.c).
 *
 * n is added to the exponent of the polynomial; in a NaN that was an f32 these bits are 0.
 */
static ALWAYS_INLINE double exp_f32(double x)
{
    const double shifted = fma_or_two_f64(x, LOG2_E, TO_INTEGER), n = shifted - TO_INTEGER;
    const double power = exp2_fraction(exp_rest(x, n));
    const double result = f64_of_bits(f64_bits(power) + (f64_bits(shifted) << 52));
    const double limited = x > 89.0 ? __builtin_inf() : result;
    return x < -104.0 ? 0.0 : limited;
}

/*
 * e^r - 1 - r + rest, |r| <= ln 2 / 2, with an error below 2^-63 except for roundings. These matter
 * most in r^2 / 2, which is therefore not rounded separately.
 */
static ALWAYS_INLINE double exp_tail(double r, double rest)
{
    const double r2 = r * r, r4 = r2 * r2;
    const double *const c = exp_rest_c;
    const double c34 = fma_f64(c[2], r, c[1]), c56 = fma_f64(c[4], r, c[3]);
    const double c78 = fma_f64(c[6], r, c[5]), c910 = fma_f64(c[8], r, c[7]);
    const double c1112 = fma_f64(c[10], r, c[9]);
    const double c7_12 = fma_f64(c1112, r4, fma_f64(c910, r2, c78));
    const double c3_12 = fma_f64(c7_12, r4, fma_f64(c56, r2, c34));
    return fma_f64(0.5 * r, r, fma_f64(r2 * r, c3_12, rest));
}

/* e^(r + low), |r| <= ln 2 / 2; the lower part includes the rounding error of 1 + r. */
static ALWAYS_INLINE struct pair exp_core(double r, double low)
{
    const double sum = 1 + r, lost = fma_f64(low, sum, r - (sum - 1));
    return (struct pair){sum, exp_tail(r, lost)};
}

/* 2^n x for n + 2048 in `shifted`. */
static ALWAYS_INLINE double exp_scaled(double x, double shifted)
{
    const struct exp_scale scale = exp_scale(shifted);
    return x * scale.half * scale.other;
}

/* The largest error found is 0.552 units (docs/accuracy.md), or 0.75 for subnormal results. */
static ALWAYS_INLINE double exp_f64(double x)
{
    const struct exp_cut cut = exp_cut(x);
    const struct pair power = exp_core(cut.r, cut.low);
    return exp_limit_f64(x, exp_scaled(power.high + power.low, cut.shifted));
}

/* 2^n (high + low) if that is not subnormal, for an integer n in the lowest bits of `shifted`. */
static ALWAYS_INLINE double exp_times(struct pair power, double shifted)
{
    return f64_of_bits(f64_bits(power.high + power.low) + (f64_bits(shifted) << 52));
}

static ALWAYS_INLINE bool exp_is_near_f64(double x)
{
    return magnitude_f64(x) < 700;
}

static ALWAYS_INLINE double exp_near_f64(double x)
{
    const struct exp_cut cut = exp_cut_by(x, TO_INTEGER);
    return exp_times(exp_core(cut.r, cut.low), cut.shifted);
}

/* ---- 2^x and 10^x ---------------------------------------------------------------------------- */

/*
 * core_exp2 would round one f32 wrongly, which is too near to a middle. These coefficients are
 * fitted up to f = 0.61, with an error that changes its sign elsewhere.
 */
static const double exp2_c[] = {0x1.62e42fefa39fbp-1,  0x1.ebfbdff82cae3p-3,  0x1.c6b08d704226ap-5,
                                0x1.3b2ab6fa89360p-7,  0x1.5d87fe9443dbcp-10, 0x1.430916e79c085p-13,
                                0x1.ffcb6e0e9159ep-17, 0x1.62b5cc2d66d82p-20, 0x1.b65c5bf98af63p-24,
                                0x1.f7518a9ead5f5p-28};

static ALWAYS_INLINE double exp2_f32(double x)
{
    const double shifted = x + TO_INTEGER, n = shifted - TO_INTEGER, f = x - n;
    const double slope = exp2_slope(exp2_c, f), sum = fma_or_two_f64(slope, f, 1.0);
    const double power = odd_f64(sum, fma_or_two_f64(slope, f, 1 - sum));
    const double result = f64_of_bits(f64_bits(power) + (f64_bits(shifted) << 52));
    const double limited = x > 129.0 ? __builtin_inf() : result;
    return x < -151.0 ? 0.0 : limited;
}

/* Returns 2^f. */
static ALWAYS_INLINE struct pair exp2_core(double f)
{
    const double ln2 = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56, r = f * ln2;
    return exp_core(r, fma_f64(f, ln2_low, fma_f64(f, ln2, -r)));
}

static ALWAYS_INLINE bool exp2_is_near_f64(double x)
{
    return magnitude_f64(x) < 1000;
}

static ALWAYS_INLINE double exp2_near_f64(double x)
{
    const double shifted = x + TO_INTEGER;
    return exp_times(exp2_core(x - (shifted - TO_INTEGER)), shifted);
}

static ALWAYS_INLINE double exp2_f64(double x)
{
    const double shifted = x + TO_SCALE;
    const struct pair power = exp2_core(x - (shifted - TO_SCALE));
    const double result = exp_scaled(power.high + power.low, shifted);
    const double limited = x >= 1024 ? __builtin_inf() : result;
    return x < -1076 ? 0.0 : limited;
}

/* Returns 2^(x (high + low)) of an f32, within 2^-53; high has 26 bits, so x * high is exact. */
static ALWAYS_INLINE double exp_of_base(double x, double high, double low)
{
    const double product = x * high, rest = x * low;
    const double shifted = product + TO_INTEGER, n = shifted - TO_INTEGER;
    const double power = exp2_fraction((product - n) + rest);
    return f64_of_bits(f64_bits(power) + (f64_bits(shifted) << 52));
}

static ALWAYS_INLINE double exp10_f32(double x)
{
    const double result = exp_of_base(x, 0x1.a934f08p+1, 0x1.79a3715fc9258p-27);
    const double limited = x > 39.0 ? __builtin_inf() : result;
    return x < -46.0 ? 0.0 : limited;
}

/* 10^x / 2^n with log10(2) in two parts, the first of 42 bits, and ln 10 in two parts. */
static ALWAYS_INLINE struct pair exp10_core(double x, double n)
{
    const double log10_2_high = 0x1.34413509f78p-2, log10_2_low = 0x1.fef311f12b358p-46;
    const double ln10 = 0x1.26bb1bbb55516p+1, ln10_low = -0x1.f48ad494ea3e9p-53;
    const double high = fma_f64(n, -log10_2_high, x), f = fma_f64(n, -log10_2_low, high);
    const double f_low = fma_f64(n, -log10_2_low, high - f), r = f * ln10;
    return exp_core(r, fma_f64(f_low, ln10, fma_f64(f, ln10_low, fma_f64(f, ln10, -r))));
}

#define LOG2_10 0x1.a934f0979a371p+1

static ALWAYS_INLINE bool exp10_is_near_f64(double x)
{
    return magnitude_f64(x) < 300;
}

static ALWAYS_INLINE double exp10_near_f64(double x)
{
    const double shifted = fma_f64(x, LOG2_10, TO_INTEGER);
    return exp_times(exp10_core(x, shifted - TO_INTEGER), shifted);
}

static ALWAYS_INLINE double exp10_f64(double x)
{
    const double shifted = fma_f64(x, LOG2_10, TO_SCALE);
    const struct pair power = exp10_core(x, shifted - TO_SCALE);
    const double result = exp_scaled(power.high + power.low, shifted);
    const double limited = x > 309 ? __builtin_inf() : result;
    return x < -324 ? 0.0 : limited;
}

/* ---- e^x - 1 --------------------------------------------------------------------------------- */

/* 2^-n for an integer n, 0 to 1022. */
static ALWAYS_INLINE double power_below(double n)
{
    return f64_of_bits((1023 - (f64_bits(n + TO_INTEGER) & 0x7FF)) << 52);
}

/*
 * e^x - 1 = 2^n (1 - 2^-n + (e^r - 1)). 1 - 2^-n is 0 or larger than r, and its rounding error is
 * kept; for n > 60 it is 1. The largest error is where the sum is nearest to 0, for x from 0.35 to
 * 0.4.
 */
static ALWAYS_INLINE struct pair expm1_core(struct exp_cut cut)
{
    const double n = cut.n, few = n > 60 ? 60 : n;
    const double part = f64_of_bits((1023 - (f64_bits(few + TO_SCALE) & 0xFFF) + 2048) << 52);
    const double whole = 1 - part, sum = whole + cut.r, lost = (whole - sum) + cut.r;
    return (struct pair){sum, lost + exp_tail(cut.r, cut.low + ((1 - whole) - part))};
}

static ALWAYS_INLINE double expm1_f64(double x)
{
    const struct exp_cut cut = exp_cut(x < -50 ? -50 : x);
    const struct pair sum = expm1_core(cut);
    const double result = exp_scaled(sum.high + sum.low, cut.shifted);
    const double limited = x > 710 ? __builtin_inf() : result;
    return x == 0 ? x : limited;
}

/* There is no cheaper form: every step counts near the middle between two f32. */
#define expm1_f32 expm1_f64

/* ---- 1 / (1 + e^-x) -------------------------------------------------------------------------- */

/*
 * Near 0 it is 1/2 + x / 4 - x^3 / 48 + x^5 / 480. x / 4 may be exactly in the middle between two
 * f32, and the smaller terms, which decide then, are too small for f64, so the sum is rounded to
 * odd.
 */
static ALWAYS_INLINE double sigmoid_f32(double x)
{
    const double above = x < -110 ? -110 : x, inside = above > 40 ? 40 : above;
    const double power = exp_of_base(-inside, 0x1.7154760p+0, 0x1.4ae0bf85ddf44p-26);
    const double y = 0.25 * x, x2 = x * x, half = 0.5 + y;
    const double rest = (0.5 - half + y) + x * x2 * (x2 * (1.0 / 480) - 1.0 / 48);
    const double sum = half + rest, near = odd_f64(sum, (half - sum) + rest);
    const double far = 1 / (1 + power);
    return ((x < 0x1p-9) & (x > -0x1p-9)) ? near : far;
}

/*
 * The sigmoid of x + low for low far below x. With e^-|x| = 2^n p it is 1 / (1 + 2^n p) or 2^n p /
 * (1 + 2^n p). In the second case `value` lacks the factor 2^n, with which it may be too small for
 * f64. The quotient is corrected by the rounding errors of its numerator and denominator. From -760
 * on, the product with x is 0 too.
 */
struct sigmoid_parts {
    double value, low, shifted;
    bool negative; /* shifted has n, for exp_scaled; otherwise value + low is the result */
};

static ALWAYS_INLINE struct sigmoid_parts sigmoid_parts(double x, double low)
{
    const bool negative = x < 0;
    const double y = negative ? x : -x, inside = y < -760 ? -760 : y;
    const struct exp_cut cut = exp_cut(inside);
    const struct pair sum = exp_core(cut.r, cut.low);
    const double p = sum.high + sum.low;
    const double p_low = fma_f64(p, negative ? low : -low, (sum.high - p) + sum.low);
    const double part = power_below(cut.n < -100 ? 100 : -cut.n);
    const double e = p * part, below = 1 + e, below_low = (1 - below) + e + p_low * part;
    const double above = negative ? p : 1, above_low = negative ? p_low : 0;
    const double q = above / below;
    const double rest = fma_f64(-q, below, above) + (above_low - q * below_low);
    return (struct sigmoid_parts){q, rest / below, cut.shifted, negative};
}

static ALWAYS_INLINE double sigmoid_f64(double x)
{
    const struct sigmoid_parts s = sigmoid_parts(x, 0);
    const double value = s.value + s.low;
    return x == x ? (s.negative ? exp_scaled(value, s.shifted) : value) : x;
}
