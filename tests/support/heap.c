/* SPDX-License-Identifier: BSD-3-Clause */
/* The counter, and the allocating functions of C that pass through it. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "heap.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "sanitizers.h"

static atomic_llong calls, held, most;

int64_t heap_calls(void)
{
    return atomic_load(&calls);
}

int64_t heap_held(void)
{
    return atomic_load(&held);
}

int64_t heap_most(void)
{
    return atomic_load(&most);
}

void heap_watch(void)
{
    atomic_store(&most, heap_held());
}

#if defined(__GLIBC__) && !BUILT_WITH_ASAN && !BUILT_WITH_TSAN && !BUILT_WITH_MSAN

#include <malloc.h>

void __libc_free(void *memory);
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

static void *count(void *memory)
{
    const long long size = memory ? (long long)malloc_usable_size(memory) : 0,
                    now = atomic_fetch_add(&held, size) + size;
    atomic_fetch_add(&calls, 1);
    for (long long before = most; now > before;)
        if (atomic_compare_exchange_weak(&most, &before, now)) break;
    return memory;
}

static void uncount(void *memory)
{
    if (memory) atomic_fetch_sub(&held, (long long)malloc_usable_size(memory));
}

void free(void *memory)
{
    uncount(memory);
    __libc_free(memory);
}

void *malloc(size_t size)
{
    return count(__libc_malloc(size));
}

void *calloc(size_t number, size_t size)
{
    return count(__libc_calloc(number, size));
}

void *realloc(void *memory, size_t size)
{
    uncount(memory);
    return count(__libc_realloc(memory, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return count(__libc_memalign(alignment, size));
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = count(__libc_memalign(alignment, size));
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
