/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel-fors as a caller may bring them: a thread for every task, and none in reverse order. */
#ifndef STRIA_TESTS_POOL_H
#define STRIA_TESTS_POOL_H

#include <stdint.h>

/* The record of the calls of pool_run; its context may be NULL. */
struct pool {
    int64_t calls, widest; /* number of calls, largest count */
};

void pool_run(void (*task)(void *data, int64_t i), void *data, int64_t count, void *context);
void pool_run_backwards(void (*task)(void *data, int64_t i), void *data, int64_t count,
                        void *context);

#endif
