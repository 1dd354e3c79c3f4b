/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smooth activations of neural networks. For arguments towards an infinity they have the limit
 * of the function, with its sign; 0 times infinity never makes a NaN. f32 is computed in f64 with
 * an error below 0.501 units in the last place. A power of e that could underflow by itself is
 * scaled after it is multiplied.
 */
#pragma once

#include "exp.h"
#include "exp_short.h"
#include "log.h"

#include "error_function.h"

/* ---- by the sigmoid ------------------------------------------------------------------------- */

/*
 * Returns slightly more than x / 2. Near 0 the result is x / 2 plus a positive term that f64 cannot
 * represent, but x / 2 may be exactly in the middle between two f32 or bf16, and then the term
 * decides.
 */
static ALWAYS_INLINE double half_and_more(double x)
{
    const double half = 0.5 * x;
    return x == 0 ? x : fma_f64(magnitude_f64(half), 0x1p-52, half);
}

/* x sigmoid(x). Below -110 the result is less than half of the smallest f32. */
static ALWAYS_INLINE double silu_f32(double x)
{
    const double y = x < -110 ? -110 : x, result = y * sigmoid_f32(y);
    return magnitude_f64(x) < 0x1p-40 ? half_and_more(x) : result;
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
    const double above = x < -760 ? -760 : x, inside = above > 60 ? 60 : above;
    const struct sigmoid_parts s = sigmoid_parts(inside, 0);
    const double product = pair_times((struct pair){s.value, s.low}, inside);
    const double result = s.negative ? exp_scaled(product, s.shifted) : product;
    return x < 60 ? result : x;
}

/* log(sigmoid(x)) is -log(1 + e^-x); for negative x it is computed as x + log(sigmoid(-x)). */
static ALWAYS_INLINE double log_sigmoid_f32(double x)
{
    const double a = magnitude_f64(x), l = core_log1p(core_exp(-(a < 700 ? a : 700)));
    const double result = x < 0 ? x - l : -l;
    return x == x ? result : x;
}

/* Where |x| > 40, log(1 + e^-|x|) rounds to e^-|x|, which is scaled last: it may be subnormal. */
static ALWAYS_INLINE double log_sigmoid_f64(double x)
{
    const double a = magnitude_f64(x);
    const struct exp_cut cut = exp_cut(-(a < 760 ? a : 760));
    const struct pair sum = exp_core(cut.r, cut.low);
    const double p = sum.high + sum.low, power = exp_scaled(p, cut.shifted);
    const double p_low = (sum.high - p) + sum.low, scale = power_below(cut.n < -60 ? 60 : -cut.n);
    const struct pair log = log1p_parts(0, p * scale, p_low * scale);
    const bool far = a > 40;
    const struct pair l = {far ? power : log.high, far ? 0 : log.low};
    const double negative = x < 0 ? (x < -760 ? -760 : x) : -1;
    const struct pair whole = pair_of_sum(negative, -l.high);
    const double below = whole.high + (whole.low - l.low), above = -(l.high + l.low);
    const double inside = x > -760 ? below : x;
    return x >= 0 ? above : inside;
}

/* log(x / (1 - x)). Near 1/2 it is 2 atanh(2 x - 1), whose argument is exact. */
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

/*
 * The quotient q = x / (1 - x) is known with more bits than f64 has. If it is between sqrt(1/2) and
 * sqrt(2), log(q) is computed as log(1 + (2 x - 1) / (1 - x)). Elsewhere log(q) is so large that
 * the extra bits of q can simply be added to it.
 */
static ALWAYS_INLINE double logit_f64(double x)
{
    const double y = ((x > 0) & (x < 1)) ? x : 0.5;
    const struct pair below = pair_of_sorted(1, -y);
    const double inverse = 1 / below.high, q = y * inverse;
    const double q_low = (fma_f64(-q, below.high, y) - q * below.low) * inverse;
    const struct log_cut cut = log_cut_any(q);
    const bool near = cut.k == 0;
    const double top = near ? 2 * y - 1 : 0, w = top * inverse;
    const double w_low = (fma_f64(-w, below.high, top) - w * below.low) * inverse;
    const double f = near ? w : cut.f, d = near ? w_low : q < 0x1p-900 ? 0 : q_low * cut.scale;
    const struct pair log = log_parts(cut.k, f, d / (1 + f));
    return logit_limit(x, log.high + log.low);
}

/* ---- by log(1 + e^x) ------------------------------------------------------------------------ */

/* log(1 + e^(x b)) / b; for positive x b it is computed as x + log(1 + e^-(x b)) / b. */
static ALWAYS_INLINE double softplus_f32(double x, double b)
{
    const double t = x * b, a = magnitude_f64(t);
    const double l = core_log1p(core_exp(-(a < 700 ? a : 700))) / b;
    const double result = t > 0 ? x + l : l;
    return t == t ? result : t;
}

/* If -|x b| is below -40, log(1 + e^-|x b|) is the power itself, which is scaled last. */
static ALWAYS_INLINE double softplus_f64(double x, double b)
{
    const double up = magnitude_f64(b) > 0x1p500 ? 0x1p500 : 1.0;
    const double down = magnitude_f64(x) > 0x1p500 ? 0x1p-500 : up; /* no part may overflow */
    const struct pair t = pair_of_product(x * down, b * (1 / down));
    const double side = t.high > 0 ? -1.0 : 1.0, y = t.high * side;
    const bool within = y > -1400, far = y < -40;
    const struct pair_power p = pair_exp(within ? y : -1400, within ? t.low * side : 0);
    const double power = far ? 0 : p.half * p.other;
    const struct pair log = log1p_parts(0, p.m.high * power, p.m.low * power);
    const struct pair above = {far ? p.m.high : log.high, far ? p.m.low : log.low};
    const struct pair_scale scale = pair_scale_of(b);
    const struct pair q = pair_quotient(above, (struct pair){b * scale.by, 0});
    const double q_low = ((b != 0) & (magnitude_f64(b) < __builtin_inf())) ? q.low : 0;
    const double half = far ? p.half : 1, other = far ? p.other : 1;
    const double high = q.high * half * scale.by * other, low = q_low * half * scale.by * other;
    const double l = within ? high : with_sign_f64(0, b), l_low = within ? low : 0;
    const struct pair sum = pair_of_sum(t.high > 0 ? x : 0, l);
    const bool finite = magnitude_f64(sum.high) < __builtin_inf();
    const double above_0 = finite ? sum.high + (sum.low + l_low) : sum.high;
    const double below_0 = far ? (q.high + q_low) * half * scale.by * other : high + low;
    const double result = t.high > 0 ? above_0 : within ? below_0 : l;
    return t.high == t.high ? result : t.high;
}

/*
 * x tanh(log(1 + e^x)). With e = e^-|x| the hyperbolic tangent is (1 + 2 e) / (1 + 2 e + 2 e^2) for
 * positive x and e (2 + e) / (2 + e (2 + e)) for negative x.
 */
static ALWAYS_INLINE double mish_f32(double x)
{
    const double inside = x < -120 ? -120 : x, a = magnitude_f64(inside);
    const double e = core_exp(-(a < 120 ? a : 120)), up = 1 + 2 * e, down = e * (2 + e);
    const double positive = x * (up / (up + 2 * e * e)), negative = inside * down / (2 + down);
    return x < 0 ? negative : positive;
}

/* With e = 2^n p it is 2^n x p (2 + e) / (2 + e (2 + e)) for negative x, and x from 40 on. */
static ALWAYS_INLINE double mish_f64(double x)
{
    const double above = x < -760 ? -760 : x, inside = above > 40 ? 40 : above;
    const struct exp_cut cut = exp_cut(-magnitude_f64(inside));
    const struct pair sum = exp_core(cut.r, cut.low);
    const double p = sum.high + sum.low, p_low = (sum.high - p) + sum.low;
    const double scale = power_below(cut.n < -100 ? 100 : -cut.n), e = p * scale,
                 e_low = p_low * scale;
    const struct pair up = pair_of_sorted(1, 2 * e), two = pair_of_sorted(2, e);
    const struct pair square = pair_of_product(e, e);
    const struct pair product = pair_of_product(p, two.high);
    const double up_low = fma_f64(2, e_low, up.low), two_low = two.low + e_low;
    const double square_low = fma_f64(2 * e, e_low, square.low);
    const double product_low = fma_f64(p, two_low, fma_f64(p_low, two.high, product.low));
    const bool negative = x < 0;
    const struct pair top = {negative ? product.high : up.high, negative ? product_low : up_low};
    const struct pair rest = {negative ? product.high * scale : 2 * square.high,
                              negative ? product_low * scale : 2 * square_low};
    const struct pair bottom = pair_of_sorted(negative ? 2 : up.high, rest.high);
    const double bottom_low = bottom.low + ((negative ? 0 : up_low) + rest.low);
    const struct pair q = pair_quotient(top, (struct pair){bottom.high, bottom_low});
    const bool tiny = magnitude_f64(x) < 0x1p-500;
    const double result = pair_times(q, inside * (tiny ? 0x1p200 : 1)) * (tiny ? 0x1p-200 : 1);
    const double usual = negative ? exp_scaled(result, cut.shifted) : result;
    return x < 40 ? usual : x;
}

/* ---- by e^x - 1 ----------------------------------------------------------------------------- */

/* Returns 2^-down (e^x - 1) as a pair; -inf <= x <= 1460, and `down` is an integer. */
static ALWAYS_INLINE struct pair expm1_pair(double x, double down)
{
    const struct exp_cut cut = exp_cut(x < -50 ? -50 : x);
    const struct pair parts = expm1_core(cut);
    const struct pair sum = pair_of_sorted(parts.high, parts.low);
    const double shifted = cut.shifted - down;
    return (struct pair){x == 0 ? x : exp_scaled(sum.high, shifted), exp_scaled(sum.low, shifted)};
}

/* x if x > 0, else alpha (e^x - 1). */
static ALWAYS_INLINE double elu_f64(double x, double alpha)
{
    const double below =
        pair_product_of_any(expm1_pair(x < 40 ? x : 40, 0), (struct pair){alpha, 0});
    return x > 0 ? x : x == x ? below : x;
}

static ALWAYS_INLINE double elu_f32(double x, double alpha)
{
    return x > 0 ? x : alpha * expm1_f64(x);
}

static ALWAYS_INLINE bool elu_has_short_f32(float x, float alpha)
{
    const float a = magnitude_f32(alpha);
    return (x == x) & is_usual_f32(x) & (a > 0x1p-60f) & (a < 0x1p60f);
}

/* The limit is not 0: with 0 clang 14 loses the sign of a zero in loops without SSE4. */
static ALWAYS_INLINE double elu_short_f32(double x, double alpha)
{
    const double below = alpha * expm1_short_f32(x < 80 ? x : 80);
    return x > 0 ? x : below;
}

/*
 * x if x > 0, else alpha (e^(x / alpha) - 1), scaled if a tiny negative alpha overflows the power.
 */
static ALWAYS_INLINE double celu_f64(double x, double alpha)
{
    const double ratio = (x > 0 ? 0 : x) / alpha, size = magnitude_f64(alpha);
    const double bounded = ratio < 1460 ? ratio : 1460, down = ratio > 600 ? 1400 : 0;
    const struct pair power = expm1_pair(bounded, down);
    /* The rounding error of the ratio matters if the power is large. */
    const double part = magnitude_f64(ratio);
    const bool usual = (size > 0) & (part < 1460) & (part > 0x1p-60);
    const double up = size < 0x1p-300 ? 0x1p600 : 1.0, scale = size > 0x1p300 ? 0x1p-600 : up;
    const double y = usual ? x * scale : 0, divisor = usual ? alpha * scale : 1;
    const double lost = fma_f64(usual ? negated_f64(ratio) : 0, divisor, y) / divisor;
    const double slope = power.high + (ratio > 600 ? 0 : 1);
    const struct pair whole = {ratio < __builtin_inf() ? power.high : __builtin_inf(),
                               usual ? fma_f64(slope, lost, power.low) : power.low};
    const double back = ratio > 600 ? 0x1p700 : 1;
    const double product = pair_product_of_any(whole, (struct pair){alpha, 0}) * back * back;
    const double below = ratio == ratio ? product : ratio;
    const bool tiny = (part <= 0x1p-60) & (size < __builtin_inf());
    return ((x > 0) | tiny) ? x : below;
}

#define celu_f32 celu_f64

/*
 * scale * elu(x, alpha) with alpha = 1.6732632423543772848170429916717 and scale =
 * 1.0507009873554804934193349852946. The constants are the factor above 0, which is the scale, and
 * the factor below 0, which is scale * alpha.
 */
#define SELU_ABOVE     0x1.0cfabd6a91132p+0
#define SELU_ABOVE_LOW 0x1.6fc7d272f2695p-55
#define SELU_BELOW     0x1.c212cc640f031p+0
#define SELU_BELOW_LOW 0x1.05161b045a1fep-56

static ALWAYS_INLINE double selu_f64(double x)
{
    const struct pair below = expm1_pair(x < 40 ? x : 40, 0);
    const bool up = x > 0;
    const struct pair value = {up ? x : below.high, up ? 0 : below.low};
    const struct pair factor = {up ? SELU_ABOVE : SELU_BELOW, up ? SELU_ABOVE_LOW : SELU_BELOW_LOW};
    const double result = pair_product_of_any(value, factor);
    return x == x ? result : x;
}

static ALWAYS_INLINE double selu_f32(double x)
{
    return x > 0 ? SELU_ABOVE * x : SELU_BELOW * expm1_f64(x);
}

static ALWAYS_INLINE bool selu_has_short_f32(float x)
{
    return (x == x) & is_usual_f32(x);
}

static ALWAYS_INLINE double selu_short_f32(double x)
{
    const double below = SELU_BELOW * expm1_short_f32(x < 80 ? x : 80);
    return x > 0 ? SELU_ABOVE * x : below;
}

/* ---- by the normal distribution ------------------------------------------------------------- */

#define ROOT_HALF     0x1.6a09e667f3bcdp-1
#define ROOT_HALF_LOW -0x1.bdd3413b26456p-55

/* x Phi(x) with Phi(-|x|) = erfc(|x| sqrt(1/2)) / 2. The square of an f32 is exact. */
static ALWAYS_INLINE double gelu_f32(double x)
{
    const double a = magnitude_f64(x), y = a < 14.9 ? a : 14.9, inside = x < -14.9 ? -14.9 : x;
    const double tail = 0.5 * core_exp(-0.5 * (y * y)) * erfc_scaled_f32(y * ROOT_HALF);
    const double result = inside * (x < 0 ? tail : 1 - tail);
    const double beside = a < 0x1p-40 ? half_and_more(x) : result;
    return x == x ? beside : x;
}

/* Coefficients of Phi(-y) e^(y^2 / 2), 0 <= y <= 14.95, with an error of 2^-45.7. */
static const double gelu_short_p[] = {
    0x1.fffffffffff78p-2, 0x1.43879e34299eep-1, 0x1.941dbb33e08eep-2,  0x1.37c0e06566497p-3,
    0x1.3d13a186e6121p-5, 0x1.a81225c512bf1p-8, 0x1.5afc5ebd2b9fcp-11, 0x1.0fecefe2b4946p-15};

static const double gelu_short_q[] = {
    0x1.0000000000000p+0, 0x1.07e4e3e96462cp+1,  0x1.ef2c10aa0899dp+0,
    0x1.15387931cd248p+0, 0x1.972ba42682f1dp-2,  0x1.9430ef4c41ff9p-4,
    0x1.0b14111406e16p-6, 0x1.b2e1d8235dea4p-10, 0x1.54cee12256442p-14};

static ALWAYS_INLINE bool gelu_has_short_f32(float x)
{
    return (x > -12) & (x < __builtin_inff()) & is_usual_f32(x);
}

static ALWAYS_INLINE double gelu_short_f32(double x)
{
    const double a = magnitude_f64(x), y = a < 14.9 ? a : 14.9;
    const double ratio = HORNER_OR_TWO(y, gelu_short_p) / HORNER_OR_TWO(y, gelu_short_q);
    const double tail = exp_short_f32(-0.5 * (y * y)) * ratio;
    return x * (x < 0 ? tail : 1 - tail);
}

/* It is x (1/2 + x (c + x^2 ...)) near 0, and x times the tail or 1 minus the tail elsewhere. */
static ALWAYS_INLINE double gelu_f64(double x)
{
    const double below = x < -38.9 ? -38.9 : x, inside = below > 38.9 ? 38.9 : below;
    const double y = magnitude_f64(inside), high = y * ROOT_HALF;
    const double low = fma_f64(y, ROOT_HALF_LOW, fma_f64(y, ROOT_HALF, -high));
    const bool near = y < PHI_NEAR, negative = x < 0;
    const struct pair half = phi_near(near ? inside : 0), middle = pair_of_sorted(0.5, half.high);
    const struct erfc_tail tail = erfc_tail_of(near ? 0.5 : high, near ? 0 : low);
    const double m = 0.5 * tail.m, m_low = 0.5 * tail.m_low, scale = tail.half * tail.other;
    const struct pair above = pair_of_sorted(1, negative ? 0 : -m * scale);
    const struct pair far = {negative ? m : above.high,
                             negative ? m_low : above.low - m_low * scale};
    const struct pair factor = {near ? middle.high : far.high,
                                near ? middle.low + half.low : far.low};
    const double product = pair_times(factor, inside);
    const double result = (negative & !near) ? product * tail.half * tail.other : product;
    return x < 38.9 ? result : x;
}

/* x sigmoid(2 u), which is x / 2 (1 + tanh(u)), with u = sqrt(2 / pi) (x + 0.044715 x^3). */
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
    const double value = pair_times((struct pair){s.value, s.low}, y);
    const double result = s.negative ? exp_scaled(value, s.shifted) : value;
    return x < 25 ? result : x;
}

#define silu_of_f64(y, x)      (magnitude_f64(x) < 0x1p-40 ? half_and_more(x) : (y))
#define gelu_of_f64(y, x)      silu_of_f64(y, x)
#define gelu_tanh_of_f64(y, x) silu_of_f64(y, x)
