/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fair comparison of a few functions: in every round each of them is timed once, so that what
 * disturbs the machine disturbs all alike; ratios are taken within a round.
 */
#ifndef STRIA_TOOL_TIMING_H
#define STRIA_TOOL_TIMING_H

#include <stddef.h>

struct contender {
    const char *name;
    void (*run)(void *context);
    void *context;
    double *seconds; /* one per round, owned; per call */
};

struct quartiles {
    double q1, median, q3;
};

enum { TIMING_MAX_ROUNDS = 51, TIMING_MAX_CONTENDERS = 16 };

/* How long to measure: exactly `rounds` of them, or when that is 0, at least 7 and `seconds`. */
struct timing {
    double seconds;
    size_t rounds; /* at most TIMING_MAX_ROUNDS */
};

/*
 * Times count contenders in rounds, each starting with another one; returns the number of rounds.
 * seconds is allocated for each contender. tell, which may be NULL, hears what part is done.
 */
size_t time_interleaved(struct contender *contenders, size_t count, struct timing timing,
                        void (*tell)(double done, void *context), void *context);

struct quartiles quartiles_of(const double *values, size_t n);
/* The quartiles of a[i] / b[i]. */
struct quartiles quartiles_of_ratio(const double *a, const double *b, size_t n);

/* "97.3 ns", "12.4 us", "3.1 ms" or "2 s": three digits, in text, which is returned. */
const char *time_text(char text[24], double seconds);

#endif
