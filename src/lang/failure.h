/* SPDX-License-Identifier: BSD-3-Clause */
/* A failure of a text: its message and the byte where it happened, shown by whoever asked. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/tool_api.h"

struct failure {
    stria_status code;
    bool usage;  /* The request itself is wrong (exit status 2), not its execution (1). */
    bool placed; /* `at` is a byte of the EXPR. */
    /* The arguments do not fit the op's signature; another overload may take them. */
    bool mismatch;
    size_t at;
    const char *file; /* The one of several files that it was about, or NULL. */
    char message[1400];
};

/* Fails because the request is wrong at byte `at` of the EXPR. Returns code. */
TOOL_API stria_status stria__fail_at(struct failure *failure, stria_status code, size_t at,
                                     const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Fails because the request is wrong, at no place of an EXPR. */
TOOL_API stria_status stria__fail_request(struct failure *failure, stria_status code,
                                          const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes the message of a refusal by the library. at: the step of the EXPR, or NO_PLACE. */
TOOL_API stria_status stria__fail_library(struct failure *failure, stria_status code, size_t at);

/* Puts "name: " in front of the message. Returns its code. */
TOOL_API stria_status stria__fail_prefix(struct failure *failure, const char *name);

/* Sets the code, kind and place of a failure whose message is already set. Returns code. */
stria_status stria__failure_set(struct failure *failure, stria_status code, bool usage, size_t at);

#define NO_PLACE ((size_t)-1)

/* Tells whether refusal a of an overload is better than b: its types fit, or it got further. */
bool stria__failure_tells_more(const struct failure *a, const struct failure *b);

/* Sets the thread's message. Returns MEMORY. */
stria_status stria__fail_memory(void);

#define TRY_MEMORY(pointer)                                                                        \
    do {                                                                                           \
        if (!(pointer)) return stria__fail_memory();                                               \
    } while (0)

/* Take zeroed memory of a pool for an item, or for as many as are counted; MEMORY. */
#define TAKE(type, name, pool)                                                                     \
    type *const name = stria__pool_take(pool, sizeof *name);                                       \
    TRY_MEMORY(name)
#define TAKE_ARRAY(type, name, pool, count)                                                        \
    type *const name = stria__pool_array(pool, count, sizeof *name);                               \
    TRY_MEMORY(name)
#define TAKE_TO(place, pool, count)                                                                \
    (place) = stria__pool_array(pool, count, sizeof *(place));                                     \
    TRY_MEMORY(place)

/* Sets the thread's message to the failure's, and the column for stria_eval_column. */
stria_status stria__failure_tell(const struct failure *failure, const char *source);
/* Forgets the column, because text is about to be read. */
void stria__failure_start(void);

/* Tells whether a byte starts a character; continuation bytes of UTF-8 do not. */
static inline bool starts_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* Returns the column, from 1, counted in characters of UTF-8. */
TOOL_API size_t stria__column_of(const char *source, size_t at);
