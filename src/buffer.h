/* SPDX-License-Identifier: BSD-3-Clause */
/* What a buffer is, for those who look at its rights in a hurry; buffer.c alone writes to it. */
#ifndef STRIA_SRC_BUFFER_H
#define STRIA_SRC_BUFFER_H

#include <stdatomic.h>

#include "stria/alloc.h"
#include "stria/buffer.h"
#include "stria/dtype.h"

struct stria_buffer {
    char *data;
    int64_t size;
    atomic_int_least64_t references;
    atomic_bool readonly;
    bool meta; /* data is an address that nobody may follow */
    void (*deleter)(void *data, int64_t size, void *context);
    void *context;
    stria_allocator allocator; /* the one that the header came from */
    size_t allocated;
    const struct stria_record *record; /* kept alive for the arrays of its dtype */
};

/*
 * A new buffer in the place of an old one: meta if that was, with the same dtype's description
 * held. *out is owned by the caller.
 */
stria_status stria__buffer_successor(stria_buffer **out, const stria_buffer *old, int64_t size);

/* May be written, and its memory exists; NULL, foreign memory, is open to who has it. */
static inline bool stria__buffer_is_open(const stria_buffer *buffer)
{
    return !buffer ||
           !(buffer->meta || atomic_load_explicit(&buffer->readonly, memory_order_relaxed));
}

/* Not memory of somebody else: made by stria_buffer_new or stria_buffer_meta. */
bool stria__buffer_is_ours(const stria_buffer *buffer);

/* Called at most once, by who makes the buffer: it holds the dtype's description while it lives. */
void stria__buffer_keep_dtype(stria_buffer *buffer, stria_dtype dtype);

#endif
