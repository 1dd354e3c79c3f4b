/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the tool fails. A failure is shown as text with a caret on a terminal, as {"code","message"}
 * in JSON. Memory is always there: running out ends the program with a message, since a tool has
 * nothing to save.
 */
#ifndef STRIA_TOOL_MUST_H
#define STRIA_TOOL_MUST_H

#include <stdbool.h>

#include "lang/failure.h"
#include "view/pool.h"

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
/* Complains of the contents of files, of which the command line is innocent. Returns code. */
stria_status fail_found(struct failure *failure, stria_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The exit status that a failure stands for. */
int failure_exit(const struct failure *failure);

void failed_is(int status); /* once, before the command runs; 1 where it was not called */
int failed_status(void);    /* in a signal handler, too */

void *must_malloc(size_t size);
void *must_realloc(void *memory, size_t size);

/* Ends the program unless size bytes were to be had. */
void must_have(bool had, size_t size);

/* Memory of view/pool.h, never NULL. */
void *must_take(struct pool *pool, size_t size);
void *must_take_array(struct pool *pool, size_t count, size_t size);
char *must_text(struct pool *pool, const char *text, size_t length);

#endif
