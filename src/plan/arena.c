/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of memory per thread, released by a thread-specific destructor. */
#include "arena.h"
#include "base/integers.h"
#include "simd/tuning.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "stria/threads.h"

struct arena {
    char *memory; /* NULL: not allocated yet, or refused. */
    int64_t size;
    int64_t kept; /* Bytes at the beginning that are not handed out; 0 or ARENA_KEPT. */
    int64_t used; /* Bytes in use, those included. */
    stria_allocator from;
    bool on_heap; /* The struct itself is to be freed. */
};

/*
 * Returns that of this thread. In a shared library the address of a thread's variable comes by a
 * call, which a compiler would repeat for each use, as if the address were a constant.
 */
static inline struct arena *own_arena(void)
{
    static _Thread_local struct arena arena;
    struct arena *a = &arena;
    __asm__("" : "+r"(a));
#ifdef _WIN32 /* where gcc's variables of a thread may be gone before its destructors run */
    static _Thread_local struct arena *own;
    if (!own && (own = calloc(1, sizeof *own))) own->on_heap = true;
    if (own) a = own;
#endif
    return a;
}

static atomic_int_least64_t limit = STRIA_SCRATCH;
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

int64_t stria_scratch_limit(void)
{
    return atomic_load_explicit(&limit, memory_order_relaxed);
}

stria_status stria_set_scratch_limit(int64_t bytes)
{
    if (bytes < 0 || bytes > STRIA_SCRATCH)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "scratch limit: %lld bytes, must be 0 to STRIA_SCRATCH, which is %lld",
                           (long long)bytes, (long long)STRIA_SCRATCH);
    atomic_store_explicit(&limit, bytes / LINE * LINE, memory_order_relaxed);
    return STRIA_OK;
}

static void release(void *data)
{
    struct arena *a = data;
    if (a->memory) a->from.free(a->memory, (size_t)a->size, a->from.context);
    a->memory = NULL;
}

static void end_arena(void *data)
{
    struct arena *a = data;
    release(a);
    if (a->on_heap) free(a);
}

static void make_key(void)
{
    has_key = pthread_key_create(&at_thread_end, end_arena) == 0;
}

/* Allocates the arena. If the thread cannot have a destructor there is no arena, since its memory
 * would be lost. */
static bool allocate(struct arena *a)
{
    const int64_t size = stria_scratch_limit();
    (void)pthread_once(&once, make_key);
    if (size == 0 || !has_key || pthread_setspecific(at_thread_end, a) != 0) return false;
    a->from = stria__allocator();
    a->memory = a->from.alloc((size_t)size, STRIA_ALIGNMENT, a->from.context);
    if (!a->memory) return false;
    a->size = size;
    a->kept = a->used = size >= 2 * ARENA_KEPT ? ARENA_KEPT : 0;
    memset(a->memory, 0, (size_t)a->kept);
    return true;
}

static bool is_ready(struct arena *a)
{
    return a->memory || allocate(a);
}

static struct arena_kept *kept_of(const struct arena *a)
{
    return a->memory && a->kept ? (struct arena_kept *)(void *)a->memory : NULL;
}

static void refresh(struct arena *a)
{
    const struct arena_kept *const kept = kept_of(a);
    if (a->memory && a->size != stria_scratch_limit() && a->used == a->kept &&
        !(kept && kept->borrowed))
        release(a);
}

void stria__arena_refresh(void)
{
    refresh(own_arena());
}

struct arena_kept *stria__arena_borrow(bool make)
{
    struct arena *const a = own_arena();
    refresh(a);
    if (make && !is_ready(a)) return NULL;
    struct arena_kept *const kept = kept_of(a);
    if (!kept || kept->borrowed) return NULL;
    kept->borrowed = 1;
    /* A signal handler sees the flag before the accesses that follow. */
    atomic_signal_fence(memory_order_seq_cst);
    return kept;
}

int64_t stria__arena_room(void)
{
    struct arena *const a = own_arena();
    return is_ready(a) ? a->size - a->used : 0;
}

char *stria__arena_take(int64_t bytes)
{
    struct arena *const a = own_arena();
    const int64_t size = round_up(bytes, LINE);
    if (!is_ready(a) || size > a->size - a->used) return NULL;
    char *const memory = a->memory + a->used;
    a->used += size;
    return memory;
}

void stria__arena_give(char *memory)
{
    struct arena *const a = own_arena();
    a->used = memory - a->memory;
}
