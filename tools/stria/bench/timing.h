/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares a few functions fairly: in every round each of them is timed once, so that disturbances
 * of the machine hit all alike; ratios are taken within a round. Preempted samples are timed again,
 * and rounds in which that did not help do not count.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct contender {
    const char *name;
    void (*run)(void *context);
    void *context;
    double *seconds; /* Seconds per call, one for each round; owned. */
    double *cpu;     /* The same of CPU time, within the same memory. */
};

struct quartiles {
    double q1, median, q3;
};

enum { TIMING_MAX_ROUNDS = 51, TIMING_MAX_CONTENDERS = 16 };

/* How long to measure: exactly `rounds` rounds or, when that is 0, at least 7 and `seconds`. */
struct timing {
    double seconds;
    size_t rounds; /* At most TIMING_MAX_ROUNDS. */
    /* The contenders run on several threads, so that CPU time is that of the process. */
    bool threads;
    bool warm; /* Long calls, too, begin with one that is not counted. */
};

struct timed {
    size_t rounds; /* Number of the contenders' times. */
    /* Number of measured rounds, and of those in which another process had the CPU. */
    size_t measured, preempted;
};

/*
 * Times count contenders in rounds, each starting with another contender. seconds is allocated for
 * each contender; preempted rounds are left out, unless most are. tell, which may be NULL, is
 * called with the part that is done.
 */
struct timed time_interleaved(struct contender *contenders, size_t count, struct timing timing,
                              void (*tell)(double done, void *context), void *context);
/* Tells whether the times are those of rounds without another process. */
bool timed_trusted(struct timed t);

struct quartiles quartiles_of(const double *values, size_t n);
/* Returns the quartiles of a[i] / b[i]. */
struct quartiles quartiles_of_ratio(const double *a, const double *b, size_t n);

/* Writes three digits to text, as "97.3 ns", "12.4 us", "3.1 ms" or "2 s", and returns text. */
const char *time_text(char text[24], double seconds);
