/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one hook through which the library takes memory. It is used for the buffers and record
 * descriptions that are returned to their owners, for the scratch memory of threads (threads.h),
 * and for temporaries in functions that list MEMORY among their errors. Nothing else allocates.
 */
#ifndef STRIA_ALLOC_H
#define STRIA_ALLOC_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_ALIGNMENT = 64 }; /* bytes; every allocation for elements asks for this alignment */

typedef struct stria_allocator {
    /*
     * Returns size > 0 bytes aligned to `alignment` (a power of two), or NULL. Contents are
     * arbitrary.
     */
    void *(*alloc)(size_t size, size_t alignment, void *context);
    void (*free)(void *memory, size_t size, void *context);
    void *context;
} stria_allocator;

/*
 * Replaces the allocator of the process. NULL restores the default, which is aligned_alloc and, on
 * Linux, advises huge pages from 4 MiB on, and which keeps some blocks (see below). Call it before
 * other threads use the library; memory that was taken before is returned to the allocator it came
 * from. ARGUMENT when a function is missing.
 */
STRIA_API STRIA_MUST_USE stria_status stria_set_allocator(const stria_allocator *allocator);

/*
 * Returns the bytes of all buffers of 4 KiB and more that are alive, small arrays among them and
 * wrapped memory not: for collectors of languages, which see no more than the handles.
 */
STRIA_API int64_t stria_bytes_in_use(void);

/* Tells the allocator in use, for one that counts or limits and leaves the work to it. */
STRIA_API void stria_get_allocator(stria_allocator *out);

/*
 * Memory that is kept. Fresh pages cost more than most operations on them, so the default allocator
 * keeps up to 16 blocks of 64 KiB or more that were given back, for the next arrays of their sizes
 * (in whole pages; from 4 MiB on in multiples of 2 MiB). A block goes when the limit is reached,
 * the oldest first, when 16 times its bytes were asked for in other sizes, and all go when the
 * system has no memory for an array. On Linux the system may take the pages of kept blocks of 4
 * MiB and more whenever it is short of memory (MADV_FREE), until they are used again. An allocator
 * of the caller's keeps nothing, unless it calls the default.
 *
 * stria_set_keep_limit sets the most bytes that are kept, and gives back what is more; 0 for none.
 * ARGUMENT when negative. The default is a sixteenth of the machine's memory or of the limit of the
 * address space (ulimit -v), whichever is less. stria_kept returns the bytes that are kept now.
 */
STRIA_API STRIA_MUST_USE stria_status stria_set_keep_limit(int64_t bytes);
STRIA_API int64_t stria_keep_limit(void);
STRIA_API int64_t stria_kept(void);

#ifdef __cplusplus
}
#endif

#endif
