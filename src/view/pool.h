/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is released all at once: everything taken while text is read and evaluated, or a call
 * is bound. The first bytes may be the caller's own, so that small calls allocate nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/tool_api.h"
#include "base/alloc.h"
#include "stria/array.h"

struct pool_block;
struct pool_cleanup;

/* Zeros, or room of the caller's: {.at = room, .left = sizeof room}, aligned for any type. */
struct pool {
    char *at; /* The next free byte. */
    size_t left;
    struct pool_block *blocks; /* The newest block first. */
    struct pool_cleanup *cleanups;
    bool dtypes; /* Descriptions of records are released with it. */
};

/* Returns size zeroed bytes, aligned for any type, or NULL. */
TOOL_API void *stria__pool_take(struct pool *pool, size_t size);
/* Returns count * size zeroed bytes; the product is checked. */
TOOL_API void *stria__pool_array(struct pool *pool, size_t count, size_t size);
/* Returns a terminated copy of length bytes, or NULL. */
TOOL_API char *stria__pool_text(struct pool *pool, const char *text, size_t length);
/* Returns a zeroed object, or NULL; clean(object) is called when the pool is released, the latest
 * object first. */
void *stria__pool_owner(struct pool *pool, size_t size, void (*clean)(void *object));
/* Takes over the array until the pool is released; NULL, with the array released, if there is no
 * memory. */
stria_array *stria__pool_keep(struct pool *pool, stria_array array);
/* Releases the arrays that the pool took over since its cleanups were those. */
void stria__pool_release(struct pool *pool, const struct pool_cleanup *since);
/* Takes over a reference to the description of a record; MEMORY, with the reference released. */
TOOL_API stria_status stria__pool_keep_dtype(struct pool *pool, stria_dtype dtype);
TOOL_API void stria__pool_free(struct pool *pool);
