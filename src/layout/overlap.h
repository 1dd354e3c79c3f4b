/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets of strided bytes: an address of element [0, ..., 0] and a geometry. Exact answers by integer
 * arithmetic, with a bound on the work; negative max_work means no bound. Addresses are numbers:
 * nothing is read, and none of the sets wraps around 2^64.
 */
#ifndef STRIA_SRC_OVERLAP_H
#define STRIA_SRC_OVERLAP_H

#include "layout/layout.h"

/* Do the ranges from first to last byte meet? False for empty sets. */
bool stria__bounds_meet(uint64_t at_a, const struct geometry *a, uint64_t at_b,
                        const struct geometry *b);

/* Do the sets have a byte in common? */
stria_overlap stria__overlap(uint64_t at_a, const struct geometry *a, uint64_t at_b,
                             const struct geometry *b, int64_t max_work);

/* Do two elements with different indices have a byte in common? Never SAME. */
stria_overlap stria__overlaps_itself(const struct geometry *a, int64_t max_work);

#endif
