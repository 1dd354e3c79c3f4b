/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cache lines of a box of elements, asked for before they are needed: between its rows the
 * hardware does not foresee where reading goes on.
 */
#ifndef STRIA_SRC_OPS_AHEAD_H
#define STRIA_SRC_OPS_AHEAD_H

#include <stdint.h>

#include "simd/kernels.h"
#include "stria/plan.h"

/* Asks for the lines that hold some of the bytes from `in` on. */
static inline void stria__fetch_lines(const char *in, int64_t bytes)
{
    const char *const end = in + bytes;
    for (const char *line = in - (uintptr_t)in % LINE; line < end; line += LINE)
        __builtin_prefetch(line, 0, 2);
}

/* What is left of a box; a value that moves on. */
struct ahead {
    int64_t lines;               /* left to be fetched; 0: nothing */
    const char *at, *line, *end; /* the current run, and the next line of it */
    int64_t run;
    int ndim;
    int64_t n[STRIA_MAX_NDIM], s[STRIA_MAX_NDIM], index[STRIA_MAX_NDIM];
};

/*
 * The first `ndim` dims of operand 0 of a plan, from `from` on, of which the last one has n
 * iterations; items of `item` bytes. Not empty.
 */
void stria__ahead(struct ahead *out, const stria_plan *plan, int ndim, int64_t n, const char *from,
                  int64_t item);

/* Fetches up to `lines` lines into the second level of the caches. */
void stria__ahead_fetch(struct ahead *ahead, int64_t lines);

#endif
