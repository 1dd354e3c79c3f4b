/* SPDX-License-Identifier: BSD-3-Clause */
/* The counter, and the allocating functions of C that pass through it. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "heap.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "sanitizers.h"

static atomic_llong calls;

int64_t heap_calls(void)
{
    return atomic_load(&calls);
}

#if defined(__GLIBC__) && !BUILT_WITH_ASAN && !BUILT_WITH_TSAN && !BUILT_WITH_MSAN

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

bool heap_is_counted(void)
{
    const int64_t before = heap_calls();
    void *volatile probe = malloc(1);
    free(probe);
    return heap_calls() > before;
}

void *malloc(size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    atomic_fetch_add(&calls, 1);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    atomic_fetch_add(&calls, 1);
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *out = memory;
    return 0;
}

#else

bool heap_is_counted(void)
{
    return false;
}

#endif
