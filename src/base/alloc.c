/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The default allocator and the hook that replaces it. Large blocks are aligned to 2 MiB and
 * advised as huge pages, since strided loops over huge pages have several times fewer TLB misses.
 * Blocks that are given back are kept for a while (kept.h).
 */
#define _DEFAULT_SOURCE /* Declares madvise and clock_gettime. */
#include "alloc.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "kept.h"
#include "status.h"
#include "system.h"

enum { PAGE = 4 << 10, HUGE_PAGE = 2 << 20, HUGE_FROM = 4 << 20, KEEP_FROM = 64 << 10 };

static void *from_system(size_t size, size_t alignment)
{
    if (size >= HUGE_FROM && alignment < HUGE_PAGE) alignment = HUGE_PAGE;
    void *const memory = stria__system_alloc(size, alignment);
#ifdef __linux__
    if (memory && size >= HUGE_FROM) (void)madvise(memory, size, MADV_HUGEPAGE);
#endif
    return memory;
}

/* The bytes of the block that holds so many: blocks that are kept are whole pages. */
static size_t block_of(size_t size)
{
    const size_t page = size < HUGE_FROM ? PAGE : HUGE_PAGE;
    if (size < KEEP_FROM || size > SIZE_MAX - page) return size;
    return (size + page - 1) / page * page;
}

static void *default_alloc(size_t size, size_t alignment, void *context)
{
    const size_t block = block_of(size);
    (void)context;
    void *memory = size < KEEP_FROM ? NULL : stria__kept_take(block, alignment);
    if (!memory) memory = from_system(block, alignment);
    /* Blocks that are kept may be all that is missing. */
    if (!memory && stria__kept_drop()) memory = from_system(block, alignment);
    return memory;
}

static void default_free(void *memory, size_t size, void *context)
{
    const size_t block = block_of(size);
    (void)context;
#ifdef MADV_FREE
    /* The system may have these pages whenever it needs them, until they are written again. */
    if (memory && size >= HUGE_FROM && stria__kept_fits(block))
        (void)madvise(memory, block, MADV_FREE);
#endif
    if (!memory || size < KEEP_FROM || !stria__kept_put(memory, block)) stria__system_free(memory);
}

static const stria_allocator fallback = {default_alloc, default_free, NULL};
static stria_allocator current = {default_alloc, default_free, NULL};

stria_allocator stria__allocator(void)
{
    return current;
}

stria_status stria_set_allocator(const stria_allocator *allocator)
{
    if (allocator && (!allocator->alloc || !allocator->free))
        return stria__fail(STRIA_ERR_ARGUMENT, "allocator: both alloc and free are needed");
    current = allocator ? *allocator : fallback;
    return STRIA_OK;
}

void stria_get_allocator(stria_allocator *out)
{
    if (out) *out = current;
}

/* ---- budgets --------------------------------------------------------------------------------- */

static _Thread_local struct budget *budget;

enum { FASTEST = 10 /* Elements in a nanosecond, more than any machine reads. */ };

static int64_t nanoseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct budget *stria__budget_begin(struct budget *made, int64_t most, double seconds)
{
    static atomic_uint_least64_t last;
    struct budget *const before = budget;
    *made = (struct budget){.most = most, .id = atomic_fetch_add(&last, 1) + 1, .seconds = seconds};
    if (seconds > 0) made->until = nanoseconds() + (int64_t)(seconds * 1e9);
    budget = made;
    return before;
}

void stria__budget_end(struct budget *before)
{
    budget = before;
}

bool stria__budget_take(uint64_t *id, size_t size)
{
    *id = 0;
    if (!budget) return true;
    if (size > (size_t)(budget->most - budget->used)) {
        budget->refused = true;
        return false;
    }
    budget->used += (int64_t)size;
    *id = budget->id;
    return true;
}

void stria__budget_give(uint64_t id, size_t size)
{
    if (id && budget && budget->id == id) budget->used -= (int64_t)size;
}

struct memory stria__memory(size_t size)
{
    struct memory made = {.size = size, .from = current};
    if (!stria__budget_take(&made.budget, size)) return made;
    made.at = current.alloc(size, STRIA_ALIGNMENT, current.context);
    if (!made.at) stria__budget_give(made.budget, size);
    return made;
}

void stria__memory_free(const struct memory *memory)
{
    if (!memory->at) return;
    stria__budget_give(memory->budget, memory->size);
    memory->from.free(memory->at, memory->size, memory->from.context);
}

stria_status stria__budget_work(double elements)
{
    if (!budget || !budget->until) return STRIA_OK;
    if (nanoseconds() >= budget->until)
        return stria__fail(STRIA_ERR_UNSUPPORTED, "the budget of %g seconds is used up before this",
                           budget->seconds);
    if (elements <= budget->seconds * 1e9 * FASTEST) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "%g elements are more than the budget of %g seconds has time for", elements,
                       budget->seconds);
}
