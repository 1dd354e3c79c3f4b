/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/expr/formula.h"

#include "ops/expr/expr.h"
#include "status.h"

void stria__formula_begin(struct formula *f, const stria_expr *expr, int n,
                          const stria_view *const *inputs)
{
    *f = (struct formula){.status = STRIA_OK};
    if (expr) {
        f->status = stria__expr_copy(&f->expr, expr);
        f->e = expr->count - 1;
        f->n = expr->inputs < n ? expr->inputs : n;
    } else {
        f->status = stria_expr_new(&f->expr);
    }
    for (int i = 0; i < f->n; i++)
        f->input[i] = inputs[i];
}

void stria__formula_end(struct formula *f)
{
    stria_expr_free(f->expr);
}

int stria__formula_input(struct formula *f, const stria_view *view)
{
    int node = 0;
    if (f->status != STRIA_OK) return 0;
    f->status = stria_expr_input(f->expr, &node, f->n);
    if (f->status == STRIA_OK) f->input[f->n++] = view;
    return node;
}

int stria__formula_real(struct formula *f, double value)
{
    int node = 0;
    if (f->status == STRIA_OK) f->status = stria_expr_scalar(f->expr, &node, STRIA_F64, &value);
    return node;
}

int stria__formula_truth(struct formula *f, bool value)
{
    int node = 0;
    if (f->status == STRIA_OK) f->status = stria_expr_scalar(f->expr, &node, STRIA_BOOL, &value);
    return node;
}

int stria__formula_cast(struct formula *f, int node, stria_kind kind)
{
    int made = 0;
    if (f->status == STRIA_OK) f->status = stria_expr_cast(f->expr, &made, node, kind);
    return made;
}

int stria__formula_op(struct formula *f, stria_op op, int a, int b, int c)
{
    int node = 0;
    if (f->status == STRIA_OK)
        f->status = stria_expr_op(f->expr, &node, op, stria_op_inputs(op), (int[]){a, b, c});
    return node;
}
