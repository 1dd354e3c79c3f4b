/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena.h"

enum { MIN_ROUNDS = 7, MAX_ROUNDS = 51, MAX_CONTENDERS = 8 };

static const double shortest_sample = 1e-3; /* seconds: the clock's steps vanish in it */

static double now(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static double sample(const struct contender *c, size_t repeats)
{
    const double start = now();
    for (size_t i = 0; i < repeats; i++)
        c->run(c->context);
    return (now() - start) / (double)repeats;
}

/* Calls per sample: the first run warms caches and pages and is not counted. */
static size_t calibrate(const struct contender *c)
{
    size_t repeats = 1;
    (void)sample(c, 1);
    while (sample(c, repeats) * (double)repeats < shortest_sample && repeats < (size_t)1 << 30)
        repeats *= 2;
    return repeats;
}

size_t time_interleaved(struct contender *contenders, size_t count, double budget,
                        struct progress *progress)
{
    size_t repeats[MAX_CONTENDERS], rounds = 0;
    for (size_t i = 0; i < count; i++) {
        contenders[i].seconds = must_malloc(MAX_ROUNDS * sizeof(double));
        repeats[i] = calibrate(&contenders[i]);
    }
    const double start = now();
    double spent = 0;
    while (rounds < MIN_ROUNDS || (rounds < MAX_ROUNDS && spent < budget)) {
        for (size_t i = 0; i < count; i++)
            contenders[i].seconds[rounds] = sample(&contenders[i], repeats[i]);
        rounds++;
        spent = now() - start;
        const double by_time = spent / budget, by_rounds = (double)rounds / MIN_ROUNDS;
        progress_set(progress, (int)(1000 * (by_time < by_rounds ? by_time : by_rounds)));
    }
    return rounds;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between the two nearest values, as NumPy's quantile does. */
static double quantile(const double *sorted, size_t n, double q)
{
    const double at = q * (double)(n - 1);
    const size_t i = (size_t)at;
    const double part = at - (double)i;
    return i + 1 < n ? sorted[i] + part * (sorted[i + 1] - sorted[i]) : sorted[i];
}

struct quartiles quartiles_of(const double *values, size_t n)
{
    double sorted[MAX_ROUNDS];
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    return (struct quartiles){quantile(sorted, n, 0.25), quantile(sorted, n, 0.5),
                              quantile(sorted, n, 0.75)};
}

struct quartiles quartiles_of_ratio(const double *a, const double *b, size_t n)
{
    double ratios[MAX_ROUNDS];
    for (size_t i = 0; i < n; i++)
        ratios[i] = a[i] / b[i];
    return quartiles_of(ratios, n);
}
