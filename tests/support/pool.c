/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts a thread for every task: the most parallel that a caller's pool can be. */
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "support/cmocka.h"

struct one {
    void (*task)(void *data, int64_t i);
    void *data;
    int64_t i;
    pthread_t thread;
};

static void *run_one(void *arg)
{
    const struct one *one = arg;
    one->task(one->data, one->i);
    return NULL;
}

void pool_run(void (*task)(void *data, int64_t i), void *data, int64_t count, void *context)
{
    struct pool *seen = context;
    struct one *all = calloc((size_t)count, sizeof *all);
    assert_non_null(all);
    if (seen) {
        seen->calls++;
        if (count > seen->widest) seen->widest = count;
    }
    for (int64_t i = 0; i < count; i++) {
        all[i] = (struct one){.task = task, .data = data, .i = i};
        assert_int_equal(pthread_create(&all[i].thread, NULL, run_one, &all[i]), 0);
    }
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(pthread_join(all[i].thread, NULL), 0);
    free(all);
}

void pool_run_backwards(void (*task)(void *data, int64_t i), void *data, int64_t count,
                        void *context)
{
    (void)context;
    while (count-- > 0)
        task(data, count);
}
