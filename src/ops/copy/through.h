/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that change values on the way. */
#ifndef STRIA_SRC_OPS_COPY_THROUGH_H
#define STRIA_SRC_OPS_COPY_THROUGH_H

#include <stddef.h>

#include "ops/convert/convert.h"
#include "stria/plan.h"

/*
 * plan is over (dst, src), which do not overlap or are the very same elements; how->row is set.
 * Scratch memory is on the stack.
 */
void stria__copy_through(const stria_plan *plan, const struct conversion *how,
                         const stria_exec *exec);

/*
 * Items of a copy that is one call of how->row on the two addresses of the plan, whatever they are;
 * 0 for all others.
 */
int64_t stria__through_row(const stria_plan *plan, const struct conversion *how);

/* How it would run, in words and numbers, as snprintf writes; in place, or between two arrays. */
void stria__explain_through(char *text, size_t size, const stria_plan *plan,
                            const struct conversion *how, bool in_place);

#endif
