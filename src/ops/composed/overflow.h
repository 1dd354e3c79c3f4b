/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds by an expression where an operation on integers has a result that its dtype does not
 * hold. */
#pragma once

#include <stdbool.h>

#include "ops/expr/formula.h"

/* Tells whether there is such an expression for op. */
bool stria__is_checkable(stria_op op);

/*
 * Adds a node that is true where op of the nodes a and b, integers of the kind in which it
 * computes, overflows; b is ignored for one operand. Returns the node.
 */
int stria__overflow(struct formula *f, stria_kind kind, stria_op op, int a, int b);
