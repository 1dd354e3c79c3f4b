/* SPDX-License-Identifier: BSD-3-Clause */
/* A sequence of runs of bytes, whose addresses are counted by some dims of a plan. */
#ifndef STRIA_SRC_OPS_RUNS_H
#define STRIA_SRC_OPS_RUNS_H

#include <stdint.h>

#include "stria/plan.h"

/*
 * Dims from `first` on count the runs, the outermost dim slowest; the steps are those of operand 0.
 */
struct runs {
    const stria_plan *plan;
    int first;
    char *at;      /* the current run; NULL after the last */
    int64_t size;  /* bytes of each run */
    int64_t ahead; /* bytes of the current run that have been prefetched */
    int64_t index[STRIA_MAX_NDIM];
};

/* Begins at the first run. Only the dims in use are set. */
static inline void stria__runs_begin(struct runs *out, const stria_plan *plan, int first,
                                     int64_t size)
{
    out->plan = plan;
    out->first = first;
    out->at = plan->ptr[0];
    out->size = size;
    out->ahead = 0;
    for (int d = first; d < plan->ndim; d++)
        out->index[d] = 0;
}

void stria__runs_next(struct runs *runs);

/* Prefetches the next bytes, of as many runs as that takes, and advances past them. */
void stria__runs_fetch(struct runs *runs, int64_t bytes);

#endif
