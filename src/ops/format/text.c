/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows. */
#include "ops/format/columns.h"

#include <string.h>

/* Returns where `size` more bytes go; NULL without memory. */
static char *more(struct text *t, size_t size)
{
    enum { LEAST = 256 };
    if (t->failed || size > (size_t)-1 / 4 - t->size) {
        t->failed = true;
        return NULL;
    }
    if (t->size + size > t->room) {
        const size_t room = 2 * (t->size + size) + LEAST;
        char *const data = t->allocator.alloc(room, STRIA_ALIGNMENT, t->allocator.context);
        if (!data) {
            t->failed = true;
            return NULL;
        }
        if (t->size) memcpy(data, t->data, t->size);
        if (t->data) t->allocator.free(t->data, t->room, t->allocator.context);
        t->data = data;
        t->room = room;
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

void stria__text_free(struct text *t)
{
    if (t->data) t->allocator.free(t->data, t->room, t->allocator.context);
    t->data = NULL;
    t->size = t->room = 0;
}
