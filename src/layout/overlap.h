/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets of strided bytes: the address of element [0, ..., 0] and a geometry. The answers are exact,
 * by integer arithmetic, within a bound on the work; negative max_work means no bound. Addresses
 * are only numbers: nothing is read, and no set wraps around 2^64.
 */
#pragma once

#include "layout/layout.h"

/* Tells whether the ranges from first to last byte overlap; false for empty sets. */
bool stria__bounds_overlap(uint64_t at_a, const struct geometry *a, uint64_t at_b,
                           const struct geometry *b);

/* Tells whether the sets have a byte in common. */
stria_overlap stria__overlap(uint64_t at_a, const struct geometry *a, uint64_t at_b,
                             const struct geometry *b, int64_t max_work);

/* Tells whether two elements with different indices have a byte in common; never SAME. */
stria_overlap stria__overlaps_itself(const struct geometry *a, int64_t max_work);
