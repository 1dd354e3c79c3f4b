/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An expression that goes on from another one. Once a step has failed the others do nothing, and
 * the status tells.
 */
#ifndef STRIA_OPS_EXPR_FORMULA_H
#define STRIA_OPS_EXPR_FORMULA_H

#include "stria/expr.h"

struct formula {
    stria_expr *expr;
    stria_status status;
    int e; /* the node of what the given expression gives */
    int n; /* inputs, of which the first are those of the given expression */
    const stria_view *input[STRIA_EXPR_INPUTS];
};

/* Begins with a copy of expr, or without nodes where it is NULL. */
void stria__formula_begin(struct formula *f, const stria_expr *expr, int n,
                          const stria_view *const *inputs);
void stria__formula_end(struct formula *f);

/* Each returns a node; scalars are weak. */
int stria__formula_input(struct formula *f, const stria_view *view);
int stria__formula_real(struct formula *f, double value);
int stria__formula_truth(struct formula *f, bool value);
int stria__formula_cast(struct formula *f, int node, stria_kind kind);
int stria__formula_op(struct formula *f, stria_op op, int a, int b, int c);

#endif
