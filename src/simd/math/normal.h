/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tails of the normal distribution: e^(x^2) erfc(x), log Phi(x), and the inverse of Phi. With
 * y > 1/2, erfc(y) = e^(g - 63/128 - y^2) / (y + 9/16), where g is a rational function
 * (error_function.h); beyond 27.5 an asymptotic series. f32 is the f64, rounded.
 */
#ifndef STRIA_SIMD_MATH_NORMAL_H
#define STRIA_SIMD_MATH_NORMAL_H

#include "exp.h"
#include "log.h"

#include "error_function.h"

/* y sqrt(pi) e^(y^2) erfc(y) of 1 / y^2, y > 27: 1 - z / 2 + 3 z^2 / 4 - 15 z^3 / 8 + ... */
static const double normal_far[] = {0x1p+0,    -0x1p-1,     0x1.8p-1,    -0x1.ep+0,
                                    0x1.a4p+2, -0x1.d88p+4, 0x1.44d8p+7, -0x1.07ef8p+10};

#define NORMAL_LOG_ROOT_4PI 0x1.43f89a3f0edd6p+0 /* log(2 sqrt(pi)) */
#define NORMAL_LN_2         0x1.62e42fefa39efp-1
#define NORMAL_ROOT_HALF    0x1.6a09e667f3bcdp-1
#define NORMAL_ROOT_LOW     -0x1.bdd3413b26456p-55

/* e^(y^2) erfc(y), y >= 1/2. */
static ALWAYS_INLINE double normal_scaled_tail(double y)
{
    const double near = y < 27.5 ? y : 27.5, far = y > 27.5 ? y : 27.5, inverse = 1 / far;
    const double divisor = near + 0.5625;
    const double inside = exp_f64(erfc_log(1 / divisor) - 0.4921875) / divisor;
    const double beyond = HORNER(inverse * inverse, normal_far) * inverse * 0x1.20dd750429b6dp-1;
    return y > 27.5 ? beyond : inside;
}

/* For a negative x it is 2 e^(x^2) less that of -x, which is infinite from -26.7 on. */
static ALWAYS_INLINE double erfcx_f64(double x)
{
    const double a = magnitude_f64(x), y = a < 27 ? a : 27;
    const struct pair square = pair_of_product(y, y);
    const struct pair_power p = pair_exp(square.high, square.low);
    const double power = (p.m.high + p.m.low) * p.half * p.other;
    const double near = a < 0.5 ? x : 0, erf = fma_f64(near, HORNER(near * near, erf_small), near);
    const double tail = normal_scaled_tail(a > 0.5 ? a : 0.5);
    const double far = x < 0 ? 2 * power - tail : tail;
    const double result = a < 0.5 ? power * (1 - erf) : far;
    return x == x ? result : x;
}

/*
 * log Phi(x): of what Phi lacks of 1 where x is positive, of Phi itself in the middle, and of the
 * parts of the tail below.
 */
static ALWAYS_INLINE double log_ndtr_f64(double x)
{
    const double a = magnitude_f64(x), most = a < 0x1p500 ? a : 0x1p500;
    const double high = most * NORMAL_ROOT_HALF;
    const double low = fma_f64(most, NORMAL_ROOT_LOW, fma_f64(most, NORMAL_ROOT_HALF, -high));
    const bool middle = high < 0.5;
    const double z = middle ? high : 0, half = 0.5 * fma_f64(z, HORNER(z * z, erf_small), z);
    const double y = middle ? 0.5 : high, y_low = middle ? 0 : low, up = y < 27.5 ? y : 27.5;
    const struct erfc_tail tail = erfc_tail_of(up, y < 27.5 ? y_low : 0);
    const double above = log1p_f64(-0.5 * tail.m * tail.half * tail.other);
    const double beside = log_f64(x < 0 ? 0.5 - half : 0.5 + half);
    const double far = y > 27.5 ? y : 27.5, inverse = 1 / far;
    const double series = HORNER(inverse * inverse, normal_far) - 1;
    const double beyond = log1p_f64(series) - log_f64(far) - NORMAL_LOG_ROOT_4PI;
    const double within =
        erfc_log(1 / (up + 0.5625)) - 0.4921875 - NORMAL_LN_2 - log_f64(up + 0.5625);
    const struct pair square = pair_of_product(y, y);
    const double rest = (y > 27.5 ? beyond : within) - fma_f64(y + y, y_low, square.low);
    const double below = a < 0x1p500 ? rest - square.high : -0.5 * a * a;
    const double outside = x < 0 ? below : above, result = middle ? beside : outside;
    return x == x ? result : x;
}

/*
 * One of Newton's steps to the t > 0 of which log Phi(-t) is `target`. The slope is that of the
 * logarithm, the density over the tail.
 */
static ALWAYS_INLINE double normal_step(double t, double target)
{
    const double high = t * NORMAL_ROOT_HALF;
    const double low = fma_f64(t, NORMAL_ROOT_LOW, fma_f64(t, NORMAL_ROOT_HALF, -high));
    const struct pair square = pair_of_product(high, high);
    const double divisor = high + 0.5625, g = erfc_log(1 / divisor) - 0.4921875;
    const double log_tail = g - log_f64(divisor) - NORMAL_LN_2;
    const double scaled = exp_f64(g) / divisor, slope = 0x1.9884533d43651p-1 / scaled;
    const double lacks =
        (-square.high - target) + (log_tail - fma_f64(high + high, low, square.low));
    return t + lacks / slope;
}

/*
 * Phi's inverse: of the middle sqrt(2) erfinv(2 p - 1), whose argument is exact, of the tails the
 * root of log Phi(-t) = log p, by Newton's steps from a rational function that is within 4.5e-4
 * (Abramowitz and Stegun 26.2.23).
 */
static ALWAYS_INLINE double ndtri_f64(double p)
{
    const double inf = __builtin_inf(), other = p > 0.5 ? 1 - p : p;
    const bool middle = other >= 0.25;
    const double least = ((other > 0) & (other < 0.25)) ? other : 0.125, target = log_f64(least);
    const double w = __builtin_sqrt(-2 * target);
    const double above = fma_f64(fma_f64(0.010328, w, 0.802853), w, 2.515517);
    const double below = fma_f64(fma_f64(fma_f64(0.001308, w, 0.189269), w, 1.432788), w, 1);
    const double start = w - above / below;
    const double root = normal_step(normal_step(normal_step(start, target), target), target);
    const double tail = p > 0.5 ? root : -root;
    const double inside = middle ? 0x1.6a09e667f3bcdp+0 * erfinv_f64(2 * p - 1) : tail;
    const double at_0 = p == 0 ? -inf : inside, result = p == 1 ? inf : at_0;
    return ((p >= 0) & (p <= 1)) ? result : __builtin_nan("");
}

static ALWAYS_INLINE double erfcx_f32(double x)
{
    return erfcx_f64(x);
}

/*
 * Far below 0 it is -x^2 / 2 and a little more, which f64 does not hold; where the square lies in
 * the middle between two results, that decides.
 */
static ALWAYS_INLINE double log_ndtr_f32(double x)
{
    const double result = log_ndtr_f64(x);
    return x < -0x1p27 ? result * (1 + 0x1p-52) : result;
}

static ALWAYS_INLINE double ndtri_f32(double p)
{
    return ndtri_f64(p);
}

#endif
