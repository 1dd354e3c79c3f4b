/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hyperbolic and trigonometric functions of complex numbers in f64, and their inverses, with the
 * branch cuts and special values of C99's annex G. A trigonometric function is the hyperbolic one
 * of an argument multiplied by i.
 */
#pragma once

#include "arc.h"
#include "complex.h"
#include "hyperbolic.h"

/* ---- hyperbolic ----------------------------------------------------------------------------- */

/* sinh x cos y + i cosh x sin y. From |x| = 40 on, sinh and cosh are e^|x| / 2 in magnitude. */
static mem_c128 sinh_c128(mem_c128 z)
{
    const double x = z.re, y = z.im, a = magnitude_f64(x);
    if (y == 0) return complex_of(sinh_f64(x), y);
    if (!is_finite_f64(y)) {
        if (x == 0) return complex_of(x, y - y);
        return complex_of(is_infinite_f64(x) ? x : y - y, y - y);
    }
    if (!(x == x)) return complex_of(x, x);
    const double c = cos_f64(y), s = sin_f64(y);
    if (is_infinite_f64(x)) return complex_of(x * c, a * s);
    if (a < 40) return complex_of(sinh_f64(x) * c, cosh_f64(x) * s);
    return complex_of(power_times(a, with_sign_f64(0.5, x), c), power_times(a, 0.5, s));
}

/* cosh x cos y + i sinh x sin y. */
static mem_c128 cosh_c128(mem_c128 z)
{
    const double x = z.re, y = z.im, a = magnitude_f64(x);
    if (y == 0)
        return complex_of(cosh_f64(x), x == x ? with_sign_f64(y, x) * with_sign_f64(1, y) : y);
    if (!is_finite_f64(y)) {
        if (x == 0) return complex_of(y - y, x);
        return complex_of(is_infinite_f64(x) ? a : y - y, y - y);
    }
    if (!(x == x)) return complex_of(x, x);
    const double c = cos_f64(y), s = sin_f64(y);
    if (is_infinite_f64(x)) return complex_of(a * c, x * s);
    if (a < 40) return complex_of(cosh_f64(x) * c, sinh_f64(x) * s);
    return complex_of(power_times(a, 0.5, c), power_times(a, with_sign_f64(0.5, x), s));
}

/* Kahan's formula in tan y and sinh x. Beyond |x| = 22 the real part is 1. */
static mem_c128 tanh_c128(mem_c128 z)
{
    const double x = z.re, y = z.im, a = magnitude_f64(x);
    if (y == 0) return complex_of(tanh_f64(x), y);
    if (is_infinite_f64(x)) {
        const double side = is_finite_f64(y) ? sin_f64(y) * cos_f64(y) : 1;
        return complex_of(with_sign_f64(1, x), with_sign_f64(0, side));
    }
    if (!is_finite_f64(y)) return complex_of(x == 0 ? x : y - y, y - y);
    if (!(x == x)) return complex_of(x, x);
    const double c = cos_f64(y), s = sin_f64(y);
    if (a > 22) return complex_of(with_sign_f64(1, x), power_times(-2 * a, 4, s * c));
    const double t = s / c, beta = 1 + t * t, h = sinh_f64(x), rho = cosh_f64(x);
    const double below = 1 + beta * h * h;
    return complex_of(beta * rho * h / below, t / below);
}

static mem_c128 sin_c128(mem_c128 z)
{
    return turned_back(sinh_c128(turned(z)));
}

static mem_c128 cos_c128(mem_c128 z)
{
    return cosh_c128(turned(z));
}

static mem_c128 tan_c128(mem_c128 z)
{
    return turned_back(tanh_c128(turned(z)));
}

/* ---- inverses ------------------------------------------------------------------------------- */

/*
 * The real parts of asin and acos of z = x + i y, x, y >= 0, and their imaginary part, are computed
 * from the distances r and s of z from -1 and 1 (Hull, Fairgrieve and Tang). The mean of the
 * distances is the cosh of the imaginary part.
 */
struct complex_arc {
    double sine, cosine, height;
};

static double arc_height(double x, double y, double a, double r, double s)
{
    if (a > 1.5) return log_f64(a + __builtin_sqrt((a - 1) * (a + 1)));
    if (y < 0x1p-500 && x < 1) return y / __builtin_sqrt((1 - x) * (1 + x));
    if (y < 0x1p-500 && x == 1) return __builtin_sqrt(y);
    const double beyond = x < 1 ? y * y / (s + (1 - x)) : s + (x - 1);
    const double above = 0.5 * (y * y / (r + (x + 1)) + beyond);
    return log1p_f64(above + __builtin_sqrt(above * (a + 1)));
}

static struct complex_arc arc_of(double x, double y)
{
    const double most = x > y ? x : y;
    if (most > 0x1p300)
        return (struct complex_arc){atan2_f64(x, y), atan2_f64(y, x),
                                    log_of_length(x, y) + CORE_LN_2};
    const double r = hypot_f64(x + 1, y), s = hypot_f64(x - 1, y), a = 0.5 * (r + s), b = x / a;
    const double height = arc_height(x, y, a, r, s);
    if (b <= 0.6417) return (struct complex_arc){asin_f64(b), acos_f64(b), height};
    const double sum = a + x;
    const double side = x <= 1
                            ? __builtin_sqrt(0.5 * sum * (y * y / (r + (x + 1)) + (s + (1 - x))))
                            : y * __builtin_sqrt(0.5 * (sum / (r + (x + 1)) + sum / (s + (x - 1))));
    return (struct complex_arc){atan2_f64(x, side), atan2_f64(side, x), height};
}

static mem_c128 asinh_c128(mem_c128 z)
{
    const double x = z.re, y = z.im, a = magnitude_f64(x), b = magnitude_f64(y);
    if (!(x == x) || !(y == y)) {
        if (is_infinite_f64(x)) return complex_of(x, y);
        if (is_infinite_f64(y)) return complex_of(b, x);
        return y == 0 ? z : complex_of(x + y, x + y);
    }
    if (is_infinite_f64(x) || is_infinite_f64(y))
        return complex_of(with_sign_f64(COMPLEX_INFINITY, x), with_sign_f64(atan2_f64(b, a), y));
    if (x == 0 && y == 0) return z;
    const struct complex_arc arc = arc_of(b, a);
    return complex_of(with_sign_f64(arc.height, x), with_sign_f64(arc.sine, y));
}

static mem_c128 acos_c128(mem_c128 z)
{
    const double x = z.re, y = z.im, a = magnitude_f64(x), b = magnitude_f64(y);
    const double pi = 0x1.921fb54442d18p+1;
    if (!(x == x) || !(y == y)) {
        if (is_infinite_f64(x))
            return complex_of(y, with_sign_f64(COMPLEX_INFINITY, negated_f64(x)));
        if (is_infinite_f64(y)) return complex_of(x, negated_f64(y));
        return complex_of(x == 0 ? 0.5 * pi : x + y, x + y);
    }
    if (is_infinite_f64(x) || is_infinite_f64(y))
        return complex_of(atan2_f64(b, x), with_sign_f64(COMPLEX_INFINITY, negated_f64(y)));
    const struct complex_arc arc = arc_of(a, b);
    const double angle = is_negative_f64(x) ? pi - arc.cosine : arc.cosine;
    return complex_of(x == 0 ? 0.5 * pi : angle, with_sign_f64(arc.height, negated_f64(y)));
}

static mem_c128 acosh_c128(mem_c128 z)
{
    const mem_c128 arc = acos_c128(z);
    return complex_of(magnitude_f64(arc.im), with_sign_f64(arc.re, z.im));
}

static mem_c128 atanh_c128(mem_c128 z)
{
    const double x = z.re, y = z.im, a = magnitude_f64(x), b = magnitude_f64(y);
    const double quarter = with_sign_f64(0x1.921fb54442d18p+0, y), most = a > b ? a : b;
    if (!(x == x) || !(y == y)) {
        if (is_infinite_f64(x)) return complex_of(with_sign_f64(0, x), y);
        if (is_infinite_f64(y)) return complex_of(with_sign_f64(0, x), quarter);
        return complex_of(x == 0 ? x : x + y, x + y);
    }
    if (is_infinite_f64(x) || is_infinite_f64(y)) return complex_of(with_sign_f64(0, x), quarter);
    if (b == 0 && a <= 1) return complex_of(atanh_f64(x), y);
    if (a == 0) return complex_of(x, atan_f64(y));
    if (most > 0x1p300) { /* x / (x^2 + y^2), without squares that overflow */
        const double length = hypot_f64(a * 0x1p-2, b * 0x1p-2);
        return complex_of(with_sign_f64(0.25 * (a * 0x1p-2 / length) / length, x), quarter);
    }
    if (most < 0x1p-300) return z;
    const double beside = 1 - a, below = beside * beside + b * b;
    const double re =
        a == 1 && b < 0x1p-500 ? 0.5 * (CORE_LN_2 - log_f64(b)) : 0.25 * log1p_f64(4 * a / below);
    const double im = 0.5 * atan2_f64(2 * b, beside * (1 + a) - b * b);
    return complex_of(with_sign_f64(re, x), with_sign_f64(im, y));
}

static mem_c128 asin_c128(mem_c128 z)
{
    return turned_back(asinh_c128(turned(z)));
}

static mem_c128 atan_c128(mem_c128 z)
{
    return turned_back(atanh_c128(turned(z)));
}
