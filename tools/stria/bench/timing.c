/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include <time.h>

#include "system.h"
#include "tool.h"

enum { MIN_ROUNDS = 7, TRIES = 4 /* Tries for a sample that is preempted. */ };

/* Seconds beside which the clock's steps do not matter. */
static const double shortest_sample = 1e-3;
static const double loss = 0.02; /* Share of its time that a sample may lose unmarked. */

static double seconds_of(clockid_t clock)
{
    struct timespec at;
    (void)clock_gettime(clock, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

struct sample {
    double seconds, cpu; /* Seconds per call. */
    bool preempted;
};

/*
 * Takes a sample. Short calls begin with one that is not counted, since it finds the caches as
 * another contender left them: after streaming stores the destination is not cached. The loss by a
 * switch is known only for one thread.
 */
static struct sample sample(const struct contender *c, size_t repeats, struct timing timing)
{
    const bool threads = timing.threads;
    const clockid_t clock = threads ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID;
    if (repeats > 1 || timing.warm) c->run(c->context);
    const int64_t before = system_switches(threads);
    const double used = seconds_of(clock), start = now();
    for (size_t i = 0; i < repeats; i++)
        c->run(c->context);
    const double wall = now() - start, cpu = seconds_of(clock) - used;
    return (struct sample){wall / (double)repeats, cpu / (double)repeats,
                           system_switches(threads) > before &&
                               (threads || wall - cpu > loss * wall)};
}

/* Returns the calls per sample; the first run warms caches and pages and is not counted. */
static size_t calibrate(const struct contender *c, struct timing timing)
{
    size_t repeats = 1;
    (void)sample(c, 1, timing);
    for (; repeats < (size_t)1 << 30; repeats *= 2) {
        const struct sample s = sample(c, repeats, timing);
        if ((timing.threads ? s.seconds : s.cpu) * (double)repeats >= shortest_sample) break;
    }
    return repeats;
}

/* Measures a contender; tells whether every try was preempted. */
static bool measure_contender(const struct contender *c, size_t repeats, struct timing timing,
                              size_t round)
{
    struct sample s = {.preempted = true};
    for (int i = 0; i < TRIES && s.preempted; i++)
        s = sample(c, repeats, timing);
    c->seconds[round] = s.seconds;
    c->cpu[round] = s.cpu;
    return s.preempted;
}

static double part_done(size_t rounds, double spent, struct timing timing)
{
    if (timing.rounds) return (double)rounds / (double)timing.rounds;
    const double by_time = timing.seconds > 0 ? spent / timing.seconds : 1;
    const double by_rounds = (double)rounds / MIN_ROUNDS;
    return by_time < by_rounds ? by_time : by_rounds;
}

bool timed_trusted(struct timed t)
{
    return 2 * t.preempted <= t.measured;
}

/* Moves the rounds that count to the front. */
static void leave_out(struct contender *contenders, size_t count, struct timed *t,
                      const bool *preempted)
{
    t->rounds = 0;
    for (size_t k = 0; k < t->measured; k++) {
        if (preempted[k]) continue;
        for (size_t i = 0; i < count; i++) {
            contenders[i].seconds[t->rounds] = contenders[i].seconds[k];
            contenders[i].cpu[t->rounds] = contenders[i].cpu[k];
        }
        t->rounds++;
    }
}

struct timed time_interleaved(struct contender *contenders, size_t count, struct timing timing,
                              void (*tell)(double done, void *context), void *context)
{
    size_t repeats[TIMING_MAX_CONTENDERS], rounds = 0;
    bool preempted[TIMING_MAX_ROUNDS] = {false};
    struct timed timed = {0};
    for (size_t i = 0; i < count; i++) {
        contenders[i].seconds = must_malloc(2 * TIMING_MAX_ROUNDS * sizeof(double));
        contenders[i].cpu = contenders[i].seconds + TIMING_MAX_ROUNDS;
        repeats[i] = calibrate(&contenders[i], timing);
    }
    const double start = now();
    for (double done = 0; done < 1 && rounds < TIMING_MAX_ROUNDS;) {
        /* Rounds go up and down in turns, so that none follows the same contender every time. */
        for (size_t k = 0; k < count; k++) {
            const size_t step = rounds % 2 ? count - k : k, i = (rounds / 2 + step) % count;
            if (measure_contender(&contenders[i], repeats[i], timing, rounds))
                preempted[rounds] = true;
        }
        timed.preempted += preempted[rounds];
        rounds++;
        done = part_done(rounds, now() - start, timing);
        if (tell) tell(done, context);
    }
    timed.rounds = timed.measured = rounds;
    if (timed_trusted(timed)) leave_out(contenders, count, &timed, preempted);
    return timed;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Interpolates between the two nearest values, as NumPy's quantile does. */
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
