/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/expr/formula.h"

#include "ops/expr/expr.h"
#include "view/view.h"

void stria__formula_begin(struct formula *f, const stria_expr *expr, int n,
                          const stria_view *const *inputs)
{
    *f = (struct formula){.status = STRIA_OK};
    if (expr) {
        f->status = stria__expr_copy(&f->expr, expr);
        f->e = expr->count - 1;
        f->n = expr->inputs < n ? expr->inputs : n;
    } else {
        f->status = stria_expr_make(&f->expr);
    }
    for (int i = 0; i < f->n; i++) {
        f->input[i] = inputs[i];
        f->node[i] = -1;
    }
}

void stria__formula_end(struct formula *f)
{
    stria_expr_release(f->expr);
}

int stria__formula_input(struct formula *f, const stria_view *view)
{
    int node = 0;
    for (int i = 0; i < f->n; i++)
        if (f->input[i] == view && f->node[i] >= 0) return f->node[i];
    if (f->status != STRIA_OK) return 0;
    f->status = stria_expr_input(f->expr, &node, f->n);
    if (f->status != STRIA_OK) return 0;
    f->node[f->n] = node;
    f->input[f->n++] = view;
    return node;
}

int stria__formula_scalar(struct formula *f, stria_kind kind, const void *value)
{
    int node = 0;
    if (f->status == STRIA_OK) f->status = stria_expr_scalar(f->expr, &node, kind, value);
    return node;
}

int stria__formula_cast(struct formula *f, int node, stria_kind kind)
{
    int made = 0;
    if (f->status == STRIA_OK) f->status = stria_expr_cast(f->expr, &made, node, kind);
    return made;
}

int stria__formula_op(struct formula *f, stria_op op, const int *operands)
{
    int node = 0;
    if (f->status == STRIA_OK)
        f->status = stria_expr_op(f->expr, &node, op, stria_op_inputs(op), operands);
    return node;
}

stria_status stria__formula_evaluate(struct formula *f, const stria_view *out,
                                     const stria_exec *exec)
{
    stria_status status = f->status;
    if (status == STRIA_OK) status = stria_expr_evaluate(out, f->expr, f->n, f->input, exec);
    stria__formula_end(f);
    return status;
}

stria_status stria__formula_evaluate_new(stria_array *out, struct formula *f,
                                         const stria_exec *exec)
{
    stria_status status = f->status;
    if (status == STRIA_OK) status = stria_expr_evaluate_new(out, f->expr, f->n, f->input, exec);
    stria__formula_end(f);
    return status;
}

stria_status stria__formula_reduce(struct formula *f, stria_reduction op, void *to, stria_kind kind,
                                   const stria_exec *exec)
{
    stria_view out;
    stria_status status = f->status;
    view_of_item(&out, to, kind);
    if (status == STRIA_OK)
        status =
            stria_expr_reduce(&out, f->expr, op, f->n, f->input, STRIA_ALL_DIMS, NULL, NULL, exec);
    stria__formula_end(f);
    return status;
}
