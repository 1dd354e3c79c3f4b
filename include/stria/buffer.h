/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A buffer is a piece of memory with bounds, rights and an atomic reference count. Views borrow
 * it; whoever holds a reference keeps it alive. Distinct threads may retain and release freely.
 */
#ifndef STRIA_BUFFER_H
#define STRIA_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_buffer stria_buffer;

/*
 * Makes new memory of size >= 0 bytes, 64-byte aligned, with arbitrary contents. *out is owned by
 * the caller: one reference, to be given back with stria_buffer_release. SHAPE (a negative size),
 * OVERFLOW (more than the address space), MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_buffer_make(stria_buffer **out, int64_t size);

/*
 * Makes a buffer of foreign memory: size bytes at data, borrowed for as long as the buffer lives.
 * deleter(data, size, context) is called once when the last reference is given back; it may be
 * NULL. A read-only buffer can never be written through any view of it. *out is owned by the
 * caller. ARGUMENT (NULL with a size), SHAPE, OVERFLOW, MEMORY; after an error the deleter is not
 * called.
 */
STRIA_API STRIA_MUST_USE stria_status
stria_buffer_wrap(stria_buffer **out, void *data, int64_t size, bool readonly,
                  void (*deleter)(void *data, int64_t size, void *context), void *context);

/*
 * Makes a buffer that has bounds but no memory, as on PyTorch's meta device. Views and copies of it
 * are checked and described like any others, but no byte is ever read or written, and arrays made
 * from it lie in meta buffers again. It serves to ask what a program would do to arrays of any
 * size.
 */
STRIA_API STRIA_MUST_USE stria_status stria_buffer_meta(stria_buffer **out, int64_t size);
STRIA_API bool stria_buffer_is_meta(const stria_buffer *buffer); /* false for NULL */

/* Takes one more reference and returns its argument; NULL is allowed and stays NULL. */
STRIA_API stria_buffer *stria_buffer_retain(stria_buffer *buffer);

/* Gives one reference back; the last one frees. NULL is allowed. */
STRIA_API void stria_buffer_release(stria_buffer *buffer);

STRIA_API char *stria_buffer_data(const stria_buffer *buffer);   /* borrowed */
STRIA_API int64_t stria_buffer_size(const stria_buffer *buffer); /* bytes */
/* Tells whether nothing may be written through any view of it; false for NULL. */
STRIA_API bool stria_buffer_readonly(const stria_buffer *buffer);
/* Counts the references, at least 1, of a buffer that is not NULL; other threads may change it. */
STRIA_API int64_t stria_buffer_references(const stria_buffer *buffer);

/*
 * Makes the buffer read-only for ever, for every view of it, including existing ones. A plan of a
 * copy (copy.h) is no view: one that was made before still writes into it.
 */
STRIA_API void stria_buffer_freeze(stria_buffer *buffer);

/*
 * Returns a number, modulo 2^32, that grows with each call of the library that may write into the
 * buffer: while it stays the same, so do the elements. -1 where others may write as well: NULL,
 * wrapped memory, and memory that was exposed, as an export by DLPack does.
 */
STRIA_API int64_t stria_buffer_writes(const stria_buffer *buffer);

/* Says that others may write into the memory from now on. NULL is allowed. */
STRIA_API void stria_buffer_expose(stria_buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif
