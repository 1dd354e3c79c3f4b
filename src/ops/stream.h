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

/*
 * Runs that are dense in memory go to sink as they lie; others, and elements behind a conj or neg
 * bit, pass through stage, `room` >= 1024 bytes that are aligned as stria_buffer_new aligns.
 * UNSUPPORTED for meta buffers, and what sink returns.
 */
stria_status stria__stream(const stria_view *a, char *stage, int64_t room, stria__sink *sink,
                           void *context);

#endif
