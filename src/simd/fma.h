/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * a * b + c in f64, rounded once with the same bits at every level, by instruction or arithmetic.
 * fma_or_two_f64() rounds twice where there is no instruction.
 */
#pragma once

#include "number.h"

/* Adding this to a number below 2^51 leaves the nearest integer in the lowest bits of the sum. */
#define TO_INTEGER 0x1.8p52

/* A number as the unevaluated sum of two, of about 100 bits (double-double). */
struct pair {
    double high, low;
};

/* Returns x + y and sets *rest to its rounding error (Knuth). */
static ALWAYS_INLINE double sum_f64(double x, double y, double *rest)
{
    const double s = x + y, part = s - x;
    *rest = (x - (s - part)) + (y - part);
    return s;
}

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

/* Returns x * y and sets *rest to its rounding error (Dekker, with halves of 26 bits). */
static ALWAYS_INLINE double product_f64(double x, double y, double *rest)
{
    const double cut = 0x1p27 + 1, xc = x * cut, yc = y * cut;
    const double xh = xc - (xc - x), yh = yc - (yc - y), xl = x - xh, yl = y - yh;
    const double p = x * y;
    *rest = ((xh * yh - p) + xh * yl + xl * yh) + xl * yl;
    return p;
}

/*
 * The product and the sum are represented exactly by three parts. The two lower ones are added with
 * NOTE [Round to odd] of number.h, so that the last addition rounds as if it saw all three (Boldo
 * and Melquiond). This holds while |a|, |b| and |c| are below 2^900 and no relevant part falls
 * below 2^-1022; a part below that changes the result only if all of a * b is that small and c is
 * zero. A function of its own: inlined and vectorized, it made the mathematics of a level as large
 * as all other kernels, for CPUs that are older than FMA.
 */
static NEVER_INLINE __attribute__((const, unused)) double fma_f64(double a, double b, double c)
{
    double product_rest, sum_rest, rest;
    const double product = product_f64(a, b, &product_rest);
    const double sum = sum_f64(c, product, &sum_rest);
    const double low = sum_f64(sum_rest, product_rest, &rest);
    /*
     * If there is a rest, an even number moves to its odd neighbour on that side. SSE2 compares no
     * u64.
     */
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
 * Turns a rounded sum into one that is rounded to odd (NOTE [Round to odd] in number.h), for
 * results that are rounded again. Of the rounding error `lost` only the sign matters.
 */
static ALWAYS_INLINE double odd_f64(double rounded, double lost)
{
    const uint64_t bits = f64_bits(rounded), inexact = (uint64_t)(lost != 0);
    const uint64_t below = (bits ^ f64_bits(lost)) >> 63 & inexact;
    return f64_of_bits((bits - below) | inexact);
}
