/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans: every element combined with all before it along one dim, for several lines at once. A line
 * is what is combined; elements of neighbouring lines are adjacent.
 *
 * Sums of floats are made in f64: element i is carry + p, where p is the sum of the elements of its
 * block of SCAN_BLOCK up to i, in order, and carry that of the blocks before, as two f64 of which
 * the second has what the first has lost. docs/reductions.md has it in full. Products are made in
 * order. Integers wrap.
 */
#ifndef STRIA_SIMD_SCAN_H
#define STRIA_SIMD_SCAN_H

#include "convert.h"

enum { SCAN_BLOCK = 256, SCAN_STATE = 3 /* items of 8 bytes that a line keeps */ };

/* In native byte order, out may be in. Item (r, c) of in lies at in + r * si + c items. */
struct scan_block {
    char *out;
    const char *in;
    int64_t n, lines, so, si; /* n elements of each line */
    int64_t first;            /* number of the first element; 0: the state is set */
    char *state;              /* SCAN_STATE rows of an item of 8 bytes for each line */
};

typedef void scan_kernel(const struct scan_block *b);

enum scan { SCAN_SUM, SCAN_PRODUCT, SCAN_MAXIMUM, SCAN_MINIMUM, SCANS };

#endif
