/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows. */
#include <string.h>

#include "ops/format/columns.h"

/* Returns the place for `size` more bytes; NULL without memory. */
static char *more(struct text *t, size_t size)
{
    enum { LEAST = 256 };
    if (t->failed || size > (size_t)-1 / 4 - t->size) {
        t->failed = true;
        return NULL;
    }
    if (t->size + size > t->memory.size) {
        const struct memory larger = stria__memory(2 * (t->size + size) + LEAST);
        if (!larger.at) {
            t->failed = true;
            return NULL;
        }
        if (t->size) memcpy(larger.at, t->data, t->size);
        stria__memory_free(&t->memory);
        t->memory = larger;
        t->data = larger.at;
    }
    t->size += size;
    return t->data + t->size - size;
}

void stria__text_add(struct text *t, const char *data, size_t size)
{
    char *const to = size ? more(t, size) : NULL;
    if (to) memcpy(to, data, size);
}

void stria__text_fill(struct text *t, char c, size_t count)
{
    char *const to = count ? more(t, count) : NULL;
    if (to) memset(to, c, count);
}
