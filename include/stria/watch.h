/* SPDX-License-Identifier: BSD-3-Clause */
/* Somebody who watches a call: a progress bar, or a signal that ends the work. */
#ifndef STRIA_WATCH_H
#define STRIA_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * exec->watch of any call. go_on is called in the thread of the call, never in another, after every
 * 5 ms of work or less, and not at all in calls that are shorter. bytes are those of elements that
 * were written since it was called last, where files are written, else 0. It may do what it likes
 * but call with the same watch, and returns, since nothing may unwind through the library. Where it
 * returns false the call ends with CANCELLED: nothing leaks, owners are as they were, views that
 * were to be written hold anything, and an old file is as it was. So do other calls with the watch
 * until it is cleared, so that a series of calls ends, too.
 *
 * A matrix that a LAPACK factorizes is one piece of work, however large it is, and so is a product
 * by a BLAS of up to 2^27 steps. A larger one is done in blocks: where the BLAS rounds otherwise
 * for other sizes, so does the product. Memory that the system hands out slowly counts as no work.
 *
 * A call within a loop or task of another, and one of a thread of exec->run that is not the
 * caller's, is not asked for. Where exec->run lets the calling thread do no share, it is asked when
 * all shares are done.
 */
typedef struct stria_watch {
    bool (*go_on)(void *context, int64_t bytes);
    void *context;     /* passed to go_on */
    uint64_t state[2]; /* the library's own; zero to begin with, and to begin again */
} stria_watch;

#ifdef __cplusplus
}
#endif

#endif
