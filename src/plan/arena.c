/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of memory per thread, released by a thread-specific destructor. */
#include "arena.h"
#include "base/integers.h"
#include "simd/tuning.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "stria/threads.h"

/*
 * The struct lies behind the memory, where the key of the thread leads to it, on systems that may
 * free the variables of a thread before its destructors run: gcc for Windows, and macOS. There the
 * destructors that run after this one find that there is no arena.
 */
#if !defined ARENA_BY_KEY && (defined _WIN32 || defined __APPLE__)
#define ARENA_BY_KEY
#endif

struct arena {
    char *memory; /* NULL: not allocated yet, or refused. */
    int64_t size;
    int64_t kept; /* Bytes at the beginning that are not handed out; 0 or ARENA_KEPT. */
    int64_t used; /* Bytes in use, those included. */
    stria_allocator from;
};

static atomic_int_least64_t limit = STRIA_SCRATCH;
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

static void end_arena(void *data);

static void make_key(void)
{
    has_key = pthread_key_create(&at_thread_end, end_arena) == 0;
}

#ifdef ARENA_BY_KEY

enum { BEHIND = (sizeof(struct arena) + LINE - 1) / LINE * LINE };

/* Returns that of this thread; one without memory, which is never written, if there is none. */
static struct arena *own_arena(void)
{
    static struct arena none;
    (void)pthread_once(&once, make_key);
    struct arena *const a = has_key ? pthread_getspecific(at_thread_end) : NULL;
    return a ? a : &none;
}

#else

enum { BEHIND = 0 };

/*
 * Returns that of this thread. In a shared library the address of a thread's variable comes by a
 * call, which a compiler would repeat for each use, as if the address were a constant.
 */
static inline struct arena *own_arena(void)
{
    static _Thread_local struct arena arena;
    struct arena *a = &arena;
    __asm__("" : "+r"(a));
    return a;
}

#endif

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

static void end_arena(void *data)
{
    struct arena *const a = data;
    char *const memory = a->memory;
    a->memory = NULL;
    if (memory) a->from.free(memory, (size_t)(a->size + BEHIND), a->from.context);
}

/* Allocates the arena. If the thread cannot have a destructor there is no arena, since its memory
 * would be lost. */
static struct arena *allocate(struct arena *a)
{
    const int64_t limited = stria_scratch_limit(), size = limited - BEHIND;
    (void)pthread_once(&once, make_key);
    if (size <= 0 || !has_key) return NULL;
    const stria_allocator from = stria__allocator();
    char *const memory = from.alloc((size_t)limited, STRIA_ALIGNMENT, from.context);
    if (!memory) return NULL;
#ifdef ARENA_BY_KEY
    a = (struct arena *)(void *)(memory + size);
#endif
    if (pthread_setspecific(at_thread_end, a) != 0) {
        from.free(memory, (size_t)limited, from.context);
        return NULL;
    }
    const int64_t kept = size >= 2 * ARENA_KEPT ? ARENA_KEPT : 0;
    memset(memory, 0, (size_t)kept);
    *a = (struct arena){memory, size, kept, kept, from};
    return a;
}

/* Returns the arena, allocated if it was not; NULL if it cannot be. */
static inline struct arena *ready(struct arena *a)
{
    return a->memory ? a : allocate(a);
}

static struct arena_kept *kept_of(const struct arena *a)
{
    return a->memory && a->kept ? (struct arena_kept *)(void *)a->memory : NULL;
}

/* Gives the arena back, whose limit has changed, if nothing of it is in use. */
static struct arena *of_another_limit(struct arena *a)
{
    const struct arena_kept *const kept = kept_of(a);
    if (a->used != a->kept || (kept && kept->borrowed)) return a;
#ifdef ARENA_BY_KEY
    (void)pthread_setspecific(at_thread_end, NULL);
#endif
    end_arena(a);
    return own_arena();
}

/* Returns the arena of this thread, which is without memory if none of the limit is there. */
static inline struct arena *refreshed(void)
{
    struct arena *const a = own_arena();
    const bool stays = !a->memory || a->size == stria_scratch_limit() - BEHIND;
    return stays ? a : of_another_limit(a);
}

void stria__arena_refresh(void)
{
    (void)refreshed();
}

struct arena_kept *stria__arena_borrow(bool make)
{
    struct arena *a = refreshed();
    if (make && !(a = ready(a))) return NULL;
    struct arena_kept *const kept = kept_of(a);
    if (!kept || kept->borrowed) return NULL;
    kept->borrowed = 1;
    /* A signal handler sees the flag before the accesses that follow. */
    atomic_signal_fence(memory_order_seq_cst);
    return kept;
}

int64_t stria__arena_room(void)
{
    const struct arena *const a = ready(own_arena());
    return a ? a->size - a->used : 0;
}

char *stria__arena_take(int64_t bytes)
{
    struct arena *const a = ready(own_arena());
    const int64_t size = round_up(bytes, LINE);
    if (!a || size > a->size - a->used) return NULL;
    char *const memory = a->memory + a->used;
    a->used += size;
    return memory;
}

void stria__arena_give(char *memory)
{
    struct arena *const a = own_arena();
    a->used = memory - a->memory;
}
