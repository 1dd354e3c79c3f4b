/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A view as a stream of bytes: its items in C order of the indices, as a C-contiguous copy would
 * hold them, without making that copy. Hashing and writing files read such streams.
 */
#ifndef STRIA_SRC_OPS_STREAM_H
#define STRIA_SRC_OPS_STREAM_H

#include "stria/view.h"

/*
 * Takes the next size > 0 bytes, which are valid during the call; a status other than OK ends the
 * stream.
 */
typedef stria_status stria__sink(const void *bytes, int64_t size, void *context);

struct stage {
    char *memory; /* Aligned as stria_buffer_new aligns. */
    int64_t size; /* Bytes of the buffer, at least 32, and two items. */
    int64_t most; /* Bytes that may be allocated instead if that helps; 0: none. */
    /* Bytes beyond which more would not help: as many as stay in the first-level cache. */
    int64_t near;
    int64_t direct; /* Runs of at least so many bytes are not gathered. */
};

/*
 * Streams a view. Runs that are dense in memory and long enough go to sink directly; others, and
 * elements with a conj or neg bit, are gathered in the buffer. If the view is too large for the
 * caches, memory is prefetched while sink works. UNSUPPORTED for meta buffers, the errors of
 * copies, and what sink returns; never MEMORY for lack of a larger buffer.
 */
stria_status stria__stream(const stria_view *a, struct stage stage, stria__sink *sink,
                           void *context);

#endif
