/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fair comparison of a few functions: in every round each of them is timed once, so that what
 * disturbs the machine disturbs all alike; ratios are taken within a round. What was preempted is
 * timed again, and rounds in which that did not help do not count.
 */
#ifndef STRIA_TOOL_TIMING_H
#define STRIA_TOOL_TIMING_H

#include <stdbool.h>
#include <stddef.h>

struct contender {
    const char *name;
    void (*run)(void *context);
    void *context;
    double *seconds; /* one per round, owned; per call */
    double *cpu;     /* likewise, of the CPU; within the same memory */
};

struct quartiles {
    double q1, median, q3;
};

enum { TIMING_MAX_ROUNDS = 51, TIMING_MAX_CONTENDERS = 16 };

/* How long to measure: exactly `rounds` of them, or when that is 0, at least 7 and `seconds`. */
struct timing {
    double seconds;
    size_t rounds; /* at most TIMING_MAX_ROUNDS */
    bool threads;  /* the contenders run on several: CPU time is that of the process */
    bool warm;     /* long ones, too, begin with a call that is not counted */
};

struct timed {
    size_t rounds;              /* of the contenders' times */
    size_t measured, preempted; /* rounds; those in which another process had the CPU */
};

/*
 * Times count contenders in rounds, each starting with another one. seconds is allocated for each
 * contender; preempted rounds are left out, unless most are. tell, which may be NULL, hears what
 * part is done.
 */
struct timed time_interleaved(struct contender *contenders, size_t count, struct timing timing,
                              void (*tell)(double done, void *context), void *context);
/* Tells whether the times are those of rounds without another process. */
bool timed_trusted(struct timed t);

struct quartiles quartiles_of(const double *values, size_t n);
/* The quartiles of a[i] / b[i]. */
struct quartiles quartiles_of_ratio(const double *a, const double *b, size_t n);

/* "97.3 ns", "12.4 us", "3.1 ms" or "2 s": three digits, in text, which is returned. */
const char *time_text(char text[24], double seconds);

#endif
