/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polynomials c[0] + c[1] x + ... + c[n - 1] x^(n - 1) by Horner's rule. Terms of even and of odd
 * degree are separate chains, each of half the length. n is a constant, at least 3.
 */
#ifndef STRIA_SIMD_MATH_HORNER_H
#define STRIA_SIMD_MATH_HORNER_H

#include "../fma.h"

static ALWAYS_INLINE double horner_terms(double x, const double *c, int n)
{
    const double x2 = x * x;
    double last = c[n - 1], other = c[n - 2];
    UNROLL
    for (int i = n - 3; i > 0; i -= 2) {
        last = fma_f64(last, x2, c[i]);
        other = fma_f64(other, x2, c[i - 1]);
    }
    return n % 2 ? fma_f64(other, x, fma_f64(last, x2, c[0])) : fma_f64(last, x, other);
}

/* This is for functions whose results are the same with two roundings per step. */
static ALWAYS_INLINE double horner_or_two_terms(double x, const double *c, int n)
{
    const double x2 = x * x;
    double last = c[n - 1], other = c[n - 2];
    UNROLL
    for (int i = n - 3; i > 0; i -= 2) {
        last = fma_or_two_f64(last, x2, c[i]);
        other = fma_or_two_f64(other, x2, c[i - 1]);
    }
    return n % 2 ? fma_or_two_f64(other, x, fma_or_two_f64(last, x2, c[0]))
                 : fma_or_two_f64(last, x, other);
}

#define TERMS(c)            ((int)(sizeof(c) / sizeof *(c)))
#define HORNER(x, c)        horner_terms(x, c, TERMS(c))
#define HORNER_OR_TWO(x, c) horner_or_two_terms(x, c, TERMS(c))

#endif
