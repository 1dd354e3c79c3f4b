/* SPDX-License-Identifier: BSD-3-Clause */
/* How a call runs, in words and numbers. */
#ifndef STRIA_SRC_ENGINE_EXPLAIN_H
#define STRIA_SRC_ENGINE_EXPLAIN_H

#include <stddef.h>

#include "call.h"
#include "stria/copy.h"

/*
 * Explains how a decided call with a program runs, as snprintf writes: instructions, stages and
 * blocks.
 */
void stria__explain_program(char *text, size_t size, const struct call *call);

/* Explains strategy, reason and costs of a decided copy. */
void stria__explain_copy(stria_copy_plan *out, const struct call *call);

#endif
