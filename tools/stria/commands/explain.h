/* SPDX-License-Identifier: BSD-3-Clause */
/* One EXPR over given inputs, explained; and many of them, one per line (batch.c). */
#ifndef STRIA_TOOL_EXPLAIN_H
#define STRIA_TOOL_EXPLAIN_H

#include "inputs.h"
#include "json_out.h"

/* The JSON answer of `stria explain` for an EXPR. *status: what evaluate gave. */
json_t *explain_json(const char *expr, const struct inputs *inputs, struct failure *failure,
                     stria_status *status);

/* How a view lies in memory, in the evaluation's pool. */
struct array_geometry geometry_of(struct evaluation *e, const stria_view *view);

/* Answers each line of stdin with one line on stdout. False, said on stderr: stdin cannot be read.
 */
bool explain_batch(void);

#endif
