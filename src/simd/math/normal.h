/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tails of the normal distribution: e^(x^2) erfc(x), log Phi(x), and the inverse of Phi. For y
 * > 1/2, erfc(y) = e^(g - 63/128 - y^2) / (y + 9/16), where g is a rational function
 * (error_function.h); beyond 27.5 an asymptotic series is used. f32 results are those of f64,
 * rounded.
 */
#pragma once

#include "exp.h"
#include "log.h"

#include "error_function.h"

/* (y sqrt(pi) e^(y^2) erfc(y) - 1) / z, z = 1 / y^2, y > 27: -1 / 2 + 3 z / 4 - 15 z^2 / 8 + ... */
static const double normal_far[] = {-0x1p-1,     0x1.8p-1,    -0x1.ep+0,     0x1.a4p+2,
                                    -0x1.d88p+4, 0x1.44d8p+7, -0x1.07ef8p+10};

/*
 * In two parts each: sqrt(1/2), 1 / sqrt(pi), e^(-63/128), -63/128 - log(2), and -log(2 sqrt(pi)).
 */
#define NORMAL_ROOT_HALF     0x1.6a09e667f3bcdp-1
#define NORMAL_ROOT_HALF_LOW -0x1.bdd3413b26456p-55
#define NORMAL_ROOT          0x1.20dd750429b6dp-1
#define NORMAL_ROOT_LOW      0x1.1ae3a914fed80p-57
#define NORMAL_POWER         0x1.38fab4dbc5261p-1
#define NORMAL_POWER_LOW     0x1.926cd318f9340p-56
#define NORMAL_LOG_NEAR      -0x1.2f7217f7d1cf8p+0
#define NORMAL_LOG_NEAR_LOW  0x1.950d871319ff0p-54
#define NORMAL_LOG_FAR       -0x1.43f89a3f0edd6p+0
#define NORMAL_LOG_FAR_LOW   -0x1.053cd734e6a31p-55
#define NORMAL_LN_2          0x1.62e42fefa39efp-1

#define NORMAL_MOST 0x1.fffffffffffffp+1023

/*
 * e^(y^2) erfc(y), 1/2 <= y <= 2^700: e^(-63/128) e^g / (y + 9/16) with |g| <= 0.1 up to 27.5, and
 * beyond that the series over y.
 */
static ALWAYS_INLINE struct pair normal_scaled_tail(double y)
{
    const bool far = y > 27.5;
    const struct pair sum = pair_of_sum(y, 0.5625);
    const double bottom = far ? y : sum.high, inverse = 1 / bottom, z = inverse * inverse;
    const struct pair power = exp_core(far ? 0 : erfc_log(inverse), 0);
    const double first = far ? NORMAL_ROOT : NORMAL_POWER;
    const double first_low = far ? NORMAL_ROOT_LOW : NORMAL_POWER_LOW;
    const double high = far ? 1 : power.high;
    const double low = far ? z * HORNER(z, normal_far) : power.low;
    const struct pair product = pair_of_product(first, high);
    const double product_low = fma_f64(first, low, fma_f64(first_low, high, product.low));
    const double q = product.high * inverse, q_rest = fma_f64(-q, bottom, product.high);
    const double bottom_low = far ? 0 : sum.low;
    return pair_of_sorted(q, (q_rest + (product_low - q * bottom_low)) * inverse);
}

/* For negative x it is 2 e^(x^2) - erfcx(-x), which is infinite below -26.7. */
static ALWAYS_INLINE double erfcx_f64(double x)
{
    const double a = magnitude_f64(x), y = a < 27 ? a : 27;
    const struct pair square = pair_of_product(y, y);
    const struct pair_power p = pair_exp(square.high, square.low);
    const double scale = p.half * p.other;
    const struct pair power = pair_of_sorted(p.m.high, p.m.low);
    const double middle = a < 0.5 ? x : 0, erf = middle * HORNER(middle * middle, erf_small);
    const struct pair one = pair_of_sorted(1, -middle),
                      rest = pair_of_sorted(one.high, one.low - erf);
    const struct pair product = pair_of_product(power.high, rest.high);
    const double low = fma_f64(power.high, rest.low, fma_f64(power.low, rest.high, product.low));
    const double near = (product.high + low) * scale;
    const double down = a > 0x1p500 ? 0x1p-400 : 1, least = a > 0.5 ? a : 0.5;
    const struct pair tail = normal_scaled_tail((least < NORMAL_MOST ? least : NORMAL_MOST) * down);
    const double beyond = a < __builtin_inf() ? (tail.high + tail.low) * down : 0;
    const struct pair below = pair_of_sorted(power.high * scale, -0.5 * tail.high);
    const double parts = below.low + fma_f64(-0.5, tail.low, power.low * scale);
    const double whole = y < 20 ? below.high + parts : power.high * p.half * p.other;
    const double far = x < 0 ? 2 * whole : beyond;
    const double result = a < 0.5 ? near : far;
    return x == x ? result : x;
}

/*
 * log Phi(x). For x > -0.707 it is log(1 + w) with w = Phi(x) - 1, which is negative. Below, it is
 * the sum of the logarithms of the factors of the tail: -x^2 / 2 - log(y + 9/16) + g - 63/128 - log
 * 2 with y = -x / sqrt(2), and from 27.5 on the same with the series.
 */
static ALWAYS_INLINE double log_ndtr_f64(double x)
{
    const double a = magnitude_f64(x), most = a < 0x1p500 ? a : 0x1p500;
    const double high = most * NORMAL_ROOT_HALF;
    const double low = fma_f64(most, NORMAL_ROOT_HALF_LOW, fma_f64(most, NORMAL_ROOT_HALF, -high));
    const bool middle = a<PHI_NEAR, far = high> 27.5;
    const struct pair half = phi_near(middle ? x : 0), less = pair_of_sorted(-0.5, half.high);
    const double y = middle ? 0.5 : high, y_low = middle ? 0 : low, up = far ? 27.5 : y;
    const struct erfc_tail tail = erfc_tail_of(up, far ? 0 : y_low);
    const double scale = -0.5 * tail.half * tail.other;
    const double w = middle ? less.high : tail.m * scale;
    const double w_low = middle ? less.low + half.low : tail.m_low * scale;
    const struct pair above = log1p_parts(0, w, w_low);
    const struct pair sum = pair_of_sum(y, far ? 0 : 0.5625);
    const struct log_cut cut = log_cut(sum.high);
    const double inverse = 1 / sum.high, z = inverse * inverse;
    const struct pair log = log_parts(cut.k, cut.f, (sum.low + y_low) * inverse);
    const double series = z * HORNER(z, normal_far);
    const double beyond = series * (1 - series * (0.5 - series * (1.0 / 3 - series * 0.25)));
    const struct pair square = pair_of_product(most, most);
    const struct pair first = pair_of_sum(-0.5 * square.high, -log.high);
    const struct pair second = pair_of_sum(first.high, far ? NORMAL_LOG_FAR : NORMAL_LOG_NEAR);
    const struct pair third = pair_of_sum(second.high, far ? beyond : tail.g);
    const double rest = (first.low + second.low) + (third.low - log.low);
    const double constant = (far ? NORMAL_LOG_FAR_LOW : NORMAL_LOG_NEAR_LOW) - 0.5 * square.low;
    const double below = a < 0x1p500 ? third.high + (rest + constant) : -0.5 * a * a;
    const double up_to_0 = w == 0 ? w : above.high + above.low;
    const double result = ((x < 0) & !middle) ? below : up_to_0;
    return x == x ? result : x;
}

/* t of w = sqrt(-log(4 p (1 - p))), Phi(-t) = p, 6.1 <= w <= 27.4, within 2^-30. */
static const double ndtri_start_p[] = {0x1.870c63c3820e8p+0, 0x1.57411917d9798p-5,
                                       0x1.4b484d06c6640p+1, 0x1.4d68e222f402cp+1,
                                       0x1.6a5dff3eef928p-2, 0x1.1aeab9a07badfp-7};
static const double ndtri_start_q[] = {0x1.0000000000000p+0, 0x1.158fa51a1535dp+1,
                                       0x1.db1dc3f45f4ffp+0, 0x1.0043bb78d10a3p-2,
                                       0x1.901887d3a564bp-8, 0x1.ced9bd389cc8bp-32};

/* Coefficients of e^g, |g| <= 0.1, within 2^-40. */
static const double ndtri_power[] = {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720};

/*
 * The inverse of Phi. Phi(-t) = p, p <= 1/2, is solved by one step of Newton's method with the
 * second derivative, from a rational function that is within 2^-24. In the middle it solves for Phi
 * - 1/2, since p - 1/2 is exact; in the tails for the logarithm of Phi(-t) / p.
 */
static ALWAYS_INLINE double ndtri_f64(double p)
{
    const double inf = __builtin_inf(), other = p > 0.5 ? 1 - p : p;
    const bool tiny = other < 0x1p-900;
    const double up = tiny ? 0x1p200 : 1, least = other > 0 ? other * up : 0.125;
    const double w = -(core_log(4 * least * (1 - other)) - (tiny ? NORMAL_LN_2 * 200 : 0));
    const double inside = w < 37.4 ? w : 37.4, v = __builtin_sqrt(w > 37.4 ? w : 37.4);
    const double ratio = HORNER(inside, erfinv_start_p) / HORNER(inside, erfinv_start_q);
    const double start = 0x1.6a09e667f3bcdp+0 * (1 - 2 * other) * ratio;
    const double t = w < 37.4 ? start : HORNER(v, ndtri_start_p) / HORNER(v, ndtri_start_q);
    const bool middle = other >= 0.25;
    const double a = middle ? t : 0, lacks = 0.5 - other; /* exact in the middle */
    const struct pair half = phi_near(a);
    const double density = PHI_SLOPE * core_exp(-0.5 * a * a);
    const double step = ((lacks - half.high) - half.low) / density;
    const double near = t + fma_f64(0.5 * a * step, step, step);
    const double y = middle ? 1 : t, high = y * NORMAL_ROOT_HALF;
    const double low = fma_f64(y, NORMAL_ROOT_HALF_LOW, fma_f64(y, NORMAL_ROOT_HALF, -high));
    const struct erfc_tail tail = erfc_tail_of(high, low);
    const double m = 0.5 * tail.m * (tail.half * up) * tail.other;
    const double m_low = 0.5 * tail.m_low * (tail.half * up) * tail.other;
    const double rho = ((m - least) + m_low) / least;
    const double log = rho * (1 - rho * (0.5 - rho * (1.0 / 3)));
    /* The density divided by the tail. */
    const double power = NORMAL_POWER * HORNER(tail.g, ndtri_power);
    const double slope = 0x1.9884533d43651p-1 * (high + 0.5625) / power, newton = log / slope;
    const double beyond = t + fma_f64(-0.5 * (slope - t) * newton, newton, newton);
    const double root = middle ? near : beyond, signed_root = p > 0.5 ? root : 0 - root;
    const double at_0 = p == 0 ? -inf : signed_root, result = p == 1 ? inf : at_0;
    return ((p >= 0) & (p <= 1)) ? result : __builtin_nan("");
}

#define erfcx_f32          erfcx_f64
#define erfcx_of_f64(y, x) (y)

/*
 * Far below 0 the result is slightly below -x^2 / 2, by less than f64 can represent. If the square
 * is in the middle between two results, that difference decides.
 */
static ALWAYS_INLINE double log_ndtr_of_f64(double y, double x)
{
    return x < -0x1p27 ? y * (1 + 0x1p-52) : y;
}

static ALWAYS_INLINE double log_ndtr_f32(double x)
{
    return log_ndtr_of_f64(log_ndtr_f64(x), x);
}

#define ndtri_f32          ndtri_f64
#define ndtri_of_f64(y, x) (y)
