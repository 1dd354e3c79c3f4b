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

/* At the first one. */
static inline struct runs stria__runs(const stria_plan *plan, int first, int64_t size)
{
    return (struct runs){.plan = plan, .first = first, .at = plan->ptr[0], .size = size};
}

void stria__runs_next(struct runs *runs);

/* Fetches the next bytes, of as many runs as that takes, and moves on behind them. */
void stria__runs_fetch(struct runs *runs, int64_t bytes);

#endif
