/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of arrays. Fresh pages cost more than most operations on them, so some blocks are kept
 * when they are released, up to 64 MiB, for the next array of about their size. malloc does that
 * for blocks without an alignment; aligned ones it takes from the system each time.
 */
#include "binding.h"

#include <stdatomic.h>

#include "stria/alloc.h"

enum {
    PAGE = 4 << 10,
    HUGE_PAGE = 2 << 20,
    KEEP_FROM = 64 << 10,
    KEEP_MOST = 64 << 20,
    SLOTS = 12
};

static stria_allocator base;
static _Atomic(void *) kept[SLOTS]; /* The first bytes of each block tell its size. */
static atomic_size_t kept_bytes;
static atomic_uint turn;

/* Rounds a size up to the block that holds it: whole pages, huge ones from 4 MiB on. */
static size_t room(size_t size)
{
    const size_t page = size < 2 * HUGE_PAGE ? PAGE : HUGE_PAGE;
    return size > SIZE_MAX - page ? size : (size + page - 1) / page * page;
}

static void give_back(void *memory)
{
    const size_t size = *(const size_t *)memory;
    atomic_fetch_sub(&kept_bytes, size);
    base.free(memory, size, base.context);
}

static void *take_memory(size_t size, size_t alignment)
{
    for (int i = 0; i < SLOTS; i++) {
        if (!atomic_load_explicit(&kept[i], memory_order_relaxed)) continue;
        void *const memory = atomic_exchange(&kept[i], NULL);
        if (!memory) continue;
        if (*(const size_t *)memory == size && (uintptr_t)memory % alignment == 0) {
            atomic_fetch_sub(&kept_bytes, size);
            return memory;
        }
        void *empty = NULL;
        if (!atomic_compare_exchange_strong(&kept[i], &empty, memory)) give_back(memory);
    }
    return NULL;
}

static void *allocate(size_t size, size_t alignment, void *context)
{
    (void)context;
    if (size < KEEP_FROM) return base.alloc(size, alignment, base.context);
    void *const memory = take_memory(room(size), alignment ? alignment : 1);
    return memory ? memory : base.alloc(room(size), alignment, base.context);
}

static void release(void *memory, size_t size, void *context)
{
    (void)context;
    if (!memory || size < KEEP_FROM) {
        base.free(memory, size, base.context);
        return;
    }
    size = room(size);
    if (size > KEEP_MOST / 2) {
        base.free(memory, size, base.context);
        return;
    }
    *(size_t *)memory = size;
    atomic_fetch_add(&kept_bytes, size);
    void *old = memory; /* The block goes to an empty place, or else replaces another one. */
    for (int i = 0; i < SLOTS && old; i++) {
        void *empty = NULL;
        if (atomic_compare_exchange_strong(&kept[i], &empty, memory)) old = NULL;
    }
    if (old) old = atomic_exchange(&kept[atomic_fetch_add(&turn, 1) % SLOTS], memory);
    if (old) give_back(old);
    for (int i = 0; atomic_load(&kept_bytes) > KEEP_MOST && i < SLOTS; i++) {
        old = atomic_exchange(&kept[atomic_fetch_add(&turn, 1) % SLOTS], NULL);
        if (old) give_back(old);
    }
}

int py_memory_ready(void)
{
#ifndef __SANITIZE_ADDRESS__  /* A sanitizer wants to see released memory. */
    if (base.alloc) return 0; /* The module is made again, as by another name. */
    base = stria_get_allocator();
    const stria_status status = stria_set_allocator(&(stria_allocator){allocate, release, NULL});
    if (status) return py_raise(status), -1;
#endif
    return 0;
}
