/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an operation on integers has no result that its dtype holds, as an expression. */
#ifndef STRIA_OPS_COMPOSED_OVERFLOW_H
#define STRIA_OPS_COMPOSED_OVERFLOW_H

#include <stdbool.h>

#include "stria/expr.h"

/* A node for every use; the first failure is kept, and what comes after it does nothing. */
struct failing {
    stria_expr *expr;
    stria_kind kind; /* in which the operation computes: an integer */
    stria_status status;
};

/* Whether there is such an expression for op. */
bool stria__is_checkable(stria_op op);

/*
 * Adds what is true where op of the nodes a and b, of f->kind, fails; b is ignored for one operand.
 * Returns the node.
 */
int stria__failing(struct failing *f, stria_op op, int a, int b);

/* A node of an operation on one or two others. */
int stria__failing_node(struct failing *f, stria_op op, int a, int b);

#endif
