/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STRIA_SRC_BUFFER_H
#define STRIA_SRC_BUFFER_H

#include "stria/buffer.h"
#include "stria/dtype.h"

/*
 * A new buffer in the place of an old one: meta if that was, with the same dtype's description
 * held. *out is owned by the caller.
 */
stria_status stria__buffer_successor(stria_buffer **out, const stria_buffer *old, int64_t size);

/* May be written, and its memory exists; NULL, foreign memory, is open to who has it. */
bool stria__buffer_is_open(const stria_buffer *buffer);

/* Not memory of somebody else: made by stria_buffer_new or stria_buffer_meta. */
bool stria__buffer_is_ours(const stria_buffer *buffer);

/* Called at most once, by who makes the buffer: it holds the dtype's description while it lives. */
void stria__buffer_keep_dtype(stria_buffer *buffer, stria_dtype dtype);

#endif
