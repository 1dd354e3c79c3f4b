/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fair comparison of a few functions: in every round each of them is timed once, so that what
 * disturbs the machine disturbs all alike; ratios are taken within a round.
 */
#ifndef STRIA_TOOL_TIMING_H
#define STRIA_TOOL_TIMING_H

#include <stddef.h>

#include "progress.h"

struct contender {
    const char *name;
    void (*run)(void *context);
    void *context;
    double *seconds; /* one per round, owned; per call */
};

struct quartiles {
    double q1, median, q3;
};

/*
 * Times count contenders in rounds until at least 7 rounds and about `budget` seconds are over, at
 * most 51 rounds; returns their number. seconds is allocated for each contender.
 */
size_t time_interleaved(struct contender *contenders, size_t count, double budget,
                        struct progress *progress);

struct quartiles quartiles_of(const double *values, size_t n);
/* The quartiles of a[i] / b[i]. */
struct quartiles quartiles_of_ratio(const double *a, const double *b, size_t n);

#endif
