/* SPDX-License-Identifier: BSD-3-Clause */
/* What `stria stat` says of an array: one pass for the numbers, one for the histogram. */
#ifndef STRIA_TOOL_STATISTICS_H
#define STRIA_TOOL_STATISTICS_H

#include "inputs.h"
#include "progress.h"

enum { STATISTICS_BINS = 20 };

struct statistics {
    int64_t count, nans, infinities, zeros;
    stria_kind kind; /* of least and most: I64, U64 or F64 */
    union {
        int64_t i;
        uint64_t u;
        double f;
    } least, most;    /* of what is no NaN; without meaning where there is nothing else */
    double mean, std; /* of the same, the whole population: NumPy's ddof=0 */
    double low, high; /* of finite numbers: the ends of the histogram */
    bool drawn;       /* there are finite numbers */
    int64_t bins[STATISTICS_BINS];
};

/* Computes the statistics of real numbers; DTYPE for others. */
stria_status statistics_of(struct statistics *out, const stria_view *a, struct progress *progress);

#endif
