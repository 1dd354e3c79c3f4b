/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What went wrong, and at which byte of the EXPR. Made where it happens, shown by whoever asked:
 * as text with a caret on a terminal, as {"code","message"} in JSON.
 */
#ifndef STRIA_TOOL_FAILURE_H
#define STRIA_TOOL_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#include "stria/status.h"

struct failure {
    stria_status code;
    bool usage;    /* the request itself is wrong (exit status 2), not its execution (1) */
    bool placed;   /* `at` is a byte of the EXPR */
    bool mismatch; /* the arguments are not those of the op; another overload may take them */
    size_t at;
    const char *file; /* which of several it was about, or NULL */
    char message[1400];
};

/* The request is wrong, at byte `at` of the EXPR. Returns code. */
stria_status fail_at(struct failure *failure, stria_status code, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The request is wrong, nowhere in an EXPR. */
stria_status fail_request(struct failure *failure, stria_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The library refused: takes its message. at: the step of the EXPR, or NO_PLACE. */
stria_status fail_library(struct failure *failure, stria_status code, size_t at);

/* Puts "name: " in front of the message. Returns its code. */
stria_status fail_prefix(struct failure *failure, const char *name);

#define NO_PLACE ((size_t)-1)

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const stria_status status_ = (call);                                                       \
        if (status_ != STRIA_OK) return status_;                                                   \
    } while (0)

/* 1-based, counted in characters of UTF-8. */
size_t column_of(const char *source, size_t at);

/* "message" or "file: column 7: message": what JSON answers carry. */
const char *failure_text(const struct failure *failure, const char *source, char *text,
                         size_t size);
/*
 * Writes to stderr:
 *   stria: file: column 7: message
 *     .view(5)
 *           ^
 * A long EXPR is shown around the column. source NULL: no EXPR.
 */
void failure_print(const struct failure *failure, const char *source);
/* The exit status that a failure stands for. */
int failure_exit(const struct failure *failure);

#endif
