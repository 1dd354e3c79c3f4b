/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains an EXPR over given inputs; and many of them, one per line. */
#pragma once

#include "inputs.h"
#include "json_values.h"

/* Returns the JSON answer of `stria explain` for an EXPR. *status is the status of evaluate. */
json_t *explain_json(const char *expr, const struct inputs *inputs, struct failure *failure,
                     stria_status *status);

/* Answers each line of stdin with one line on stdout. Returns false, after a message on stderr, if
 * stdin cannot be read. */
bool explain_batch(void);
