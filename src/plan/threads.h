/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how many threads a piece of work is worth, and the only function that starts threads.
 *
 * NOTE: memory that changes. Memory of the caller may be changed by another thread while a call
 * reads it: the results may then be anything, but nothing outside of the operands is read or
 * written, and every loop ends. So an index, a count, a length or an order that lies there is read
 * once, into a variable or into memory that only the call knows, and checked as it was read; or it
 * is read again with a bound that does not depend on it. A count of elements that have a property
 * is no bound of those that a second pass finds: that pass ends where the room does.
 */
#ifndef STRIA_SRC_THREADS_H
#define STRIA_SRC_THREADS_H

#include <stdbool.h>

#include "base/integers.h"
#include "stria/threads.h"

/* The set of all hints. */
enum {
    EXEC_HINTS = STRIA_WILL_READ_SOON | STRIA_NO_OVERLAP | STRIA_CAST_WRAP |
                 STRIA_PROMOTE_AS_NUMPY | STRIA_REPRODUCIBLE | STRIA_WONT_READ_SOON
};

/* The set of those hints that tell how elementwise operations cast their results. */
enum {
    CASTING_HINTS =
        STRIA_CASTING_UNSAFE | STRIA_CASTING_SAFE | STRIA_CASTING_EQUIV | STRIA_CASTING_NO
};

/*
 * Do stria__check_exec and stria__check_masked_exec for an exec that is not NULL: `takes_mask`
 * for operations that have a use for exec->where and CASTING_HINTS. Whether the mask is a view is
 * not looked at.
 */
stria_status stria__check_given_exec(const stria_exec *exec, const char *op, bool takes_mask);

/* Tells whether exec is NULL, or valid and without a policy of casts and without a mask. */
static inline bool stria__exec_is_usual(const stria_exec *exec, bool takes_mask)
{
    return !exec || (exec->threads >= 0 && !(exec->hints & ~(uint32_t)EXEC_HINTS) &&
                     (takes_mask || !exec->where));
}

/*
 * Returns ARGUMENT for a negative number of threads, for unknown hints, and for a mask or a policy
 * of casts; NULL means the defaults.
 */
static inline stria_status stria__check_exec(const stria_exec *exec, const char *op)
{
    return stria__exec_is_usual(exec, false) ? STRIA_OK : stria__check_given_exec(exec, op, false);
}

/*
 * A function that takes an exec and calls others without it, as for a temporary, begins with
 * OBEYS(exec): up to the end of that function calls of this thread with no exec, or with one that
 * names neither threads nor a pool, run as this exec says. An exec that names neither changes
 * nothing.
 */
struct obeyed {
    const stria_exec *before;
    bool changed;
};
struct obeyed stria__obey(const stria_exec *exec);
void stria__obey_before(const stria_exec *before);

static inline bool stria__exec_names(const stria_exec *exec)
{
    return exec && (exec->threads != 0 || exec->run);
}

static inline void stria__obey_no_longer(const struct obeyed *scope)
{
    if (scope->changed) stria__obey_before(scope->before);
}

#define OBEYS(exec)                                                                                \
    __attribute__((cleanup(stria__obey_no_longer), unused)) const struct obeyed obeyed =           \
        stria__exec_names(exec) ? stria__obey(exec) : (struct obeyed)                              \
    {                                                                                              \
        NULL, false                                                                                \
    }

/*
 * Returns the number of threads for work that moves `bytes` bytes of memory (read plus written) and
 * takes `cycles` cycles of one core for arithmetic, 0 if moving the bytes is all there is. 1 for
 * little work and inside any parallel region or task; otherwise as many as the work keeps busy and
 * as exec, the setting and the CPUs allow. exec may be NULL.
 */
int stria__threads_for(const stria_exec *exec, int64_t bytes, double cycles);

/*
 * Runs task(data, i) for every i in 0 .. count-1 on at most `threads` threads and returns when all
 * of them are done. Each thread gets one range of neighbouring i and runs it in ascending order.
 */
void stria__parallel(const stria_exec *exec, int threads, int64_t count,
                     void (*task)(void *data, int64_t i), void *data);

/*
 * A number of threads that work on one thing in several steps, each with a fixed part of it. Less
 * than CREW_LEAST elements are the work of one thread, since every step costs a start.
 */
enum { CREW_MOST = 64, CREW_LEAST = 1 << 16 };
struct crew {
    const stria_exec *exec;
    int threads; /* The number is 1 .. CREW_MOST. */
};

/* Returns the crew for n elements that take so many cycles each. */
struct crew stria__crew_for(const stria_exec *exec, int64_t n, double cycles);

void stria__divide_among(const struct crew *crew, int64_t n,
                         void (*body)(void *data, int64_t part, struct share range), void *data);

/* Runs body for each part of n things; returns how many parts there are. */
static inline int stria__divide(const struct crew *crew, int64_t n,
                                void (*body)(void *data, int64_t part, struct share range),
                                void *data)
{
    if (crew->threads > 1 && n >= CREW_LEAST) {
        stria__divide_among(crew, n, body, data);
        return crew->threads;
    }
    body(data, 0, (struct share){0, n});
    return 1;
}

/*
 * Returns the number of CPUs that this process may use at once, at least 1: what its affinity mask
 * and the CPU time quota of its control group allow.
 */
int stria__cpus_allowed(void);

/*
 * Returns the quota alone in whole CPUs, at least 1, or INT_MAX when there is none. `self` is the
 * path of the file that names the control group of the process, /proc/self/cgroup; `tree` is the
 * path where the groups are mounted, /sys/fs/cgroup. Tests pass files of their own.
 */
int stria__cpu_quota(const char *self, const char *tree);

#endif
