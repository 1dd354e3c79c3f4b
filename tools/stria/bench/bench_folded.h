/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured of reductions: which ones, of what numbers, and whether results are right. */
#ifndef STRIA_TOOL_BENCH_FOLDED_H
#define STRIA_TOOL_BENCH_FOLDED_H

#include "lang/folding.h"

/* Whether results can be checked here. */
bool folded_checkable(const struct folding *f, const stria_view *out, const stria_view *a);

/* The numbers of a: those of conversions, but none that ends all() or any() early. */
void folded_fill(const struct folding *f, char *data, int64_t size, stria_dtype dtype);

/*
 * Whether out is what the definition gives: integers, extremes and places exactly; floats within
 * the rounding of out's dtype and of some units of f64 of the terms.
 */
bool folded_right(const struct folding *f, const stria_view *out, const stria_view *a);

#endif
