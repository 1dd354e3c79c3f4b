/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * a * b + c rounded once, in f64, at every level: one instruction where the level has it,
 * arithmetic that gives the same bits elsewhere.
 */
#ifndef STRIA_SIMD_FMA_H
#define STRIA_SIMD_FMA_H

#include "number.h"

#if defined __FMA__ || defined __FP_FAST_FMA || defined __aarch64__
#define HAVE_FMA 1

static ALWAYS_INLINE double fma_f64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

static ALWAYS_INLINE double fma_or_two_f64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

#else

/* x + y, and in *rest what its rounding lost, exactly (Knuth). */
static ALWAYS_INLINE double sum_f64(double x, double y, double *rest)
{
    const double s = x + y, part = s - x;
    *rest = (x - (s - part)) + (y - part);
    return s;
}

/* The same for a product (Dekker), whose factors are cut into halves of 26 bits. */
static ALWAYS_INLINE double product_f64(double x, double y, double *rest)
{
    const double cut = 0x1p27 + 1, xc = x * cut, yc = y * cut;
    const double xh = xc - (xc - x), yh = yc - (yc - y), xl = x - xh, yl = y - yh;
    const double p = x * y;
    *rest = ((xh * yh - p) + xh * yl + xl * yh) + xl * yl;
    return p;
}

/*
 * The product and the sum are exact in three parts; the two lower ones are added with NOTE [Round
 * to odd] of number.h, so that the last sum rounds as if it saw all of them (Boldo and Melquiond).
 * Right while |a|, |b| and |c| stay below 2^900 and no part that matters falls below 2^-1022: what
 * is below changes the result only where all of a * b is, and c is zero.
 */
static ALWAYS_INLINE double fma_f64(double a, double b, double c)
{
    double product_rest, sum_rest, rest;
    const double product = product_f64(a, b, &product_rest);
    const double sum = sum_f64(c, product, &sum_rest);
    const double low = sum_f64(sum_rest, product_rest, &rest);
    /* An even last bit goes to its odd neighbour on the side of a rest; SSE2 compares no u64. */
    const uint64_t bits = f64_bits(low), lost = f64_bits(rest) << 1;
    const uint64_t even = ~bits & ((lost | (0 - lost)) >> 63);
    const uint64_t step = 1 - ((bits ^ f64_bits(rest)) >> 63 << 1);
    return sum + f64_of_bits(bits + (step & (0 - even)));
}

static ALWAYS_INLINE double fma_or_two_f64(double a, double b, double c)
{
    return a * b + c;
}

#endif

/*
 * A rounded sum and what it lost, by its sign: rounded to odd instead (NOTE [Round to odd] in
 * number.h), for results that are rounded again.
 */
static ALWAYS_INLINE double odd_f64(double rounded, double lost)
{
    const uint64_t bits = f64_bits(rounded), inexact = (uint64_t)(lost != 0);
    const uint64_t below = (bits ^ f64_bits(lost)) >> 63 & inexact;
    return f64_of_bits((bits - below) | inexact);
}

#endif
