/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls in a signal handler that interrupts calls of the same kind: the handler and the thread
 * copy, add and reduce small arrays of several layouts, which the cache of recent calls and the
 * last choice of a reduction keep, and both check every element.
 */
#define _POSIX_C_SOURCE 200809L /* sigaction, pthread_kill */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "stria/stria.h"
#include "support/sanitizers.h"
#include "support/test.h"

enum { LAYOUTS = 24, MOST = 256, ROUNDS = 60000, SIGNALS = 3000 };

/* A sequence of calls with memory of its own: the thread has one and the handler another. */
struct calls {
    float in[MOST], out[MOST], reduced;
    stria_reduction op; /* a sum or a maximum */
    stria_view from[LAYOUTS], to[LAYOUTS], result;
    long wrong;
    unsigned next;
};

static struct calls mine, handlers;
static atomic_bool stop;
static atomic_long signals;
static pthread_t target;

/* No layout of one sequence is one of the other's, so that they compete for entries of the
 * cache. */
static void set_up(struct calls *c, float first, int64_t least, stria_reduction op)
{
    c->op = op;
    ok(stria_view_foreign(&c->result, &c->reduced, stria_dtype_of(STRIA_F32), 0, NULL, NULL, 0));
    for (int i = 0; i < MOST; i++)
        c->in[i] = first + (float)i;
    for (int k = 0; k < LAYOUTS; k++) {
        const int64_t shape[] = {least + k % 6, 2 + k % 11};
        const int64_t turned[] = {4, 4 * shape[0]};
        ok(stria_view_foreign(&c->from[k], c->in, stria_dtype_of(STRIA_F32), 2, shape,
                              k % 2 ? turned : NULL, 0));
        ok(stria_view_foreign(&c->to[k], c->out, stria_dtype_of(STRIA_F32), 2, shape,
                              k % 3 ? NULL : turned, 0));
    }
}

static float item(const stria_view *a, int64_t i, int64_t j)
{
    float value;
    memcpy(&value, a->data + i * a->strides[0] + j * a->strides[1], sizeof value);
    return value;
}

/* Async-signal-safe, since the handler calls it. */
static void call_once(struct calls *c)
{
    static const stria_exec alone = {.threads = 1};
    const unsigned k = c->next++ % LAYOUTS, times = c->next % 5 == 0 ? 2 : 1;
    const stria_view *const from = &c->from[k], *const to = &c->to[k];
    const stria_status status =
        times == 2 ? stria_add(to, from, from, &alone) : stria_copy(to, from, &alone);
    float sum = 0, most = 0;
    if (status != STRIA_OK) c->wrong++;
    for (int64_t i = 0; i < from->shape[0]; i++)
        for (int64_t j = 0; j < from->shape[1]; j++) {
            const float x = item(from, i, j);
            if (item(to, i, j) != (float)times * x) c->wrong++;
            sum += x;
            most = x > most ? x : most;
        }
    if (stria_reduce_dims(&c->result, c->op, from, STRIA_ALL_DIMS, NULL, NULL, &alone) != STRIA_OK)
        c->wrong++;
    if (c->reduced != (c->op == STRIA_SUM ? sum : most)) c->wrong++;
}

static void handle(int number)
{
    (void)number;
    atomic_fetch_add(&signals, 1);
    call_once(&handlers);
}

static void *shoot(void *data)
{
    (void)data;
    while (!atomic_load(&stop)) {
        (void)pthread_kill(target, SIGUSR1);
        for (volatile int i = 0; i < 300; i++)
            continue;
    }
    return NULL;
}

TEST(handlers_do_not_disturb_calls)
{
#ifdef STRIA_EMULATED
    skip(); /* the emulator delivers signals only between blocks of its code */
#endif
    /* ThreadSanitizer delivers signals only in calls of the C library */
    if (BUILT_WITH_TSAN) skip();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    pthread_t shooter;
    set_up(&mine, 0, 2, STRIA_SUM);
    set_up(&handlers, 1000, 8, STRIA_MAX);
    call_once(&mine); /* makes the thread's scratch memory */
    target = pthread_self();
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    assert_int_equal(pthread_create(&shooter, NULL, shoot, NULL), 0);
    for (int i = 0; i < ROUNDS || atomic_load(&signals) < SIGNALS; i++)
        call_once(&mine);
    atomic_store(&stop, true);
    assert_int_equal(pthread_join(shooter, NULL), 0);
    assert_int_equal(mine.wrong, 0);
    assert_int_equal(handlers.wrong, 0);
}

TEST_MAIN(NULL, NULL)
