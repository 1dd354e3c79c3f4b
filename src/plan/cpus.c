/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the CPUs that this process may use. The affinity mask is read in every call and not kept,
 * because a host may bind its threads after the first call.
 */
#define _GNU_SOURCE /* Declares sched_getaffinity and CPU_COUNT_S. */
#include "plan/threads.h"

#include <stdatomic.h>

#ifdef _OPENMP
#include <omp.h>
#elif defined(__linux__)
#include <sched.h>
#else
#include "base/system.h"
#endif

/*
 * Counts the CPUs of the affinity mask. If the library is built with OpenMP, OpenMP is asked: it
 * may have bound this thread to one CPU itself, and it remembers the mask that the process had
 * before.
 */
static int affinity(void)
{
#ifdef _OPENMP
    return omp_get_num_procs();
#elif defined(__linux__)
    cpu_set_t sets[16]; /* Room for 16384 CPUs; the kernel refuses a mask shorter than its own. */
    if (sched_getaffinity(0, sizeof sets, sets) != 0) return 1;
    return CPU_COUNT_S(sizeof sets, sets);
#else
    return stria__online_cpus();
#endif
}

/* Returns the quota. It is read once, since that takes several files and it rarely changes while a
 * process runs. */
static int quota(void)
{
    static atomic_int known; /* 0: not read yet. */
    int n = atomic_load_explicit(&known, memory_order_relaxed);
    if (n == 0) {
        n = stria__cpu_quota("/proc/self/cgroup", "/sys/fs/cgroup");
        atomic_store_explicit(&known, n, memory_order_relaxed);
    }
    return n;
}

int stria__cpus_allowed(void)
{
    const int n = affinity(), most = quota();
    return n < 1 ? 1 : n < most ? n : most;
}
