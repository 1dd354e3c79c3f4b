/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smooth activations of neural networks. Where the argument goes to an infinity they have the
 * limit of the function, with its sign, and no NaN out of 0 times infinity. f32 is computed in f64
 * and off by less than 0.501 units in the last place; powers that may be below the numbers by
 * themselves are scaled after they are multiplied.
 */
#ifndef STRIA_SIMD_MATH_ACTIVATION_H
#define STRIA_SIMD_MATH_ACTIVATION_H

#include "exp.h"
#include "exp_short.h"
#include "log.h"

#include "error_function.h"

/* ---- by the sigmoid ------------------------------------------------------------------------- */

/*
 * Beside 0 what is x times 1/2 and more may lie exactly in the middle between two f32 or bf16; what
 * decides is less than f64 holds, and always above it.
 */
static ALWAYS_INLINE double half_and_more(double x)
{
    const double half = 0.5 * x;
    return x == 0 ? x : fma_f64(magnitude_f64(half), 0x1p-52, half);
}

/* x sigmoid(x). An f32 below -110 gives less than half of the smallest one. */
static ALWAYS_INLINE double silu_f32(double x)
{
    const double y = x < -110 ? -110 : x, result = y * sigmoid_f32(y);
    return magnitude_f64(x) < 0x1p-40 ? half_and_more(x) : result;
}

/* A result of f32 that is normal, or zero. */
static ALWAYS_INLINE bool is_usual_f32(float x)
{
    const float a = magnitude_f32(x);
    return (a == 0) | (a > 0x1p-60f);
}

static ALWAYS_INLINE bool silu_has_short_f32(float x)
{
    return (x > -80) & (x < __builtin_inff()) & is_usual_f32(x);
}

static ALWAYS_INLINE double silu_short_f32(double x)
{
    return x * sigmoid_short_f32(x);
}

static ALWAYS_INLINE double silu_f64(double x)
{
    const struct sigmoid_parts s = sigmoid_parts(x, 0);
    const double inside = x < -760 ? -760 : x, product = inside * s.value;
    return x == x ? (s.negative ? exp_scaled(product, s.shifted) : product) : x;
}

/* log(sigmoid(x)) is -log(1 + e^-x), and x less that of -x where x is negative. */
static ALWAYS_INLINE double log_sigmoid_f32(double x)
{
    const double a = magnitude_f64(x), l = core_log1p(core_exp(-(a < 700 ? a : 700)));
    const double result = x < 0 ? x - l : -l;
    return x == x ? result : x;
}

static ALWAYS_INLINE double log_sigmoid_f64(double x)
{
    const double l = log1p_f64(exp_f64(-magnitude_f64(x)));
    return x < 0 ? x - l : -l;
}

/* log(x / (1 - x)); beside 1/2 it is 2 atanh(2 x - 1), whose argument is exact. */
static ALWAYS_INLINE double logit_limit(double x, double result)
{
    const double inf = __builtin_inf(), above = x == 1 ? inf : result;
    const double inside = x == 0 ? -inf : above;
    return ((x >= 0) & (x <= 1)) ? inside : __builtin_nan("");
}

static ALWAYS_INLINE double logit_f32(double x)
{
    const bool near = (x > 0.45) & (x < 0.55), within = (x > 0) & (x < 1);
    const double s = near ? 2 * x - 1 : 0, y = within ? x : 0.5;
    const double far = core_log(y / (1 - y));
    return logit_limit(x, near ? 2 * core_atanh_of_near(s) : far);
}

static ALWAYS_INLINE double logit_f64(double x)
{
    const bool near = (x >= 0.25) & (x <= 0.75), within = (x > 0) & (x < 1);
    const double y = within ? x : 0.5, below = 1 - y;
    const double beside = log1p_f64((near ? 2 * y - 1 : 0) / below), far = log_f64(y / below);
    return logit_limit(x, near ? beside : far);
}

/* ---- by log(1 + e^x) ------------------------------------------------------------------------ */

/* log(1 + e^(x b)) / b. Where x b is positive it is x + log(1 + e^-(x b)) / b. */
static ALWAYS_INLINE double softplus_f32(double x, double b)
{
    const double t = x * b, a = magnitude_f64(t);
    const double l = core_log1p(core_exp(-(a < 700 ? a : 700))) / b;
    const double result = t > 0 ? x + l : l;
    return t == t ? result : t;
}

/* Below -40 the logarithm is the power itself, which is scaled last. */
static ALWAYS_INLINE double softplus_f64(double x, double b)
{
    const double up = magnitude_f64(b) > 0x1p500 ? 0x1p500 : 1.0;
    const double down = magnitude_f64(x) > 0x1p500 ? 0x1p-500 : up; /* no part may overflow */
    const struct pair t = pair_of_product(x * down, b * (1 / down));
    const double side = t.high > 0 ? -1.0 : 1.0, y = t.high * side;
    const bool within = y > -1400;
    const struct pair_power p = pair_exp(within ? y : -1400, within ? t.low * side : 0);
    const double m = p.m.high + p.m.low;
    const double near = log1p_f64(m * p.half * p.other) / b, powers = m / b * p.half * p.other;
    const double far = within ? powers : with_sign_f64(0, b);
    const double l = y < -40 ? far : near, result = t.high > 0 ? x + l : l;
    return t.high == t.high ? result : t.high;
}

/*
 * x tanh(log(1 + e^x)). With e = e^-|x| the hyperbolic tangent is (1 + 2 e) / (1 + 2 e + 2 e^2) for
 * a positive x, and e (2 + e) / (2 + e (2 + e)) for a negative one.
 */
static ALWAYS_INLINE double mish_f32(double x)
{
    const double inside = x < -120 ? -120 : x, a = magnitude_f64(inside);
    const double e = core_exp(-(a < 120 ? a : 120)), up = 1 + 2 * e, down = e * (2 + e);
    const double positive = x * (up / (up + 2 * e * e)), negative = inside * down / (2 + down);
    return x < 0 ? negative : positive;
}

/* Within 3 units in the last place. */
static ALWAYS_INLINE double mish_f64(double x)
{
    const double inside = x < -760 ? -760 : x, a = magnitude_f64(inside);
    const struct exp_cut cut = exp_cut(-(a < 760 ? a : 760));
    const struct exp_sum sum = exp_core(cut.r, cut.low);
    const double p = sum.high + sum.low, e = exp_scaled(p, cut.shifted);
    const double up = 1 + 2 * e, down = e * (2 + e);
    const double positive = x * (up / (up + 2 * e * e));
    const double negative = exp_scaled(inside * (p * (2 + e)) / (2 + down), cut.shifted);
    return x < 0 ? negative : positive;
}

/* ---- by e^x - 1 ----------------------------------------------------------------------------- */

/* x where it is positive, else alpha (e^x - 1). */
static ALWAYS_INLINE double elu_f64(double x, double alpha)
{
    return x > 0 ? x : alpha * expm1_f64(x);
}

static ALWAYS_INLINE double elu_f32(double x, double alpha)
{
    return elu_f64(x, alpha);
}

static ALWAYS_INLINE bool elu_has_short_f32(float x, float alpha)
{
    const float a = magnitude_f32(alpha);
    return (x == x) & is_usual_f32(x) & (a > 0x1p-60f) & (a < 0x1p60f);
}

/* The bound is not 0: with that clang 14 loses the sign of a zero in loops without SSE4. */
static ALWAYS_INLINE double elu_short_f32(double x, double alpha)
{
    const double below = alpha * expm1_short_f32(x < 80 ? x : 80);
    return x > 0 ? x : below;
}

/* x where it is positive, else alpha (e^(x / alpha) - 1). */
static ALWAYS_INLINE double celu_f64(double x, double alpha)
{
    const double ratio = (x > 0 ? 0 : x) / alpha, power = expm1_f64(ratio),
                 size = magnitude_f64(alpha);
    /* What the ratio loses matters where the power is large. */
    const double part = magnitude_f64(ratio);
    const bool usual = (size > 0) & (part < 710) & (part > 0x1p-60);
    const double up = size < 0x1p-300 ? 0x1p600 : 1.0, scale = size > 0x1p300 ? 0x1p-600 : up;
    const double y = usual ? x * scale : 0, divisor = usual ? alpha * scale : 1;
    const double lost = fma_f64(usual ? negated_f64(ratio) : 0, divisor, y) / divisor;
    const double below = alpha * (usual ? power + (power + 1) * lost : power);
    const bool tiny = (part <= 0x1p-60) & (size < __builtin_inf());
    return ((x > 0) | tiny) ? x : below;
}

static ALWAYS_INLINE double celu_f32(double x, double alpha)
{
    return celu_f64(x, alpha);
}

/* scale * elu(x, alpha) with alpha = 1.67326324235437728481704, scale = 1.05070098735548049341933
 */
static ALWAYS_INLINE double selu_f64(double x)
{
    return x > 0 ? 0x1.0cfabd6a91132p+0 * x : 0x1.c212cc640f031p+0 * expm1_f64(x);
}

static ALWAYS_INLINE double selu_f32(double x)
{
    return selu_f64(x);
}

static ALWAYS_INLINE bool selu_has_short_f32(float x)
{
    return (x == x) & is_usual_f32(x);
}

static ALWAYS_INLINE double selu_short_f32(double x)
{
    const double below = 0x1.c212cc640f031p+0 * expm1_short_f32(x < 80 ? x : 80);
    return x > 0 ? 0x1.0cfabd6a91132p+0 * x : below;
}

/* ---- by the normal distribution ------------------------------------------------------------- */

#define ROOT_HALF     0x1.6a09e667f3bcdp-1
#define ROOT_HALF_LOW -0x1.bdd3413b26456p-55

/* x Phi(x), Phi(-|x|) = erfc(|x| sqrt(1/2)) / 2. The square of an f32 is exact. */
static ALWAYS_INLINE double gelu_f32(double x)
{
    const double a = magnitude_f64(x), y = a < 14.9 ? a : 14.9, inside = x < -14.9 ? -14.9 : x;
    const double tail = 0.5 * core_exp(-0.5 * (y * y)) * erfc_scaled_f32(y * ROOT_HALF);
    const double result = inside * (x < 0 ? tail : 1 - tail);
    const double beside = a < 0x1p-40 ? half_and_more(x) : result;
    return x == x ? beside : x;
}

static ALWAYS_INLINE double gelu_f64(double x)
{
    const double a = magnitude_f64(x), inside = x < -38.9 ? -38.9 : x, y = a < 38.9 ? a : 38.9;
    const double high = y * ROOT_HALF;
    const double low = fma_f64(y, ROOT_HALF_LOW, fma_f64(y, ROOT_HALF, -high));
    const bool near = high < 0.5;
    const double z = near ? high * high : 0, half = 0.5 * fma_f64(high, HORNER(z, erf_small), high);
    const struct erfc_tail tail = erfc_tail_of(near ? 0.5 : high, near ? 0 : low);
    const double above = x * (1 - 0.5 * tail.m * tail.half * tail.other);
    const double below = inside * (0.5 * tail.m) * tail.half * tail.other;
    const double middle = x * (x < 0 ? 0.5 - half : 0.5 + half), far = x < 0 ? below : above;
    return near ? middle : x == x ? far : x;
}

/* x sigmoid(2 u), u = sqrt(2 / pi) (x + 0.044715 x^3): x / 2 (1 + tanh(u)). */
#define GELU_CUBE       0x1.6e4e26d4801f7p-5
#define GELU_FACTOR     0x1.9884533d43651p+0
#define GELU_FACTOR_LOW -0x1.cbc0d30ebfd15p-54

static ALWAYS_INLINE double gelu_tanh_f32(double x)
{
    const double below = x < -12 ? -12 : x, y = below > 12 ? 12 : below;
    const double t = GELU_FACTOR * (y * fma_f64(GELU_CUBE, y * y, 1));
    const double result = below / (1 + core_exp(-t));
    const double beside = magnitude_f64(x) < 0x1p-40 ? half_and_more(x) : result;
    return x == x ? beside : x;
}

static ALWAYS_INLINE double gelu_tanh_f64(double x)
{
    const double below = x < -25 ? -25 : x, y = below > 25 ? 25 : below;
    const struct pair square = pair_of_product(y, y);
    const struct pair part = pair_of_product(square.high, GELU_CUBE);
    const struct pair sum = pair_of_sum(1, part.high);
    const double sum_low = sum.low + fma_f64(square.low, GELU_CUBE, part.low);
    const struct pair product = pair_of_product(y, sum.high);
    const double product_low = fma_f64(y, sum_low, product.low);
    const struct pair t = pair_of_product(product.high, GELU_FACTOR);
    const double low = t.low + fma_f64(product.high, GELU_FACTOR_LOW, product_low * GELU_FACTOR);
    const struct sigmoid_parts s = sigmoid_parts(t.high, low);
    const double result = below * s.value;
    return x == x ? (s.negative ? exp_scaled(result, s.shifted) : result) : x;
}

#endif
