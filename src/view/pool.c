/* SPDX-License-Identifier: BSD-3-Clause */
/* A bump allocator over a list of blocks; a large request gets a block of its own. */
#include "view/pool.h"

#include <stdint.h>
#include <string.h>

#include "stria/record.h"

enum { BLOCK = 16 * 1024, UNIT = sizeof(max_align_t) };

struct pool_block {
    struct pool_block *next;
    size_t size;     /* Bytes of the whole block. */
    uint64_t budget; /* Number of the budget that it counts for, or 0. */
    stria_allocator allocator;
    max_align_t bytes[];
};

struct pool_cleanup {
    struct pool_cleanup *next;
    void (*clean)(void *object);
    max_align_t object[];
};

static struct pool_block *add_block(struct pool *pool, size_t room)
{
    const stria_allocator allocator = stria__allocator();
    const size_t size = sizeof(struct pool_block) + room;
    uint64_t budget;
    if (!stria__budget_take(&budget, size)) return NULL;
    struct pool_block *const block =
        allocator.alloc(size, _Alignof(max_align_t), allocator.context);
    if (!block) {
        stria__budget_give(budget, size);
        return NULL;
    }
    block->budget = budget;
    block->next = pool->blocks;
    block->size = size;
    block->allocator = allocator;
    return pool->blocks = block;
}

void *stria__pool_take(struct pool *pool, size_t size)
{
    if (size > SIZE_MAX / 2) return NULL;
    /* Even an allocation of 0 bytes has an address. */
    size = size ? (size + UNIT - 1) / UNIT * UNIT : UNIT;
    if (size > pool->left) {
        const size_t room = size > BLOCK ? size : BLOCK;
        struct pool_block *const block = add_block(pool, room);
        if (!block) return NULL;
        pool->at = (char *)block->bytes;
        pool->left = room;
    }
    void *const memory = pool->at;
    pool->at += size;
    pool->left -= size;
    return memset(memory, 0, size);
}

void *stria__pool_array(struct pool *pool, size_t count, size_t size)
{
    return size && count > SIZE_MAX / size ? NULL : stria__pool_take(pool, count * size);
}

char *stria__pool_text(struct pool *pool, const char *text, size_t length)
{
    char *const copy = stria__pool_take(pool, length + 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

void *stria__pool_owner(struct pool *pool, size_t size, void (*clean)(void *object))
{
    struct pool_cleanup *const cleanup = stria__pool_take(pool, sizeof *cleanup + size);
    if (!cleanup) return NULL;
    cleanup->next = pool->cleanups;
    cleanup->clean = clean;
    pool->cleanups = cleanup;
    return cleanup->object;
}

static void release_array(void *array)
{
    stria_array_release(array);
}

stria_array *stria__pool_keep(struct pool *pool, stria_array array)
{
    stria_array *const kept = stria__pool_owner(pool, sizeof *kept, release_array);
    if (kept)
        *kept = array;
    else
        stria_array_release(&array);
    return kept;
}

void stria__pool_release(struct pool *pool, const struct pool_cleanup *since)
{
    for (struct pool_cleanup *c = pool->cleanups; c != since; c = c->next)
        if (c->clean == release_array) c->clean(c->object);
}

static void release_dtype(void *dtype)
{
    stria_dtype_release(*(stria_dtype *)dtype);
}

stria_status stria__pool_keep_dtype(struct pool *pool, stria_dtype dtype)
{
    stria_dtype *const kept = stria__pool_owner(pool, sizeof *kept, release_dtype);
    pool->dtypes = true;
    if (!kept) {
        stria_dtype_release(dtype);
        return STRIA_ERR_MEMORY;
    }
    *kept = dtype;
    return STRIA_OK;
}

void stria__pool_free(struct pool *pool)
{
    for (struct pool_cleanup *c = pool->cleanups; c; c = c->next)
        c->clean(c->object);
    while (pool->blocks) {
        struct pool_block *const block = pool->blocks;
        pool->blocks = block->next;
        stria__budget_give(block->budget, block->size);
        block->allocator.free(block, block->size, block->allocator.context);
    }
    *pool = (struct pool){0};
}
