/* SPDX-License-Identifier: BSD-3-Clause */
/* The struct of a buffer, for inline functions that read it. Only buffer.c writes to it. */
#pragma once

#include <stdatomic.h>

#include "stria/alloc.h"
#include "stria/buffer.h"
#include "stria/dtype.h"

struct stria_buffer {
    char *data;
    int64_t size;
    atomic_int_least64_t references;
    atomic_bool readonly;
    atomic_bool exposed;          /* Others may write as well. */
    bool meta;                    /* The member data is an address that must not be dereferenced. */
    bool shares;                  /* The memory belongs to another buffer, which is the context. */
    atomic_uint_least32_t writes; /* Number of calls that wrote, modulo 2^32. */
    void (*deleter)(void *data, int64_t size, void *context);
    void *context;
    stria_allocator allocator; /* The allocator of the header. */
    size_t allocated;
    uint64_t budget; /* Number of the budget that the bytes count for (alloc.h), or 0. */
    const struct stria_record *record; /* Kept alive for the arrays of its dtype. */
};

/*
 * Fills in the header at the beginning of `allocated` bytes from that allocator, with one
 * reference; releasing the last one frees the bytes.
 */
void stria__buffer_begin(stria_buffer *buffer, const stria_allocator *allocator, size_t allocated,
                         char *data, int64_t size);

/*
 * Makes a new buffer to replace an old one: a meta buffer if that was one, and with the same
 * dtype's description kept alive. *out is owned by the caller.
 */
stria_status stria__buffer_successor(stria_buffer **out, const stria_buffer *old, int64_t size);

/*
 * Makes another buffer of the same memory, bounds and rights, which keeps `of` and the dtype's
 * description alive. *out is owned by the caller. MEMORY.
 */
stria_status stria__buffer_with_dtype(stria_buffer **out, stria_buffer *of, stria_dtype dtype);

/* Does what stria_buffer_is_meta does, without a call. */
static inline bool stria__buffer_is_meta(const stria_buffer *buffer)
{
    return buffer && buffer->meta;
}

/* Does what stria_buffer_readonly does, without a call; false for foreign memory, whose buffer is
 * NULL. */
static inline bool stria__buffer_readonly(const stria_buffer *buffer)
{
    return buffer && atomic_load_explicit(&buffer->readonly, memory_order_relaxed);
}

/*
 * Counts a call that writes. If two do so at once one may be lost, but the number differs from
 * before all the same.
 */
static inline void stria__buffer_count_write(stria_buffer *buffer)
{
    if (!buffer) return;
    while (buffer->shares)
        buffer = buffer->context;
    const uint32_t before = atomic_load_explicit(&buffer->writes, memory_order_relaxed);
    atomic_store_explicit(&buffer->writes, before + 1, memory_order_relaxed);
}

/* Tells whether memory exists that may be written. */
static inline bool stria__buffer_is_open(const stria_buffer *buffer)
{
    return !stria__buffer_is_meta(buffer) && !stria__buffer_readonly(buffer);
}

/* Releases a buffer, if there is one. */
static inline void buffer_drop(stria_buffer *const *buffer)
{
    stria_buffer_release(*buffer);
}

/* Declares a buffer, NULL at first, that is released at the end of the block. */
#define OWNED_BUFFER(name) __attribute__((cleanup(buffer_drop))) stria_buffer *name = NULL

/* Tells whether the memory was made by stria_buffer_make or stria_buffer_meta, not wrapped. */
bool stria__buffer_is_ours(const stria_buffer *buffer);

/*
 * Keeps the dtype's description alive as long as the buffer. Called at most once, by whoever makes
 * the buffer.
 */
void stria__buffer_keep_dtype(stria_buffer *buffer, stria_dtype dtype);
