/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the tool fails. A failure is shown as text with a caret on a terminal, as {"code","message"}
 * in JSON. A lack of memory ends the program with a message, since a tool has nothing to save.
 */
#pragma once

#include <stdbool.h>

#include "lang/failure.h"
#include "view/pool.h"

/* Returns "message" or "file: column 7: message", for JSON answers. */
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
/* Blames the contents of files, not the command line. Returns code. */
stria_status fail_found(struct failure *failure, stria_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns the exit status of a failure. */
int failure_exit(const struct failure *failure);

void failed_is(int status); /* Called once, before the command runs; the status is 1 before that. */
int failed_status(void);    /* May be called in a signal handler, too. */

void *must_malloc(size_t size);
void *must_realloc(void *memory, size_t size);

/* Ends the program if an allocation of size bytes failed. */
void must_have(bool had, size_t size);

/* Returns memory of view/pool.h, never NULL. */
void *must_take(struct pool *pool, size_t size);
void *must_take_array(struct pool *pool, size_t count, size_t size);
char *must_text(struct pool *pool, const char *text, size_t length);
