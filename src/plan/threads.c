/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how many threads a piece of work is worth, and starts them: by the caller's own
 * parallel-for where exec brings one, else by OpenMP where the library was compiled with it, else
 * not at all. The host's OpenMP settings are read and never changed.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>

/* The OpenMP that the program brings may be older than 5.0, and lack it. */
#pragma weak omp_pause_resource_all
#endif

#include "machine/fp_mode.h"
#include "machine/machine.h"
#include "base/status.h"

enum {
    MOST = 1024, /* Larger settings count as this many threads. */
    UNREAD = -1
};

static atomic_int setting; /* Number of stria_set_threads; 0 when there is none. */
static atomic_int from_environment = UNREAD; /* 0 when the variable is missing or not usable. */

/*
 * True while this thread runs a task. OpenMP knows only its own parallel regions, not the threads
 * of the caller's pool.
 */
static _Thread_local bool inside;

static _Thread_local const stria_exec *obeyed; /* The exec of OBEYS; NULL: the defaults. */

static _Thread_local stria_watch *obeyed_watch;

struct obeyed stria__obey(const stria_exec *exec)
{
    const struct obeyed scope = {obeyed, obeyed_watch, true};
    if (stria__exec_names(exec)) obeyed = exec;
    if (exec->watch) obeyed_watch = exec->watch;
    return scope;
}

void stria__obey_before(const struct obeyed *scope)
{
    obeyed = scope->before;
    obeyed_watch = scope->watch;
}

/* ---- watches --------------------------------------------------------------------------------- */

/* Words of a watch: whether it has ended a call, which all threads read, and when it was asked. */
enum { STOPPED, ASKED };

static _Thread_local struct watching now; /* what this thread asks */

static bool has_stopped(const stria_watch *watch)
{
    return __atomic_load_n(&watch->state[STOPPED], __ATOMIC_RELAXED) != 0;
}

static uint64_t nanoseconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static bool ask(stria_watch *watch, int64_t bytes)
{
    /* Calls of go_on are no part of the call that asks. */
    const struct watching before = now;
    stria_watch *const obeyed_before = obeyed_watch;
    now = (struct watching){NULL, false};
    obeyed_watch = NULL;
    const bool goes_on = watch->go_on(watch->context, bytes);
    now = before;
    obeyed_watch = obeyed_before;
    watch->state[ASKED] = nanoseconds();
    if (!goes_on) __atomic_store_n(&watch->state[STOPPED], 1, __ATOMIC_RELAXED);
    return !goes_on;
}

static stria_watch *watch_of(const stria_exec *exec)
{
    return exec && exec->watch ? exec->watch : obeyed_watch;
}

static uint64_t every = WATCH_EVERY;

void stria__watch_every(uint64_t nanoseconds_between)
{
    every = nanoseconds_between;
}

bool stria__is_watched(const stria_exec *exec)
{
    return watch_of(exec) && !inside;
}

bool stria__is_stopped(void)
{
    stria_watch *const watch = now.watch;
    if (!watch) return false;
    if (has_stopped(watch)) return true;
    return now.asks && nanoseconds() - watch->state[ASKED] >= every && ask(watch, 0);
}

bool stria__asks(void)
{
    return now.watch != NULL;
}

stria_status stria__watch_end(const stria_exec *exec)
{
    const stria_watch *const watch = watch_of(exec);
    if (!watch || !has_stopped(watch)) return STRIA_OK;
    return stria__fail(STRIA_ERR_CANCELLED, "cancelled: exec->watch ended the call");
}

stria_status stria__watch_bytes(const stria_exec *exec, int64_t bytes)
{
    stria_watch *const watch = watch_of(exec);
    if (watch) (void)ask(watch, bytes);
    return stria__watch_end(exec);
}

struct watching stria__watch(const stria_exec *exec)
{
    const struct watching before = now;
    if (stria__is_watched(exec)) now = (struct watching){watch_of(exec), true};
    return before;
}

void stria__watch_before(const struct watching *before)
{
    now = *before;
}

static stria_status check_watch(stria_watch *watch, const char *op)
{
    if (!watch->go_on)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: the watch of exec has no go_on", op);
    if (has_stopped(watch))
        return stria__fail(STRIA_ERR_CANCELLED,
                           "%s: cancelled: the watch of exec has ended a call before", op);
    if (!watch->state[ASKED]) watch->state[ASKED] = nanoseconds();
    return STRIA_OK;
}

/* ---- how many -------------------------------------------------------------------------------- */

/* The value of a whole positive number in decimal, MOST when it is larger; 0 for any other text. */
static int parse_threads(const char *text)
{
    int n = 0;
    if (!text || !*text) return 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return 0;
        n = n * 10 + (*text - '0');
        if (n > MOST) n = MOST;
    }
    return n;
}

/* Returns the setting of the environment. If two threads get here first at the same time, both
 * parse the same text: no lock is needed. */
static int environment(void)
{
    int n = atomic_load_explicit(&from_environment, memory_order_relaxed);
    if (n == UNREAD) {
        n = parse_threads(getenv("STRIA_NUM_THREADS"));
        atomic_store_explicit(&from_environment, n, memory_order_relaxed);
    }
    return n;
}

/* Returns the number of threads from the setting or else from the environment; 0 when neither has
 * one. */
static int named_threads(void)
{
    const int set = atomic_load_explicit(&setting, memory_order_relaxed);
    return set > 0 ? set : environment();
}

int stria_threads(void)
{
    const int named = named_threads();
    return named > 0 ? named : stria__cpus_allowed();
}

stria_status stria_set_threads(int n)
{
    if (n < 0)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "threads: %d, must be 1 or more, or 0 for the "
                           "default",
                           n);
    atomic_store_explicit(&setting, n < MOST ? n : MOST, memory_order_relaxed);
    return STRIA_OK;
}

static stria_status check_elementwise(const stria_exec *exec, const char *op, bool takes_mask)
{
    const uint32_t casting = exec->hints & CASTING_HINTS;
    if (takes_mask && (casting & (casting - 1)))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: exec has several policies of casts in its hints, 0x%x", op,
                           (unsigned)casting);
    if (takes_mask || (!casting && !exec->mask)) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "%s: exec has %s, which elementwise operations and expressions alone take",
                       op, casting ? "a policy of casts in its hints" : "a mask, where");
}

stria_status stria__check_given_exec(const stria_exec *exec, const char *op, bool takes_mask)
{
    if (exec->threads < 0)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: exec has %d threads, must be 1 or more, or 0 for the default", op,
                           exec->threads);
    const uint32_t unknown = exec->hints & ~(uint32_t)(EXEC_HINTS | CASTING_HINTS);
    if (unknown)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: exec has unknown hints 0x%x", op,
                           (unsigned)unknown);
    if (exec->reserved[0] | exec->reserved[1])
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "%s: exec has reserved words that are not zero; clear it with {0} before "
            "it is filled",
            op);
    if (exec->budget)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: exec has a budget, which text alone takes", op);
    STRIA_TRY(check_elementwise(exec, op, takes_mask));
    return exec->watch ? check_watch(exec->watch, op) : STRIA_OK;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

#ifdef _OPENMP

static bool in_region(void)
{
    return inside || omp_in_parallel();
}

/* Returns the number of threads that the host's OpenMP settings allow. */
static int openmp_limit(void)
{
    return omp_get_max_threads();
}

/*
 * Releases OpenMP's pool before a fork, the only remedy that its standard offers. A forked child
 * has none of the worker threads, but libgomp's pool in the child still counts on them, and the
 * child's first parallel region would wait for ever. The parent has to start its threads once more;
 * its settings stay.
 */
static void before_fork(void)
{
    if (omp_pause_resource_all) (void)omp_pause_resource_all(omp_pause_soft);
}

static void register_before_fork(void)
{
    (void)before_fork; /* Windows has no fork, and takes no function. */
    (void)pthread_atfork(before_fork, NULL, NULL);
}

static void openmp_for(void (*task)(void *data, int64_t i), void *data, int64_t count,
                       void *context)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)context;
    (void)pthread_once(&once, register_before_fork);
#pragma omp parallel for num_threads((int)count) schedule(static, 1)
    for (int64_t i = 0; i < count; i++)
        task(data, i);
}

static stria_parallel_for *const backend = openmp_for;

#else

static bool in_region(void)
{
    return inside;
}

static int openmp_limit(void)
{
    return 1;
}

static stria_parallel_for *const backend = NULL;

#endif

/*
 * Returns the number of CPUs. Asking the system takes most of a microsecond, a tenth of the time of
 * the smallest work that is shared; for work below ASK grains the last answer in this thread is
 * used instead.
 */
static int cpus_for(int64_t worth)
{
    enum { ASK = 16 };
    static _Thread_local int known; /* 0: never asked. */
    if (known == 0 || worth >= ASK) known = stria__cpus_allowed();
    return known;
}

/*
 * Returns how many threads the work would keep busy. The larger count decides and not the sum of
 * both, because a core computes while its loads and stores are under way.
 */
static int64_t worth_of(int64_t bytes, double cycles)
{
    const int64_t by_bytes = bytes / GRAIN;
    const double by_cycles = cycles / GRAIN_CYCLES;
    if (!(by_cycles > (double)by_bytes)) return by_bytes;
    return by_cycles < MOST ? (int64_t)by_cycles : MOST;
}

int stria__threads_for(const stria_exec *exec, int64_t bytes, double cycles)
{
    const int64_t worth = worth_of(bytes, cycles);
    if (worth < 2) return 1;
    if (!stria__exec_names(exec)) exec = obeyed;
    const bool own = exec && exec->run;
    int threads = exec && exec->threads > 0 ? smaller(exec->threads, MOST) : named_threads();
    if (!own) threads = threads > 0 ? smaller(threads, openmp_limit()) : openmp_limit();
    if (threads == 1 || in_region()) return 1;
    /* Every OpenMP thread beyond the number of CPUs would wait for its turn. */
    if (!own)
        threads = smaller(threads, cpus_for(worth));
    else if (threads == 0)
        threads = cpus_for(worth);
    return worth < threads ? (int)worth : threads;
}

/* The tasks of a parallel loop, divided into ranges of neighbours. One thread runs one range. */
struct shares {
    void (*task)(void *data, int64_t i);
    void *data;
    int64_t count, wide; /* tasks, and ranges */
    stria_watch *watch;
    const struct watching *caller; /* that of the thread of the call */
};

static void run_share(void *data, int64_t share)
{
    IN_DEFAULT_FP_MODE;
    const struct shares *shares = data;
    const struct share range = share_of(shares->count, shares->wide, share);
    const bool outer = inside;
    const struct watching before = now;
    inside = true;
    now = (struct watching){shares->watch, &now == shares->caller};
    for (int64_t i = range.first; i < range.last; i++)
        shares->task(shares->data, i);
    inside = outer;
    now = before;
}

/*
 * Runs tasks on threads. Neighbouring tasks go to the same thread, and the division is the same in
 * every call with the same counts. On machines with several NUMA nodes a page lies on the node of
 * the thread that first wrote to it; a thread that gets the same range again finds its pages on its
 * own node.
 */
void stria__parallel(const stria_exec *exec, int threads, int64_t count,
                     void (*task)(void *data, int64_t i), void *data)
{
    WATCHES(exec);
    const stria_exec *const outer = obeyed;
    if (!stria__exec_names(exec)) exec = outer;
    stria_parallel_for *run = exec && exec->run ? exec->run : backend;
    const int64_t wide = count < threads ? count : threads;
    if (wide < 2 || !run || in_region()) {
        for (int64_t i = 0; i < count; i++)
            task(data, i);
        return;
    }
    struct shares shares = {task, data, count, wide, now.watch, &now};
    const struct watching mine = now;
    stria_watch *const watch = obeyed_watch;
    obeyed = NULL; /* a pool may run other work in this thread until all is done */
    obeyed_watch = NULL;
    now = (struct watching){NULL, false};
    run(run_share, &shares, wide, exec ? exec->context : NULL);
    obeyed = outer;
    obeyed_watch = watch;
    now = mine;
    if (now.watch) (void)stria__is_stopped();
}

struct crew stria__crew_for(const stria_exec *exec, int64_t n, double cycles)
{
    const int threads = n < CREW_LEAST ? 1 : stria__threads_for(exec, 0, cycles * (double)n),
              at_once = smaller(threads, CREW_MOST);
    const bool watched = n >= 8 * CREW_LEAST && stria__is_watched(exec);
    return (struct crew){exec, watched ? CREW_MOST : at_once, at_once};
}

/* A loop over parts of n things. */
struct division {
    void (*body)(void *data, int64_t part, struct share range);
    void *data;
    int64_t n, parts;
};

static void run_part(void *data, int64_t part)
{
    const struct division *const d = data;
    (void)stria__is_stopped(); /* what follows would read what a part that is left out makes */
    d->body(d->data, part, share_of(d->n, d->parts, part));
}

void stria__divide_among(const struct crew *crew, int64_t n,
                         void (*body)(void *data, int64_t part, struct share range), void *data)
{
    struct division division = {body, data, n, crew->threads};
    stria__parallel(crew->exec, crew->at_once, crew->threads, run_part, &division);
}
