/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans and folds along one dim of views of any layout. */
#pragma once

#include "conversion.h"
#include "simd/combine.h"
#include "simd/scan.h"

/*
 * A checked scan: out and a have one shape, which is not empty. Of a fold, out has `count` > 0
 * elements along the dim, each the elements of a from offsets[k] to before offsets[k + 1], combined
 * in their order; out and a share no byte.
 */
struct scan_call {
    const stria_view *out, *a; /* They are exactly the same elements, or share no byte. */
    int dim;
    /* NULL: the function `next` makes each result from the one before it and the element. */
    scan_kernel *kernel;
    map_loop *next;
    stria_dtype takes; /* Native dtype that the kernel reads and writes. */
    double cycles;
    const char *initial;    /* With next: an item before the first element; NULL: there is none. */
    const int64_t *offsets; /* A fold has count + 1, which never decrease; NULL: it is a scan. */
    int64_t count;
    const char *none;   /* The result of no elements in a fold; NULL: there are no such results. */
    combine_loop *line; /* Combines elements of one line with a result; NULL: `next` does. */
};

void stria__scan(const struct scan_call *call, const stria_exec *exec);
