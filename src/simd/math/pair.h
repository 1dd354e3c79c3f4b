/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of about 100 bits as unevaluated sums of two f64 (double-double), and the logarithm and
 * the power with which functions of f64 reach an error within one unit in the last place. The bits
 * are the same at every level.
 */
#pragma once

#include "core.h"

/* Requires |a| >= |b| or a == 0. */
static ALWAYS_INLINE struct pair pair_of_sorted(double a, double b)
{
    const double sum = a + b;
    return (struct pair){sum, (a - sum) + b};
}

static ALWAYS_INLINE struct pair pair_of_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (struct pair){sum, (a - (sum - part)) + (b - part)};
}

static ALWAYS_INLINE struct pair pair_of_product(double a, double b)
{
    const double product = a * b;
    return (struct pair){product, fma_f64(a, b, -product)};
}

/*
 * Returns a (high + low) with about one rounding. No part of it that matters may be below 2^-1022.
 */
static ALWAYS_INLINE double pair_times(struct pair p, double a)
{
    const double product = a * p.high;
    const double sum = product + fma_f64(a, p.low, fma_f64(a, p.high, -product));
    return product == 0 ? product : sum;
}

/* Powers of two that scale a very large or small number towards 1, and back. */
struct pair_scale {
    double by, back;
};

static ALWAYS_INLINE struct pair_scale pair_scale_of(double x)
{
    const double a = magnitude_f64(x), down = a > 0x1p400 ? 0x1p-500 : 1.0;
    const double up = a > 0x1p400 ? 0x1p500 : 1.0;
    return (struct pair_scale){a < 0x1p-400 ? 0x1p500 : down, a < 0x1p-400 ? 0x1p-500 : up};
}

/* Returns p q with about one rounding, for any size, or 0 if parts are lost below 2^-1022. */
static ALWAYS_INLINE double pair_product_of_any(struct pair p, struct pair q)
{
    const struct pair_scale sp = pair_scale_of(p.high), sq = pair_scale_of(q.high);
    const double a = p.high * sp.by, a_low = p.low * sp.by, b = q.high * sq.by;
    const double product = a * b, cross = fma_f64(a, q.low * sq.by, a_low * b);
    const double sum = product + (cross + fma_f64(a, b, -product));
    const bool usual = (product != 0) & (magnitude_f64(product) < __builtin_inf());
    return (usual ? sum : product) * (sp.back * sq.back);
}

/* Returns a / b for |a| and |b| between 2^-400 and 2^400. */
static ALWAYS_INLINE struct pair pair_quotient(struct pair a, struct pair b)
{
    const double q = a.high / b.high;
    const double rest = fma_f64(-q, b.high, a.high) + (a.low - q * b.low);
    return (struct pair){q, rest / b.high};
}

/* Makes a step of Horner's rule: high + low + p (x + x_low), |high| >= |p x|. */
static ALWAYS_INLINE struct pair pair_step(struct pair p, double x, double x_low, double high,
                                           double low)
{
    const struct pair product = pair_of_product(p.high, x),
                      sum = pair_of_sorted(high, product.high);
    const double rest = fma_f64(p.low, x, fma_f64(p.high, x_low, product.low));
    return (struct pair){sum.high, sum.low + (rest + low)};
}

/* Coefficients of (atanh(s) / s - 1 - z / 3 - z^2 / 5) / z^3 in z = s^2. */
static const double pair_atanh[] = {0x1.249249248134dp-3, 0x1.c71c71f9e7803p-4,
                                    0x1.745cf9defafccp-4, 0x1.3b1c471959b57p-4,
                                    0x1.0fb910eb9c65ep-4, 0x1.0c529ee998399p-4};

/*
 * log(x), x > 0, within 2^-65: 2 atanh(s) with s = (m - 1) / (m + 1), in which the first two terms
 * are pairs. Subnormal numbers are multiplied by 2^54 first.
 */
static ALWAYS_INLINE struct pair pair_log(double x)
{
    const bool tiny = x < 0x1p-1022;
    const struct core_scaled y = core_scaled_of(tiny ? x * 0x1p54 : x);
    const double k = tiny ? y.k - 54 : y.k;
    const double sum = y.m + 1, lost = y.m - (sum - 1), top = y.m - 1, inverse = 1 / sum;
    const double s = top * inverse;
    const double s_low = fma_f64(-s, lost, fma_f64(-s, sum, top)) * inverse;
    const double z = s * s, z_low = fma_f64(2 * s, s_low, fma_f64(s, s, -z));
    const double third = 0x1.5555555555555p-2, third_low = 0x1.5555555555555p-56;
    const double fifth = 0x1.999999999999ap-3, fifth_low = -0x1.999999999999ap-57;
    const double first = z * third, z2 = z * z, second = z2 * fifth;
    const double z2_low = fma_f64(2 * z, z_low, fma_f64(z, z, -z2));
    const double first_low =
        fma_f64(z_low, third, fma_f64(z, third_low, fma_f64(z, third, -first)));
    const double second_low =
        fma_f64(z2_low, fifth, fma_f64(z2, fifth_low, fma_f64(z2, fifth, -second)));
    const struct pair u = pair_of_sorted(first, second);
    const double u_low = u.low + (first_low + fma_f64(z2 * z, HORNER(z, pair_atanh), second_low));
    const struct pair su = pair_of_product(s, u.high);
    const double su_low = fma_f64(s_low, u.high, fma_f64(s, u_low, su.low));
    const struct pair half = pair_of_sorted(s, su.high);
    const struct pair all = pair_of_sum(k * LN2_HIGH, 2 * half.high);
    const double low = 2 * (half.low + (su_low + s_low));
    return pair_of_sorted(all.high, all.low + fma_f64(k, LN2_LOW, low));
}

/*
 * e^(high + low) = m * half * other for -745.2 <= high <= 709.8 and |low| <= 2^-50 |high|. The
 * power of two is two factors, since it may not be an f64 itself.
 */
struct pair_power {
    struct pair m;
    double half, other;
};

static ALWAYS_INLINE struct pair_power pair_exp(double high, double low)
{
    const struct exp_cut cut = exp_cut(high);
    const struct exp_scale scale = exp_scale(cut.shifted);
    const double r = cut.r, one_and_r = 1 + r;
    const double lost = fma_f64(cut.low, one_and_r, r - (one_and_r - 1));
    const struct pair m = pair_of_sorted(one_and_r, fma_f64(r * r, HORNER(r, exp_rest_c), lost));
    return (struct pair_power){{m.high, fma_f64(m.high, low, m.low)}, scale.half, scale.other};
}

/* pair_exp() within 2^-60: the square is a pair too, and includes the effect of low. */
static ALWAYS_INLINE struct pair_power pair_exp_long(double high, double low)
{
    const struct exp_cut cut = exp_cut(high);
    const struct exp_scale scale = exp_scale(cut.shifted);
    const double r = cut.r, rest = cut.low + low;
    const struct pair square = pair_of_product(r, r), line = pair_of_sorted(1, r);
    const struct pair sum = pair_of_sorted(line.high, 0.5 * square.high);
    const double cubes = polynomial(ONCE, TERMS(exp_rest_c) - 1, exp_rest_c + 1, r);
    const double third = fma_f64(r * square.high, cubes, 0.5 * square.low);
    const double low_part = fma_f64(rest, sum.high, line.low + sum.low);
    return (struct pair_power){pair_of_sorted(sum.high, third + low_part), scale.half, scale.other};
}
