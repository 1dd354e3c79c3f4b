/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A view as a stream of bytes: its items in C order of the indices, as a C-contiguous copy would
 * hold them, without making that copy. Hashing and writing files are two ends for it.
 */
#ifndef STRIA_SRC_OPS_STREAM_H
#define STRIA_SRC_OPS_STREAM_H

#include "stria/view.h"

/* Takes the next size > 0 bytes, valid during the call; another status than OK ends the stream. */
typedef stria_status stria__sink(const void *bytes, int64_t size, void *context);

struct stage {
    char *memory;   /* aligned as stria_buffer_new aligns */
    int64_t size;   /* bytes, at least 16 */
    int64_t most;   /* so many may be allocated instead where that helps; 0: none */
    int64_t near;   /* of these, used where more would not help: what stays in the first level */
    int64_t direct; /* runs of so many bytes, at most size, are not gathered */
    int64_t piece;  /* most that sink is given of the stage at a time */
    int64_t turn;   /* bytes between fetches of as many, where these lie in order; 0: none */
};

/*
 * Runs that are dense in memory and long enough go to sink as they lie; others, and elements
 * behind a conj or neg bit, are gathered on the stage. What lies in memory that is too large for
 * the caches is fetched while sink works on what comes before it. UNSUPPORTED for meta buffers,
 * what a copy returns, and what sink returns; never MEMORY for want of a larger stage.
 */
stria_status stria__stream(const stria_view *a, struct stage stage, stria__sink *sink,
                           void *context);

#endif
