/* SPDX-License-Identifier: BSD-3-Clause */
/* See check.h. */
#include "ops/expr/check.h"

#include <stdio.h>

#include "ops/copy/check.h"
#include "ops/casting.h"
#include "ops/elementwise/mask.h"
#include "ops/elementwise/weak.h"
#include "plan.h"
#include "status.h"
#include "stria/cast.h"
#include "stria/overlap.h"

/* "input 3" */
struct input_name {
    char text[24];
};

static struct input_name name_of(int input)
{
    struct input_name out;
    (void)snprintf(out.text, sizeof out.text, "input %d", input);
    return out;
}

int stria__expr_inputs(const stria_expr *expr, const stria_view *const *inputs,
                       const stria_view **views, int *numbers)
{
    bool seen[STRIA_EXPR_INPUTS] = {false};
    int count = 0;
    for (int i = 0; i < expr->count; i++) {
        const int input = expr->nodes[i].input;
        if (expr->nodes[i].what != NODE_INPUT || seen[input]) continue;
        seen[input] = true;
        views[count] = inputs[input];
        numbers[count++] = input;
    }
    return count;
}

stria_status stria__expr_check_inputs(const stria_expr *expr, int n,
                                      const stria_view *const *inputs, const stria_exec *exec)
{
    const stria_view *views[STRIA_EXPR_INPUTS];
    int numbers[STRIA_EXPR_INPUTS];
    if (!expr) return stria__fail(STRIA_ERR_ARGUMENT, "expr: expr is NULL");
    if (expr->count == 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: the expression has no nodes");
    if (n < expr->inputs)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %d inputs, names input %d", n,
                           expr->inputs - 1);
    if (!inputs && n > 0) return stria__fail(STRIA_ERR_ARGUMENT, "expr: inputs is NULL");
    STRIA_TRY(stria__check_masked_exec(exec, "expr"));
    const int count = stria__expr_inputs(expr, inputs, views, numbers);
    for (int i = 0; i < count; i++) {
        const struct input_name name = name_of(numbers[i]);
        STRIA_TRY(stria__check_view(views[i], "expr", name.text));
        if (view_is_weak(views[i])) STRIA_TRY(stria__check_weak(views[i], "expr", name.text));
    }
    return STRIA_OK;
}

static stria_status check_shape(const stria_view *out, const stria_view *a, const char *name)
{
    const int more = out->ndim - a->ndim;
    if (more < 0)
        return stria__fail(STRIA_ERR_BROADCAST,
                           "expr: %s of shape %s has more dims than out of shape %s, which is "
                           "never broadcast; give out the shape to which the inputs broadcast",
                           name, stria__dims_text(a->ndim, a->shape).text,
                           stria__dims_text(out->ndim, out->shape).text);
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != out->shape[more + d] && a->shape[d] != 1)
            return stria__refuse_broadcast("expr", out, "out", a, name);
    return STRIA_OK;
}

static stria_status check_apart(const stria_view *out, const stria_view *a, const char *name)
{
    const stria_overlap found = stria_shares_memory(out, a, OVERLAP_WORK);
    if (found == STRIA_OVERLAP_NO || found == STRIA_OVERLAP_SAME) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERLAP,
                       "expr: out and %s %s, which STRIA_NO_OVERLAP forbids; take a clone of it, "
                       "or call without the hint",
                       name, found == STRIA_OVERLAP_YES ? "share bytes" : "may share bytes");
}

static stria_status check_dtype(const stria_view *out, stria_dtype result, stria_cast_policy policy)
{
    char from[32], to[32];
    if (stria_can_cast(result, out->dtype, policy)) return STRIA_OK;
    (void)stria_dtype_format(result, from, sizeof from);
    (void)stria_dtype_format(out->dtype, to, sizeof to);
    return stria__fail(STRIA_ERR_DTYPE,
                       "expr: the result is %s, which does not cast to out's dtype %s under "
                       "%s rules; cast it in the expression, or compute into %s",
                       from, to, stria__policy_name(policy), from);
}

stria_status stria__expr_check_output(const stria_expr *expr, const stria_view *out,
                                      const stria_view *const *inputs, stria_dtype result,
                                      const stria_exec *exec)
{
    const stria_view *views[STRIA_EXPR_INPUTS];
    int numbers[STRIA_EXPR_INPUTS];
    stria_plan plan;
    STRIA_TRY(stria__check_writable(out, "expr", "out"));
    for (int d = 0; d < out->ndim; d++)
        if (out->shape[d] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "expr: out has a negative size, shape %s",
                               stria__dims_text(out->ndim, out->shape).text);
    const int count = stria__expr_inputs(expr, inputs, views, numbers);
    for (int i = 0; i < count; i++)
        STRIA_TRY(check_shape(out, views[i], name_of(numbers[i]).text));
    if (mask_of(exec)) STRIA_TRY(check_shape(out, exec->where, "where"));
    STRIA_TRY(check_dtype(out, result, stria__casting_of(exec)));
    STRIA_TRY(stria_plan_make(&plan, 1, &out, 0));
    STRIA_TRY(stria__check_itself(out, &plan, "expr", "out"));
    if (!exec || !(exec->hints & STRIA_NO_OVERLAP)) return STRIA_OK;
    for (int i = 0; i < count; i++)
        STRIA_TRY(check_apart(out, views[i], name_of(numbers[i]).text));
    return exec->where ? check_apart(out, exec->where, "where") : STRIA_OK;
}
