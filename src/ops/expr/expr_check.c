/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/expr/expr_check.h"

#include <stdio.h>

#include "ops/operands.h"
#include "ops/elementwise/check.h"
#include "ops/elementwise/weak_scalar.h"
#include "status.h"

/* "input 3"; of functions "a" and "b" */
struct input_name {
    char text[24];
};

static struct input_name name_of(const stria_expr *expr, int input)
{
    struct input_name out;
    if (expr->name)
        (void)snprintf(out.text, sizeof out.text, "%c", 'a' + input % 26);
    else
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
    const char *const op = expr_name(expr);
    STRIA_TRY(stria__check_masked_exec(exec, op));
    const int count = stria__expr_inputs(expr, inputs, views, numbers);
    for (int i = 0; i < count; i++) {
        const struct input_name name = name_of(expr, numbers[i]);
        STRIA_TRY(stria__check_view(views[i], op, name.text));
        if (view_is_weak(views[i])) STRIA_TRY(stria__check_weak(views[i], op, name.text));
    }
    return STRIA_OK;
}

static stria_status check_shape(const struct output *o, const stria_view *a, const char *name)
{
    const stria_view *const out = o->view;
    const int more = out->ndim - a->ndim;
    if (more < 0)
        return stria__fail(STRIA_ERR_BROADCAST,
                           "%s: %s of shape %s has more dims than %s of shape %s, which is "
                           "never broadcast; give %s the shape to which the inputs broadcast",
                           o->op, name, stria__dims_text(a->ndim, a->shape).text, o->name,
                           stria__dims_text(out->ndim, out->shape).text, o->name);
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != out->shape[more + d] && a->shape[d] != 1)
            return stria__refuse_broadcast(o->op, out, o->name, a, name);
    return STRIA_OK;
}

stria_status stria__expr_check_output(const stria_expr *expr, const char *name,
                                      const stria_view *out, const stria_view *const *inputs,
                                      stria_dtype result, const stria_exec *exec)
{
    const struct output o = {expr_name(expr), name, out, exec};
    const stria_view *views[STRIA_EXPR_INPUTS];
    int numbers[STRIA_EXPR_INPUTS];
    bool apart;
    STRIA_TRY(stria__check_writable(out, o.op, name));
    const int count = stria__expr_inputs(expr, inputs, views, numbers);
    for (int i = 0; i < count; i++)
        STRIA_TRY(check_shape(&o, views[i], name_of(expr, numbers[i]).text));
    if (mask_of(exec)) STRIA_TRY(check_shape(&o, exec->where, "where"));
    STRIA_TRY(stria__check_result(result, out, stria__casting_of(exec), o.op, name));
    STRIA_TRY(stria__check_itself(out, o.op, name));
    if (!stria__forbids_overlap(exec)) return STRIA_OK;
    for (int i = 0; i < count; i++)
        STRIA_TRY(stria__check_apart(&apart, &o, views[i], name_of(expr, numbers[i]).text, true));
    return exec->where ? stria__check_apart(&apart, &o, exec->where, "where", true) : STRIA_OK;
}
