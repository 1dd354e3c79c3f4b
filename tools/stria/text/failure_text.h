/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows a failure: as text with a caret on a terminal, as {"code","message"} in JSON. */
#ifndef STRIA_TOOL_FAILURE_TEXT_H
#define STRIA_TOOL_FAILURE_TEXT_H

#include "lang/failure.h"

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

void failed_is(int status); /* once, before the command runs; 1 where it was not called */
int failed_status(void);    /* in a signal handler, too */

#endif
