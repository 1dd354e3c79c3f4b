/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A view as a stream of bytes: its items in C order of the indices, as a C-contiguous copy would
 * hold them, without making that copy. Hashing and writing files read such streams.
 */
#pragma once

#include "stria/view.h"

/*
 * Takes the next size > 0 bytes, which are valid during the call; a status other than OK ends the
 * stream.
 */
typedef stria_status stria__sink(const void *bytes, int64_t size, void *context);

struct stage {
    char *memory;   /* aligned as stria_buffer_make aligns */
    int64_t size;   /* bytes, at least 32, and two items */
    int64_t most;   /* bytes that may be allocated instead where that helps; 0: none */
    int64_t near;   /* bytes used where more would not help: what stays in the first-level cache */
    int64_t direct; /* runs of at least so many bytes are not gathered */
};

/*
 * Streams a view. Runs that are dense in memory and long enough go to sink directly; others, and
 * elements with a conj or neg bit, are gathered in the buffer. If the view is too large for the
 * caches, memory is prefetched while sink works. UNSUPPORTED for meta buffers, the errors of
 * copies, and what sink returns; never MEMORY for lack of a larger buffer.
 */
stria_status stria__stream(const stria_view *a, struct stage stage, stria__sink *sink,
                           void *context);
