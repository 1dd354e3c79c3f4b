/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where an operation on integers has no result that its dtype holds, by an expression. */
#ifndef STRIA_OPS_COMPOSED_OVERFLOW_H
#define STRIA_OPS_COMPOSED_OVERFLOW_H

#include <stdbool.h>

#include "ops/expr/formula.h"

/* Tells whether there is such an expression for op. */
bool stria__is_checkable(stria_op op);

/*
 * Adds what is true where op of the nodes a and b, integers of the kind in which it computes,
 * fails; b is ignored for one operand. Returns the node.
 */
int stria__overflow(struct formula *f, stria_kind kind, stria_op op, int a, int b);

#endif
