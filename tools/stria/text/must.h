/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is always there: running out ends the program with a message and exit status 1, since
 * a tool has nothing to save.
 */
#ifndef STRIA_TOOL_MUST_H
#define STRIA_TOOL_MUST_H

#include <stdbool.h>

#include "lang/pool.h"

void *must_malloc(size_t size);
void *must_realloc(void *memory, size_t size);

/* Ends the program unless size bytes were to be had. */
void must_have(bool had, size_t size);

/* What lang/pool.h gives, never NULL. */
void *must_take(struct pool *pool, size_t size);
void *must_take_array(struct pool *pool, size_t count, size_t size);
char *must_text(struct pool *pool, const char *text, size_t length);

#endif
