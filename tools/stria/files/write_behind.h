/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts blocks into a file on a thread of its own, while the next block is computed: the processor
 * turns or computes, the system copies into its cache, and neither waits for the other.
 */
#ifndef STRIA_TOOL_WRITE_BEHIND_H
#define STRIA_TOOL_WRITE_BEHIND_H

#include <pthread.h>
#include <stdbool.h>

#include "lang/failure.h"
#include "stria/npy.h"

struct write_behind {
    stria_npy_writer *writer;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool pending, ended;
    int64_t start[STRIA_MAX_NDIM];
    stria_view block;
    stria_status status; /* of the first block that failed; the message is in failure */
    struct failure failure;
};

/* With `threaded` false, or where no thread can be had, blocks are put at once. */
void write_behind_start(struct write_behind *w, stria_npy_writer *writer, bool threaded);
/*
 * Takes over a block, whose memory stays as it is until the next call returns; each call waits for
 * the block before. Fails when that one did.
 */
stria_status write_behind_put(struct write_behind *w, const int64_t *start,
                              const stria_view *block);
/* Waits for the last block. Always to be called, after failures too. */
stria_status write_behind_end(struct write_behind *w);

#endif
