/* SPDX-License-Identifier: BSD-3-Clause */
#include "must.h"

#include <stdio.h>
#include <stdlib.h>

#include "failure_text.h"

void must_have(bool had, size_t size)
{
    if (had) return;
    (void)fprintf(stderr, "stria: out of memory: %zu bytes were refused\n", size);
    exit(failed_status());
}

static void *checked(void *memory, size_t size)
{
    must_have(memory != NULL, size);
    return memory;
}

void *must_malloc(size_t size)
{
    return checked(malloc(size ? size : 1), size);
}

void *must_realloc(void *memory, size_t size)
{
    return checked(realloc(memory, size ? size : 1), size);
}

void *must_take(struct pool *pool, size_t size)
{
    return checked(stria__pool_take(pool, size), size);
}

void *must_take_array(struct pool *pool, size_t count, size_t size)
{
    return checked(stria__pool_array(pool, count, size), count * size);
}

char *must_text(struct pool *pool, const char *text, size_t length)
{
    return checked(stria__pool_text(pool, text, length), length);
}
