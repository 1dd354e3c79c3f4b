/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Software prefetch of the cache lines of a box of elements. The hardware prefetcher follows each
 * row, but does not know where the next row begins.
 */
#ifndef STRIA_SRC_ENGINE_MOVE_AHEAD_H
#define STRIA_SRC_ENGINE_MOVE_AHEAD_H

#include <stdint.h>

#include "simd/kernels.h"
#include "stria/plan.h"

/* Prefetches the cache lines of some bytes from `in` on. */
static inline void stria__fetch_lines(const char *in, int64_t bytes)
{
    const char *const end = in + bytes;
    for (const char *line = in - (uintptr_t)in % LINE; line < end; line += LINE)
        __builtin_prefetch(line, 0, 2);
}

/* The part of a box that remains to be prefetched. */
struct ahead {
    int64_t lines;               /* lines that remain to be prefetched; 0: none */
    const char *at, *line, *end; /* the current run, and the next line of it */
    int64_t run;
    int ndim;
    int64_t n[STRIA_MAX_NDIM], s[STRIA_MAX_NDIM], index[STRIA_MAX_NDIM];
};

/*
 * Begins with the first `ndim` dims of operand 0 of a plan, from address `from` on; the last of
 * these dims has n iterations. Items have `item` bytes. The box is not empty.
 */
void stria__ahead(struct ahead *out, const stria_plan *plan, int ndim, int64_t n, const char *from,
                  int64_t item);

/* Prefetches up to `lines` lines into the second-level cache. */
void stria__ahead_fetch(struct ahead *ahead, int64_t lines);

#endif
