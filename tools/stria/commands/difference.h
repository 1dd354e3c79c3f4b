/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where and by how much two arrays of one shape differ, block by block. */
#pragma once

#include "inputs.h"
#include "terminal.h"

/* |a - b| <= atol + rtol |b| counts as equal, and so do two NaNs; if both are 0, numbers must be
 * equal. */
struct tolerance {
    double rtol, atol;
};

/* A pair of elements: their place in C order, and their values. */
struct pair {
    int64_t at;
    long double a[2], b[2]; /* Real and imaginary part; they hold every 64-bit integer exactly. */
    long double by;         /* The difference |a - b|; NaN if one of them is NaN. */
};

struct difference {
    int64_t count, differing;
    bool numbers; /* Pairs have values; else elements are bytes. */
    bool complex;
    struct pair first;   /* The first pair that differs. */
    struct pair largest; /* The pair that differs most; NaN comes before everything else. */
};

/* Compares a and b, which have one shape. Both are numbers, or have the same dtype, which is no
 * record. */
stria_status difference_of(struct difference *out, const stria_view *a, const stria_view *b,
                           struct tolerance tolerance, struct progress *progress);
/* Tells whether dtypes are such a pair. */
bool difference_possible(stria_dtype a, stria_dtype b);
