/* SPDX-License-Identifier: BSD-3-Clause */
/* One EXPR over given inputs, explained; and many of them, one per line. */
#ifndef STRIA_TOOL_BATCH_H
#define STRIA_TOOL_BATCH_H

#include "inputs.h"
#include "json_values.h"

/* The JSON answer of `stria explain` for an EXPR. *status: what evaluate gave. */
json_t *explain_json(const char *expr, const struct inputs *inputs, struct failure *failure,
                     stria_status *status);

/* Answers each line of stdin with one line on stdout. False, said on stderr: stdin cannot be read.
 */
bool explain_batch(void);

#endif
