/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that is written bit by bit into a given room. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "stria/export.h"
#include "tool_api.h"

/* A text that is written; what does not fit is cut, but counted. */
struct written {
    char *bytes;
    size_t room, used;
};

/* Returns the place for the next byte of a room that is not empty, and the bytes left there. */
static inline char *written_end(const struct written *to)
{
    return to->bytes + (to->used < to->room ? to->used : to->room - 1);
}

static inline size_t written_left(const struct written *to)
{
    return to->room - (size_t)(written_end(to) - to->bytes);
}

/* Appends text and a terminating 0, as snprintf does. */
TOOL_API void stria__print(struct written *to, const char *format, ...) STRIA_PRINTF(2, 3);

enum { EXPLANATION = 1024 /* bytes that hold how any one operation runs */ };

/* Writes sizes as a tuple of Python: "(2, 3)", "(2,)", "()". */
void stria__print_dims(struct written *to, int n, const int64_t *sizes);

/* Returns the quote that Python's repr puts around a text. */
static inline char quote_for(const char *text)
{
    return strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';
}

/* Writes a string of Python with its quotes. Characters beyond ASCII are UTF-8, and are escaped
 * only if they are not visible. */
void stria__print_quoted(struct written *to, const char *text);
/* Writes a string of JSON with its quotes, as the reference of safetensors escapes it. */
void stria__print_json(struct written *to, const char *text);

/* Writes a character of up to 21 bits as UTF-8, without an end; returns how many bytes it has. */
int stria__put_utf8(char *to, uint32_t c);
