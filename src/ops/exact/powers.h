/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact sums of cubes and of fourth powers, and the moments that are made of them. */
#pragma once

#include "ops/exact/accumulator.h"

/* Word i counts multiples of 2^(32 (i - POWER_OF_ONE)); fourth powers begin at 2^-4296. */
enum { POWER_OF_ONE = 136, POWER_WORDS = 270 };
enum { CUBES, FOURTHS, POWERS };

/* Sums of cubes and fourth powers; values that are not finite are seen by the sum of the numbers.
 */
struct power_sums {
    int64_t word[POWERS][POWER_WORDS];
};

/* Adds the powers of n numbers x[i] + low[i]; low may be NULL. */
void stria__accumulate_powers(struct power_sums *s, const double *x, const double *low, int64_t n);
/* Adds other sums, whose carries are resolved, as those of s are. */
void stria__powers_merge(struct power_sums *s, const struct power_sums *other);
