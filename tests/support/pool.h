/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel-for functions as a caller may bring them: one starts a thread for every task, one runs
 * the tasks in reverse order without threads. */
#pragma once

#include <stdint.h>

/* The record of the calls of pool_run, passed as its context, which may be NULL. */
struct pool {
    int64_t calls, widest; /* number of calls; largest number of tasks of one call */
};

void pool_run(void (*task)(void *data, int64_t i), void *data, int64_t count, void *context);
void pool_run_backwards(void (*task)(void *data, int64_t i), void *data, int64_t count,
                        void *context);
