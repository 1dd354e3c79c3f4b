/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of bytes that lie where some dims of a plan say, one after the other. */
#ifndef STRIA_SRC_OPS_RUNS_H
#define STRIA_SRC_OPS_RUNS_H

#include <stdint.h>

#include "stria/plan.h"

/* Dims from `first` on count the runs, outermost slowest; operand 0 tells their steps. */
struct runs {
    const stria_plan *plan;
    int first;
    char *at;      /* the current one; NULL: behind the last */
    int64_t size;  /* bytes of each */
    int64_t ahead; /* of the current one, have been fetched */
    int64_t index[STRIA_MAX_NDIM];
};

/* At the first one. A few dims are set up, not room for all. */
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

/* Fetches the next bytes, of as many runs as that takes, and moves on behind them. */
void stria__runs_fetch(struct runs *runs, int64_t bytes);

#endif
