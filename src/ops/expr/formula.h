/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An expression that extends another one, or begins anew. Once a step has failed the others do
 * nothing, and the status tells.
 */
#pragma once

#include "stria/expr.h"

struct formula {
    stria_expr *expr;
    stria_status status;
    int e; /* Node of the given expression's value. */
    int n; /* Number of inputs; those of the given expression come first. */
    const stria_view *input[STRIA_EXPR_INPUTS];
    int node[STRIA_EXPR_INPUTS]; /* Node of an input that was added; -1: it was given. */
};

/* Begins with a copy of expr, or without nodes if it is NULL. */
void stria__formula_begin(struct formula *f, const stria_expr *expr, int n,
                          const stria_view *const *inputs);
void stria__formula_end(struct formula *f);

/* Add a node, and return it; scalars are weak. */
int stria__formula_input(struct formula *f, const stria_view *view);
int stria__formula_scalar(struct formula *f, stria_kind kind, const void *value);
int stria__formula_cast(struct formula *f, int node, stria_kind kind);

/* Begins with a view, and returns its node. */
static inline int formula_of(struct formula *f, const stria_view *view)
{
    stria__formula_begin(f, NULL, 0, NULL);
    return stria__formula_input(f, view);
}

/* Applies an operation to one, two or three nodes. */
int stria__formula_op(struct formula *f, stria_op op, const int *operands);

static inline int apply1(struct formula *f, stria_op op, int a)
{
    return stria__formula_op(f, op, &a);
}

static inline int apply2(struct formula *f, stria_op op, int a, int b)
{
    return stria__formula_op(f, op, (int[]){a, b});
}

static inline int apply3(struct formula *f, stria_op op, int a, int b, int c)
{
    return stria__formula_op(f, op, (int[]){a, b, c});
}

static inline int formula_real(struct formula *f, double value)
{
    return stria__formula_scalar(f, STRIA_F64, &value);
}

static inline int formula_integer(struct formula *f, int64_t value)
{
    return stria__formula_scalar(f, STRIA_I64, &value);
}

/* Evaluates the formula into out, and ends it. */
stria_status stria__formula_evaluate(struct formula *f, const stria_view *out,
                                     const stria_exec *exec);
/* Does so into a new array. */
stria_status stria__formula_evaluate_new(stria_array *out, struct formula *f,
                                         const stria_exec *exec);
/* Reduces all elements of the formula to one item of a kind at `to`, and ends it. */
stria_status stria__formula_reduce(struct formula *f, stria_reduction op, void *to, stria_kind kind,
                                   const stria_exec *exec);
