/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that grows. */
#ifndef STRIA_OPS_FORMAT_TEXT_H
#define STRIA_OPS_FORMAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "stria/alloc.h"

struct text {
    char *data;
    size_t size, room;
    bool failed; /* there was no memory, and some of it is missing */
    stria_allocator allocator;
};

void stria__text_add(struct text *t, const char *data, size_t size);
void stria__text_fill(struct text *t, char c, size_t count);
void stria__text_free(struct text *t);

#endif
