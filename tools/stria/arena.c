/* SPDX-License-Identifier: BSD-3-Clause */
/* A bump allocator over a list of blocks; a large request gets a block of its own. */
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failed.h"

enum { BLOCK = 64 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t size;
    max_align_t bytes[];
};

struct arena_cleanup {
    struct arena_cleanup *next;
    void (*clean)(void *object);
    void *object;
};

static void out_of_memory(size_t size)
{
    (void)fprintf(stderr, "stria: out of memory: %zu bytes were refused\n", size);
    exit(failed_status());
}

void *must_malloc(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory) out_of_memory(size);
    return memory;
}

void *must_realloc(void *memory, size_t size)
{
    void *larger = realloc(memory, size ? size : 1);
    if (!larger) out_of_memory(size);
    return larger;
}

void *arena_take(struct arena *arena, size_t size)
{
    const size_t unit = sizeof(max_align_t);
    if (size > SIZE_MAX - sizeof(struct arena_block) - unit) out_of_memory(size);
    size = (size + unit - 1) / unit * unit;
    if (!arena->blocks || size > arena->blocks->size - arena->used) {
        const size_t room = size > BLOCK ? size : BLOCK;
        struct arena_block *block = must_malloc(sizeof *block + room);
        block->next = arena->blocks;
        block->size = room;
        arena->blocks = block;
        arena->used = 0;
    }
    void *memory = (char *)arena->blocks->bytes + arena->used;
    arena->used += size;
    return memset(memory, 0, size);
}

void *arena_take_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) out_of_memory(SIZE_MAX);
    return arena_take(arena, count * size);
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_take(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void arena_on_free(struct arena *arena, void (*clean)(void *object), void *object)
{
    struct arena_cleanup *cleanup = arena_take(arena, sizeof *cleanup);
    *cleanup = (struct arena_cleanup){arena->cleanups, clean, object};
    arena->cleanups = cleanup;
}

void arena_free(struct arena *arena)
{
    for (struct arena_cleanup *c = arena->cleanups; c; c = c->next)
        c->clean(c->object);
    arena->cleanups = NULL;
    while (arena->blocks) {
        struct arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
    arena->used = 0;
}
