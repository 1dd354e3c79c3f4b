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
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "base/tool_api.h"
#include "base/integers.h"
#include "machine/fp_mode.h"
#include "stria/threads.h"
#include "stria/watch.h"

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
 * for operations that have a use for exec->mask and CASTING_HINTS. Whether the mask is a view is
 * not looked at.
 */
STRIA_FOR_LINALG stria_status stria__check_given_exec(const stria_exec *exec, const char *op,
                                                      bool takes_mask);

/* Tells whether a watch has been used before and has ended no call. */
static inline bool stria__watch_waits(const stria_watch *watch)
{
    return watch->go_on && !watch->state[0] && watch->state[1];
}

/*
 * Tells whether exec is NULL, or valid and without what few calls have: a policy of casts, and a
 * mask that is not taken.
 */
static inline bool stria__exec_is_usual(const stria_exec *exec, bool takes_mask)
{
    return !exec || (exec->threads >= 0 && !(exec->hints & ~(uint32_t)EXEC_HINTS) &&
                     (takes_mask || !exec->mask) && !exec->budget &&
                     !(exec->reserved[0] | exec->reserved[1]) &&
                     (!exec->watch || stria__watch_waits(exec->watch)));
}

/* Refuses what needs kernels of a family that this build has not (cmake/kernels.cmake). */
static inline stria_status stria__left_out(const char *op, const char *family)
{
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "%s: this library was built without the family '%s', see STRIA_FAMILIES", op,
                       family);
}

/*
 * Returns ARGUMENT for a negative number of threads, for unknown hints and words, and for a mask, a
 * policy of casts or a budget; CANCELLED where the watch has ended a call before. NULL means the
 * defaults. In a file of a family that is not built it is UNSUPPORTED.
 */
static inline stria_status stria__check_exec(const stria_exec *exec, const char *op)
{
#ifdef STRIA_LEFT_OUT
    STRIA_TRY(stria__left_out(op, STRIA_LEFT_OUT));
#endif
    return stria__exec_is_usual(exec, false) ? STRIA_OK : stria__check_given_exec(exec, op, false);
}

/*
 * A function that takes an exec and calls others without it, as for a temporary, begins with
 * OBEYS(exec): up to the end of that function calls of this thread with no exec, or with one that
 * names neither threads nor a pool, run as this exec says, and its watch is that of calls with
 * none. An exec that names nothing changes nothing.
 */
struct obeyed {
    const stria_exec *before;
    stria_watch *watch; /* the one before */
    bool changed;
};
STRIA_FOR_LINALG struct obeyed stria__obey(const stria_exec *exec);
STRIA_FOR_LINALG void stria__obey_before(const struct obeyed *scope);

static inline bool stria__exec_names(const stria_exec *exec)
{
    return exec && (exec->threads != 0 || exec->run);
}

static inline void stria__obey_no_longer(const struct obeyed *scope)
{
    if (scope->changed) stria__obey_before(scope);
}

#define OBEYS(exec)                                                                                \
    __attribute__((cleanup(stria__obey_no_longer), unused)) const struct obeyed obeyed =           \
        stria__exec_names(exec) || ((exec) && (exec)->watch) ? stria__obey(exec) : (struct obeyed) \
    {                                                                                              \
        NULL, NULL, false                                                                          \
    }

/* The first line of a function that computes: in the default mode, and as its exec says. */
#define COMPUTES(exec)                                                                             \
    IN_DEFAULT_FP_MODE;                                                                            \
    OBEYS(exec)

/* The first line of a function whose exec says how everything runs that it calls. */
#define TAKES_EXEC(exec, op)                                                                       \
    OBEYS(exec);                                                                                   \
    STRIA_TRY(stria__check_exec(exec, op))

/*
 * The watch of a call (watch.h). Work is cut into pieces of some 2 ms, and whoever runs one asks
 * stria__is_stopped before, which in the thread of the call asks the watch where it is time. A
 * piece that is not run leaves memory of the caller's as it is; so work whose next step reads what
 * a piece would have made for it looks at stria__watch_end in between, which is also what every
 * function that has divided work returns.
 */
enum {
    WATCH_EVERY = 2000000, /* nanoseconds between questions */
    ASKED_STEPS = 1 << 15  /* steps of a loop in one thread after which it asks */
};
void stria__watch_every(uint64_t nanoseconds); /* for tests */
bool stria__is_watched(const stria_exec *exec);
STRIA_FOR_LINALG bool stria__is_stopped(void);
bool stria__asks(void); /* whether it would ask anybody */
STRIA_FOR_LINALG stria_status stria__watch_end(const stria_exec *exec); /* CANCELLED, or OK */

/* WATCHES(exec): up to the end of a function, that is what this thread asks. */
struct watching {
    stria_watch *watch;
    bool asks; /* this is the thread of the call */
};
STRIA_FOR_LINALG struct watching stria__watch(const stria_exec *exec);
STRIA_FOR_LINALG void stria__watch_before(const struct watching *before);
#define WATCHES(exec)                                                                              \
    __attribute__((cleanup(stria__watch_before), unused)) const struct watching watching =         \
        stria__watch(exec)

/* Says that bytes were written, and asks at once. */
stria_status stria__watch_bytes(const stria_exec *exec, int64_t bytes);

/*
 * Returns the number of threads for work that moves `bytes` bytes of memory (read plus written) and
 * takes `cycles` cycles of one core for arithmetic, 0 if moving the bytes is all there is. 1 for
 * little work and inside any parallel region or task; otherwise as many as the work keeps busy and
 * as exec, the setting and the CPUs allow. exec may be NULL.
 */
STRIA_FOR_LINALG int stria__threads_for(const stria_exec *exec, int64_t bytes, double cycles);

/*
 * Runs task(data, i) for every i in 0 .. count-1 on at most `threads` threads and returns when all
 * of them are done. Each thread gets one range of neighbouring i and runs it in ascending order.
 */
TOOL_API void stria__parallel(const stria_exec *exec, int threads, int64_t count,
                              void (*task)(void *data, int64_t i), void *data);

/*
 * A number of threads that work on one thing in several steps, each with a fixed part of it. Less
 * than CREW_LEAST elements are the work of one thread, since every step costs a start.
 */
enum { CREW_MOST = 64, CREW_LEAST = 1 << 16 };
struct crew {
    const stria_exec *exec;
    int threads; /* parts of the work, 1 .. CREW_MOST: more than threads where it is watched */
    int at_once; /* threads */
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
 * Tells whether the busiest of several threads gets hardly more than its share of `count` units of
 * work in pieces of `each`. The last piece may be a smaller one.
 */
static inline bool shares_evenly(int64_t count, int64_t each, int threads)
{
    enum { EVEN = 16 };
    const int64_t pieces = (count - 1) / each + 1, most = (pieces - 1) / threads + 1;
    /* Repeated elements may be so many that integers would overflow. */
    return (double)most * (double)each * threads * EVEN <= (double)count * (EVEN + 1);
}

/*
 * The number of CPUs that this process may use at once, at least 1: what its affinity mask and the
 * CPU time quota of its control group allow.
 */
int stria__cpus_allowed(void);

/*
 * Returns the quota alone in whole CPUs, at least 1, or INT_MAX when there is none. `self` is the
 * path of the file that names the control group of the process, /proc/self/cgroup; `tree` is the
 * path where the groups are mounted, /sys/fs/cgroup. Tests pass files of their own.
 */
int stria__cpu_quota(const char *self, const char *tree);
