/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bounded linear Diophantine equations with positive coefficients:
 *
 *     step[0] * x[0] + ... + step[n-1] * x[n-1] = target,    0 <= x[i] <= count[i]
 *
 * NP-hard in n, but the equations of strided sets are mild: sorted by step, each coefficient
 * mostly exceeds what the smaller ones reach, which leaves one or two values to try.
 */
#pragma once

#include "stria/geometry.h"

enum { MAX_TERMS = 2 * STRIA_MAX_NDIM + 1 };

struct term {
    uint64_t step, count; /* step > 0 */
};

/* The sum of step * count over all terms must be less than 2^64. */
struct equation {
    int n;
    struct term terms[MAX_TERMS];
};

/*
 * Answers YES or NO, or TOO_HARD when more than *work values would have to be tried. The values
 * tried are subtracted from *work; a negative *work is no bound. The terms are reordered and
 * merged.
 */
stria_overlap stria__solvable(struct equation *equation, uint64_t target, int64_t *work);

uint64_t stria__gcd(uint64_t a, uint64_t b); /* gcd(0, b) = b */
