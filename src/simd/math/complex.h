/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exponentials, logarithms and roots of complex numbers in f64, with the branch cuts and special
 * values of C99's annex G. They call the functions of real numbers, one element at a time: there
 * are too many cases for vectors with blends.
 */
#pragma once

#include "../map_arithmetic.h"
#include "exp.h"
#include "log.h"

#include "plane.h"
#include "trig.h"

#define COMPLEX_INFINITY __builtin_inf()

static ALWAYS_INLINE mem_c128 complex_of(double re, double im)
{
    return (mem_c128){re, im};
}

static ALWAYS_INLINE bool is_finite_f64(double x)
{
    return magnitude_f64(x) < COMPLEX_INFINITY;
}

static ALWAYS_INLINE bool is_infinite_f64(double x)
{
    return magnitude_f64(x) == COMPLEX_INFINITY;
}

/* Return i z and -i z. */
static ALWAYS_INLINE mem_c128 turned(mem_c128 z)
{
    return complex_of(negated_f64(z.im), z.re);
}

static ALWAYS_INLINE mem_c128 turned_back(mem_c128 z)
{
    return complex_of(z.im, negated_f64(z.re));
}

/* ---- e^z ------------------------------------------------------------------------------------ */

/* factor e^x c for a finite x; e^x may overflow or underflow where the product does not. */
static ALWAYS_INLINE double power_times(double x, double factor, double c)
{
    if (x > 1300) return exp_f64(0.5 * x) * factor * c * exp_f64(0.5 * x);
    const double bounded = x > -1400 ? x : -1400;
    const struct exp_cut cut = exp_cut(bounded);
    const struct pair sum = exp_core(cut.r, cut.low);
    const bool tiny = magnitude_f64(c) < 0x1p-900; /* no intermediate product may be subnormal */
    const double product = (sum.high + sum.low) * factor * (tiny ? c * 0x1p100 : c);
    return exp_scaled(product, cut.shifted) * (tiny ? 0x1p-100 : 1.0);
}

static mem_c128 exp_c128(mem_c128 z)
{
    const double x = z.re, y = z.im;
    if (y == 0) return complex_of(exp_f64(x), y);
    if (is_infinite_f64(x)) {
        const double size = x > 0 ? x : 0;
        if (is_finite_f64(y)) return complex_of(size * cos_f64(y), size * sin_f64(y));
        return complex_of(size, x > 0 ? y - y : 0);
    }
    if (!is_finite_f64(x) || !is_finite_f64(y)) return complex_of(x + (y - y), x + (y - y));
    return complex_of(power_times(x, 1, cos_f64(y)), power_times(x, 1, sin_f64(y)));
}

/*
 * (e^x - 1) cos y - 2 sin(y / 2)^2, which does not cancel for small z. Of zeros the real part is
 * +0, as the Array API has it.
 */
static mem_c128 expm1_c128(mem_c128 z)
{
    const double x = z.re, y = z.im;
    const mem_c128 power = exp_c128(z);
    if (y == 0) return complex_of(x == 0 ? 0 : expm1_f64(x), y);
    if (!is_finite_f64(x) || !is_finite_f64(y) || x > 40) return complex_of(power.re - 1, power.im);
    const double half = sin_f64(0.5 * y);
    return complex_of(expm1_f64(x) * cos_f64(y) + negated_f64(2 * half * half), power.im);
}

/* ---- logarithms ----------------------------------------------------------------------------- */

/* log |x + i y|; if that is near 0, it is log1p(x^2 + y^2 - 1) / 2 with a pair. */
static double log_of_length(double x, double y)
{
    const double a = magnitude_f64(x), b = magnitude_f64(y), most = a > b ? a : b,
                 least = a > b ? b : a;
    if (is_infinite_f64(most) || is_infinite_f64(least)) return COMPLEX_INFINITY;
    if (!(most == most) || !(least == least)) return x + y;
    if (most > 0x1p1020) return log_f64(hypot_f64(a * 0x1p-4, b * 0x1p-4)) + 4 * CORE_LN_2;
    if (most < 0x1p-1000) return log_f64(hypot_f64(a * 0x1p100, b * 0x1p100)) - 100 * CORE_LN_2;
    if (most < 0.5 || most > 2) return log_f64(hypot_f64(a, b));
    const struct pair up = pair_of_product(most - 1, most + 1);
    const struct pair square = pair_of_product(least, least),
                      sum = pair_of_sum(up.high, square.high);
    /* most + 1 is rounded; its error counts times most - 1. */
    const double lost = most - ((most + 1) - 1);
    const double low = sum.low + (up.low + square.low) + lost * (most - 1);
    return 0.5 * log1p_sum(0, sum.high + low, (sum.high - (sum.high + low)) + low);
}

static mem_c128 log_c128(mem_c128 z)
{
    return complex_of(log_of_length(z.re, z.im), atan2_f64(z.im, z.re));
}

/* log times a constant; on the real axis as exact as the real log2 and log10. */
static mem_c128 log2_c128(mem_c128 z)
{
    const mem_c128 log = log_c128(z);
    const double re = z.im == 0 ? log2_f64(magnitude_f64(z.re)) : log.re * CORE_LOG2_E;
    return complex_of(re, log.im * CORE_LOG2_E);
}

static mem_c128 log10_c128(mem_c128 z)
{
    const double log10_e = 0x1.bcb7b1526e50ep-2;
    const mem_c128 log = log_c128(z);
    const double re = z.im == 0 ? log10_f64(magnitude_f64(z.re)) : log.re * log10_e;
    return complex_of(re, log.im * log10_e);
}

/* Near 0 it uses |1 + z|^2 - 1 = x (2 + x) + y^2. */
static mem_c128 log1p_c128(mem_c128 z)
{
    const double x = z.re, y = z.im, angle = atan2_f64(y, 1 + x);
    if (!(magnitude_f64(x) < 0.5) || !(magnitude_f64(y) < 0.5))
        return complex_of(log_of_length(1 + x, y), angle);
    const struct pair up = pair_of_product(x, 2 + x), square = pair_of_product(y, y);
    const struct pair sum = pair_of_sum(up.high, square.high);
    const double low = sum.low + (up.low + square.low) + x * (x - ((2 + x) - 2));
    return complex_of(0.5 * log1p_sum(0, sum.high + low, (sum.high - (sum.high + low)) + low),
                      angle);
}

/*
 * log(e^a + e^b) as m + log(1 + e^(l - m)), where m is the operand with the larger real part. If
 * both real parts are +infinity, the formula itself is used, because the sum of the powers has a
 * direction if both have the same.
 */
static mem_c128 logaddexp_c128(mem_c128 a, mem_c128 b)
{
    const double nan = a.re + a.im + b.re + b.im, inf = COMPLEX_INFINITY;
    const bool is_number = a.re == a.re && a.im == a.im && b.re == b.re && b.im == b.im;
    const mem_c128 most = a.re < b.re ? b : a, least = a.re < b.re ? a : b;
    if (!is_number) return complex_of(nan, nan);
    if (least.re == -inf || (most.re == inf && least.re < inf)) return most;
    if (most.re == inf) {
        const mem_c128 x = exp_c128(a), y = exp_c128(b);
        return log_c128(complex_of(x.re + y.re, x.im + y.im));
    }
    const struct pair re = pair_of_sum(least.re, -most.re), im = pair_of_sum(least.im, -most.im);
    const mem_c128 power = exp_c128(complex_of(re.high, im.high));
    /* The rounding errors of the differences are a factor 1 + re.low + i im.low. */
    const mem_c128 log =
        log1p_c128(complex_of(power.re + (power.re * re.low + negated_f64(power.im * im.low)),
                              power.im + (power.im * re.low + power.re * im.low)));
    return complex_of(most.re + log.re, most.im + log.im);
}

/* ---- roots and powers ----------------------------------------------------------------------- */

static mem_c128 sqrt_c128(mem_c128 z)
{
    const double x = z.re, y = z.im, inf = COMPLEX_INFINITY;
    if (x == 0 && y == 0) return complex_of(0, y);
    if (is_infinite_f64(y)) return complex_of(inf, y);
    if (x == inf) return complex_of(inf, y == y ? with_sign_f64(0, y) : y);
    if (x == -inf) return complex_of(y == y ? 0 : y, with_sign_f64(inf, y));
    if (!(x == x) || !(y == y)) return complex_of(x + y, x + y);
    const double a = magnitude_f64(x), b = magnitude_f64(y), most = a > b ? a : b;
    const double down = most > 0x1p1000 ? 0x1p-30 : 1, scale = most < 0x1p-900 ? 0x1p100 : down;
    const double back_down = most > 0x1p1000 ? 0x1p15 : 1,
                 back = most < 0x1p-900 ? 0x1p-50 : back_down;
    const double length = hypot_f64(a * scale, b * scale);
    const double root = __builtin_sqrt(0.5 * (a * scale + length));
    const double other = b * scale / (2 * root);
    const double large = root * back, small = other * back;
    return x >= 0 ? complex_of(large, with_sign_f64(small, y))
                  : complex_of(small, with_sign_f64(large, y));
}

static ALWAYS_INLINE mem_c128 square_of(mem_c128 z)
{
    return complex_of((z.re - z.im) * (z.re + z.im), 2 * z.re * z.im);
}

static ALWAYS_INLINE mem_c128 cube_of(mem_c128 z)
{
    const mem_c128 w = square_of(z);
    return complex_of(w.re * z.re + negated_f64(w.im) * z.im, w.re * z.im + w.im * z.re);
}

static ALWAYS_INLINE mem_c128 inverse_of(mem_c128 z)
{
    return quotient_c128(complex_of(1, 0), z);
}

/* Tells whether z is finite and not 0, so that its cube and its inverse are their formulas. */
static ALWAYS_INLINE bool is_usual_complex(double x, double y)
{
    const double size = magnitude_f64(x) > magnitude_f64(y) ? magnitude_f64(x) : magnitude_f64(y);
    return (x == x) & (y == y) & (size > 0) & (size < COMPLEX_INFINITY);
}

/*
 * e^(b log a), and some powers as products, a quotient and a root. For a = 0 and other exponents it
 * is 1 if b = 0, 0 if b has a positive real part, and NaN otherwise.
 */
static mem_c128 pow_c128(mem_c128 a, mem_c128 b)
{
    if (b.re == 0 && b.im == 0) return complex_of(1, 0);
    if (b.im == 0 && b.re == 1) return a;
    if (b.im == 0 && b.re == 2) return square_of(a);
    if (a.re == 0 && a.im == 0) {
        const double none = b.re > 0 ? 0 : (double)__builtin_nanf("");
        return complex_of(none, none);
    }
    if (b.im == 0 && b.re == 0.5) return sqrt_c128(a);
    if (b.im == 0 && b.re == 3 && is_usual_complex(a.re, a.im)) return cube_of(a);
    if (b.im == 0 && b.re == -1 && is_usual_complex(a.re, a.im)) return inverse_of(a);
    const mem_c128 log = log_c128(a);
    const double re = b.re * log.re + negated_f64(b.im) * log.im;
    return exp_c128(complex_of(re, b.re * log.im + b.im * log.re));
}
