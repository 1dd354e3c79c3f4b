/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a piece of work deserves, and the one place that starts them. */
#ifndef STRIA_SRC_THREADS_H
#define STRIA_SRC_THREADS_H

#include "stria/threads.h"

/* All hints that there are. */
enum { EXEC_HINTS = STRIA_WILL_READ_SOON | STRIA_NO_OVERLAP | STRIA_CAST_WRAP };

/* stria__check_exec of an exec that is not NULL. */
stria_status stria__check_given_exec(const stria_exec *exec, const char *op);

/* ARGUMENT for a negative number of threads and for unknown hints; NULL means the defaults. */
static inline stria_status stria__check_exec(const stria_exec *exec, const char *op)
{
    return exec ? stria__check_given_exec(exec, op) : STRIA_OK;
}

/*
 * Threads for work that moves `bytes` bytes of memory (read plus written): 1 for little work and
 * inside any parallel region or task, otherwise what exec, the setting and the CPUs allow.
 */
int stria__threads_for(const stria_exec *exec, int64_t bytes);

/*
 * task(data, i) for every i in 0 .. count-1, on at most `threads` threads, each with a range of
 * neighbouring i in ascending order; returns when all are done.
 */
void stria__parallel(const stria_exec *exec, int threads, int64_t count,
                     void (*task)(void *data, int64_t i), void *data);

/* CPUs that this process may use at once: affinity, and the time quota of its control group. */
int stria__cpus_allowed(void);

/*
 * The quota alone, in whole CPUs, at least 1; INT_MAX where there is none. self is the file that
 * names the process's group and tree where groups lie: /proc/self/cgroup, /sys/fs/cgroup.
 */
int stria__cpu_quota(const char *self, const char *tree);

#endif
