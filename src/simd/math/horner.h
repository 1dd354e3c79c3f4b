/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polynomials with constant coefficients, the lowest first, by Horner's rule. Terms of even and of
 * odd degree are separate chains, each of half the length, which keep two multipliers busy.
 *
 * Nobody chose a coefficient by hand: tools/math/rows.py has the function, the interval and the way
 * to find each polynomial and table of these headers, and tools/math/coefficients.py finds them
 * again and compares them (docs/accuracy.md).
 */
#pragma once

#include "../fma.h"

/*
 * Tells whether a product and a sum are rounded once or, if the level has no fma, twice. EITHER is
 * for functions that are right both ways, see fma_or_two_f64().
 */
enum rounding { ONCE, EITHER };

static ALWAYS_INLINE double multiply_add(const enum rounding rounding, double a, double b, double c)
{
    return rounding == ONCE ? fma_f64(a, b, c) : fma_or_two_f64(a, b, c);
}

/* n is a constant of at least 2. */
static ALWAYS_INLINE double polynomial(const enum rounding rounding, const int n, const double *c,
                                       double x)
{
    const double x2 = x * x;
    double high = c[n - 1], other = c[n - 2];
    UNROLL
    for (int i = n - 3; i > 0; i -= 2) {
        high = multiply_add(rounding, high, x2, c[i]);
        other = multiply_add(rounding, other, x2, c[i - 1]);
    }
    if (n % 2 == 0) return multiply_add(rounding, high, x, other);
    return multiply_add(rounding, other, x, multiply_add(rounding, high, x2, c[0]));
}

#define TERMS(c)            ((int)(sizeof(c) / sizeof *(c)))
#define HORNER(x, c)        polynomial(ONCE, TERMS(c), c, x)
#define HORNER_OR_TWO(x, c) polynomial(EITHER, TERMS(c), c, x)
