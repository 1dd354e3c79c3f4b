/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory with one end: everything taken while an EXPR is read and evaluated goes back at once.
 * Running out ends the program with a message and exit status 1: a tool has nothing to save.
 */
#ifndef STRIA_TOOL_ARENA_H
#define STRIA_TOOL_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena_cleanup;

struct arena {
    struct arena_block *blocks; /* the newest first */
    size_t used;                /* bytes of the newest */
    struct arena_cleanup *cleanups;
};

/* size bytes of zeros, aligned for any type; never NULL. */
void *arena_take(struct arena *arena, size_t size);
/* count x size bytes of zeros; the product is checked. */
void *arena_take_array(struct arena *arena, size_t count, size_t size);
/* A terminated copy of length bytes. */
char *arena_text(struct arena *arena, const char *text, size_t length);
/* Calls clean(object) when the arena goes, the latest first. */
void arena_on_free(struct arena *arena, void (*clean)(void *object), void *object);
void arena_free(struct arena *arena);

/* malloc and realloc that never return NULL. */
void *must_malloc(size_t size);
void *must_realloc(void *memory, size_t size);

#endif
