/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans (running sums and the like): every element is combined with all elements before it in its
 * line. Several lines are scanned at once; their elements are adjacent.
 *
 * Sums of floats are computed in f64. Element i is carry + p: p is the sum, in order, of the
 * elements of its block of SCAN_BLOCK up to i, and the carry is the sum of the blocks before, as
 * two f64 of which the second collects the rounding errors of the first. docs/reductions.md has the
 * details. Products are computed in order. Integers wrap.
 */
#pragma once

#include "convert.h"

enum { SCAN_BLOCK = 256, SCAN_STATE = 3 /* items of 8 bytes that each line keeps */ };

/* Items are in native byte order; out may be in. Item (r, c) is at in + r * si + c * item. */
struct scan_block {
    char *out;
    const char *in;
    int64_t n, lines, so, si; /* n elements per line */
    int64_t first;            /* index of the first element; if 0, the kernel initializes `state` */
    char *state;              /* SCAN_STATE rows with 8 bytes for each line */
};

typedef void scan_kernel(const struct scan_block *b);

enum scan { SCAN_SUM, SCAN_PRODUCT, SCAN_MAXIMUM, SCAN_MINIMUM, SCANS };

/* Scans of i64, u64, f32 and f64, and of products of c128; NULL where there is none. */
struct scan_kernels {
    scan_kernel *of[SCANS][NUMBERS];
};
