/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "write_behind.h"

#include <signal.h>
#include <string.h>

/* Messages of the library belong to the thread that got them, so they are kept here. */
static void put(struct write_behind *w)
{
    if (w->status != STRIA_OK) return;
    w->status = stria_npy_put(w->writer, w->start, &w->block);
    if (w->status != STRIA_OK) (void)stria__fail_library(&w->failure, w->status, NO_PLACE);
}

static void *run(void *context)
{
    struct write_behind *const w = context;
    (void)pthread_mutex_lock(&w->mutex);
    for (;;) {
        while (!w->pending && !w->ended)
            (void)pthread_cond_wait(&w->changed, &w->mutex);
        if (!w->pending) break;
        /* Nobody else touches the block or the status while it is pending. */
        (void)pthread_mutex_unlock(&w->mutex);
        put(w);
        (void)pthread_mutex_lock(&w->mutex);
        w->pending = false;
        (void)pthread_cond_broadcast(&w->changed);
    }
    (void)pthread_mutex_unlock(&w->mutex);
    return NULL;
}

void write_behind_start(struct write_behind *w, stria_npy_writer *writer, bool threaded)
{
    sigset_t all, before;
    *w = (struct write_behind){.writer = writer, .status = STRIA_OK};
    if (!threaded) return;
    (void)pthread_mutex_init(&w->mutex, NULL);
    (void)pthread_cond_init(&w->changed, NULL);
    /* Signals are for the thread that can hold them back, see interrupt.h. Those of memory stay
     * where their cause is. */
    (void)sigfillset(&all);
    (void)sigdelset(&all, SIGBUS);
    (void)sigdelset(&all, SIGSEGV);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    w->threaded = pthread_create(&w->thread, NULL, run, w) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (w->threaded) return;
    (void)pthread_cond_destroy(&w->changed);
    (void)pthread_mutex_destroy(&w->mutex);
}

static void wait_for_last(struct write_behind *w)
{
    while (w->pending)
        (void)pthread_cond_wait(&w->changed, &w->mutex);
}

stria_status write_behind_put(struct write_behind *w, const int64_t *start, const stria_view *block)
{
    if (w->threaded) {
        (void)pthread_mutex_lock(&w->mutex);
        wait_for_last(w);
    }
    memcpy(w->start, start, (size_t)block->ndim * sizeof *start);
    w->block = *block;
    if (!w->threaded) {
        put(w);
        return w->status;
    }
    const stria_status status = w->status;
    w->pending = status == STRIA_OK;
    (void)pthread_cond_broadcast(&w->changed);
    (void)pthread_mutex_unlock(&w->mutex);
    return status;
}

stria_status write_behind_end(struct write_behind *w)
{
    if (!w->threaded) return w->status;
    (void)pthread_mutex_lock(&w->mutex);
    wait_for_last(w);
    w->ended = true;
    (void)pthread_cond_broadcast(&w->changed);
    (void)pthread_mutex_unlock(&w->mutex);
    (void)pthread_join(w->thread, NULL);
    (void)pthread_cond_destroy(&w->changed);
    (void)pthread_mutex_destroy(&w->mutex);
    w->threaded = false;
    return w->status;
}
