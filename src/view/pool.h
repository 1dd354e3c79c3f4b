/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory with one end: everything taken while text is read and evaluated, or a call is bound, goes
 * back at once. The first bytes may be the caller's own, so that small calls allocate nothing.
 */
#ifndef STRIA_VIEW_POOL_H
#define STRIA_VIEW_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "stria/array.h"

struct pool_block;
struct pool_cleanup;

/* All zeros, or room of the caller's: {.at = room, .left = sizeof room}, aligned for any type. */
struct pool {
    char *at; /* the next free byte */
    size_t left;
    struct pool_block *blocks; /* the newest first */
    struct pool_cleanup *cleanups;
    bool dtypes; /* descriptions of records go with it */
};

/* Returns size bytes of zeros, aligned for any type; NULL where there is no memory. */
void *stria__pool_take(struct pool *pool, size_t size);
/* Returns count * size bytes of zeros; the product is checked. */
void *stria__pool_array(struct pool *pool, size_t count, size_t size);
/* Returns a terminated copy of length bytes, or NULL. */
char *stria__pool_text(struct pool *pool, const char *text, size_t length);
/* Returns zeros for which clean(object) is called when the pool goes, the latest first; or NULL. */
void *stria__pool_owner(struct pool *pool, size_t size, void (*clean)(void *object));
/* Takes over the array until the pool goes; NULL where there is no memory, and it is released. */
stria_array *stria__pool_keep(struct pool *pool, stria_array array);
/* Releases the arrays that it took over since its cleanups were those. */
void stria__pool_release(struct pool *pool, const struct pool_cleanup *since);
/* Takes over a reference to the description of a record; MEMORY, and it is given back. */
stria_status stria__pool_keep_dtype(struct pool *pool, stria_dtype dtype);
void stria__pool_free(struct pool *pool);

#endif
