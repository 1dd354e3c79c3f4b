/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads: OpenMP where it was compiled in, the caller's own parallel-for where one is given, else
 * none. The host's OpenMP settings are read and never changed.
 */
#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif

#include "engine/machine.h"
#include "status.h"

enum {
    MOST = 1024, /* a larger setting is taken for this */
    UNREAD = -1
};

static atomic_int setting;                   /* 0: none */
static atomic_int from_environment = UNREAD; /* 0: nothing usable */

/* Set while a task runs, also on threads of the caller's pool, which OpenMP does not know. */
static _Thread_local bool inside;

/* A whole positive number, or 0. */
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

/* Two threads that come first at once read the same text. */
static int environment(void)
{
    int n = atomic_load_explicit(&from_environment, memory_order_relaxed);
    if (n == UNREAD) {
        n = parse_threads(getenv("STRIA_NUM_THREADS"));
        atomic_store_explicit(&from_environment, n, memory_order_relaxed);
    }
    return n;
}

/* What was asked for; 0: nothing was. */
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

stria_status stria__check_given_exec(const stria_exec *exec, const char *op)
{
    if (exec->threads < 0)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: exec has %d threads, must be 1 or more, or 0 for the default", op,
                           exec->threads);
    const uint32_t unknown = exec->hints & ~(uint32_t)EXEC_HINTS;
    if (unknown)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: exec has unknown hints 0x%x", op,
                           (unsigned)unknown);
    return STRIA_OK;
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

/* What the host's settings allow. */
static int openmp_limit(void)
{
    return omp_get_max_threads();
}

/*
 * A forked child has no worker threads, but libgomp's pool still counts on them and the child's
 * first region would wait for ever. Giving the pool back before each fork is what the standard
 * offers; it costs the parent one start of its threads and no setting.
 */
static void before_fork(void)
{
    (void)omp_pause_resource_all(omp_pause_soft);
}

static void register_before_fork(void)
{
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
 * Asking the system for the CPUs takes most of a microsecond, a tenth of what the smallest work
 * that is shared takes: for such the last answer that this thread was given will do.
 */
static int cpus_for(int64_t bytes)
{
    enum { ASK = 16 /* shares */ };
    static _Thread_local int known; /* 0: never asked */
    if (known == 0 || bytes / ASK >= stria__machine()->grain) known = stria__cpus_allowed();
    return known;
}

int stria__threads_for(const stria_exec *exec, int64_t bytes)
{
    const int64_t worth = bytes / stria__machine()->grain;
    if (worth < 2) return 1;
    const bool own = exec && exec->run;
    int threads = exec && exec->threads > 0 ? smaller(exec->threads, MOST) : named_threads();
    if (!own) threads = threads > 0 ? smaller(threads, openmp_limit()) : openmp_limit();
    if (threads == 1 || in_region()) return 1;
    /* More of OpenMP's threads than CPUs would make every one of them wait for its turn. */
    if (!own)
        threads = smaller(threads, cpus_for(bytes));
    else if (threads == 0)
        threads = cpus_for(bytes);
    return worth < threads ? (int)worth : threads;
}

/* What one thread is given: a range of the tasks. */
struct shares {
    void (*task)(void *data, int64_t i);
    void *data;
    int64_t each, rest;
};

static void run_share(void *data, int64_t share)
{
    const struct shares *shares = data;
    const int64_t rest = shares->rest;
    const int64_t begin = shares->each * share + (share < rest ? share : rest);
    const int64_t end = begin + shares->each + (share < rest);
    const bool outer = inside;
    inside = true;
    for (int64_t i = begin; i < end; i++)
        shares->task(shares->data, i);
    inside = outer;
}

/*
 * Neighbouring tasks go to one thread, always the same way: memory that a thread touched first is
 * memory that it reads later, which is what decides where pages lie on machines with several nodes.
 */
void stria__parallel(const stria_exec *exec, int threads, int64_t count,
                     void (*task)(void *data, int64_t i), void *data)
{
    stria_parallel_for *run = exec && exec->run ? exec->run : backend;
    const int64_t wide = count < threads ? count : threads;
    if (wide < 2 || !run || in_region()) {
        for (int64_t i = 0; i < count; i++)
            task(data, i);
        return;
    }
    struct shares shares = {task, data, count / wide, count % wide};
    run(run_share, &shares, wide, exec ? exec->context : NULL);
}
