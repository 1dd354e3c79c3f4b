/* SPDX-License-Identifier: BSD-3-Clause */
/* Somebody who watches a file being written: a progress bar, or a signal that ends the work. */
#ifndef STRIA_WATCH_H
#define STRIA_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * go_on is called in the thread of the call, between pieces of at most 16 MiB, with the bytes of
 * elements that were written since it was called last. Where it returns false the call ends with
 * IO, and the old file is as it was.
 */
typedef struct stria_watch {
    bool (*go_on)(void *context, int64_t bytes);
    void *context; /* passed to go_on */
} stria_watch;

#ifdef __cplusplus
}
#endif

#endif
