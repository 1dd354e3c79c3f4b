/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one hook through which the library takes memory: for the buffers and record descriptions that
 * it returns to their owners, and for temporaries, where the function that needs one says MEMORY.
 * Nothing else allocates.
 */
#ifndef STRIA_ALLOC_H
#define STRIA_ALLOC_H

#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STRIA_ALIGNMENT 64 /* bytes; of every allocation the library asks for */

typedef struct stria_allocator {
    /* size > 0 bytes aligned to `alignment` (a power of two), or NULL; contents are arbitrary. */
    void *(*alloc)(size_t size, size_t alignment, void *context);
    void (*free)(void *memory, size_t size, void *context);
    void *context;
} stria_allocator;

/*
 * Replaces the allocator of the process; NULL restores the default (aligned_alloc, with huge pages
 * advised from 4 MiB on Linux). To be called before other threads use the library: memory taken
 * before is returned to the allocator it came from. ARGUMENT when a function is missing.
 */
STRIA_API STRIA_MUST_USE stria_status stria_set_allocator(const stria_allocator *allocator);

#ifdef __cplusplus
}
#endif

#endif
