/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena.h"

enum { MIN_ROUNDS = 7 };

static const double shortest_sample = 1e-3; /* seconds: the clock's steps vanish in it */

static double now(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/*
 * Short ones begin with a call that is not counted, which finds the caches as another contender
 * left them: after streaming stores the destination is outside.
 */
static double sample(const struct contender *c, size_t repeats)
{
    if (repeats > 1) c->run(c->context);
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

static double part_done(size_t rounds, double spent, struct timing timing)
{
    if (timing.rounds) return (double)rounds / (double)timing.rounds;
    const double by_time = timing.seconds > 0 ? spent / timing.seconds : 1;
    const double by_rounds = (double)rounds / MIN_ROUNDS;
    return by_time < by_rounds ? by_time : by_rounds;
}

size_t time_interleaved(struct contender *contenders, size_t count, struct timing timing,
                        void (*tell)(double done, void *context), void *context)
{
    size_t repeats[TIMING_MAX_CONTENDERS], rounds = 0;
    for (size_t i = 0; i < count; i++) {
        contenders[i].seconds = must_malloc(TIMING_MAX_ROUNDS * sizeof(double));
        repeats[i] = calibrate(&contenders[i]);
    }
    const double start = now();
    for (double done = 0; done < 1 && rounds < TIMING_MAX_ROUNDS;) {
        /* Now up, now down: none follows the same one every time. */
        for (size_t k = 0; k < count; k++) {
            const size_t step = rounds % 2 ? count - k : k, i = (rounds / 2 + step) % count;
            contenders[i].seconds[rounds] = sample(&contenders[i], repeats[i]);
        }
        rounds++;
        done = part_done(rounds, now() - start, timing);
        if (tell) tell(done, context);
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
    double sorted[TIMING_MAX_ROUNDS];
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    return (struct quartiles){quantile(sorted, n, 0.25), quantile(sorted, n, 0.5),
                              quantile(sorted, n, 0.75)};
}

struct quartiles quartiles_of_ratio(const double *a, const double *b, size_t n)
{
    double ratios[TIMING_MAX_ROUNDS];
    for (size_t i = 0; i < n; i++)
        ratios[i] = a[i] / b[i];
    return quartiles_of(ratios, n);
}

const char *time_text(char text[24], double seconds)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int i = 0;
    for (; i < 3 && seconds < 0.9995; i++)
        seconds *= 1000;
    (void)snprintf(text, 24, "%.3g %s", seconds, units[i]);
    return text;
}
