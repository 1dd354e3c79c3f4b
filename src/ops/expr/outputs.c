/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions with several results: one pass with several outputs, or one result after the other.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "ops/elementwise/operation.h"
#include "ops/expr/evaluation.h"
#include "ops/operands.h"
#include "base/status.h"

/* An evaluation for several outputs. */
struct several {
    const stria_expr *expr;
    int count;
    const int *nodes;
    const stria_view *const *outs;
    int n;
    const stria_view *const *inputs;
    const stria_exec *exec;
    const char *const *names; /* Names of the outputs; NULL: "out 0", ... */
    struct lowered l;
};

struct out_name {
    char text[24];
};

static struct out_name name_of(const struct several *s, int j)
{
    struct out_name name;
    if (s->names)
        (void)snprintf(name.text, sizeof name.text, "%s", s->names[j]);
    else
        (void)snprintf(name.text, sizeof name.text, "out %d", j);
    return name;
}

static stria_kind kind_of(const struct several *s, int j)
{
    return s->l.node[s->nodes[j]].kind;
}

/* ---- checks --------------------------------------------------------------------------------- */

static stria_status check_nodes(const struct several *s)
{
    const char *const op = expr_name(s->expr);
    if (s->count < 1 || s->count > STRIA_EXPR_OUTPUTS)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d outputs, takes 1 to %d", op, s->count,
                           STRIA_EXPR_OUTPUTS);
    if (!s->nodes) return stria__fail(STRIA_ERR_ARGUMENT, "%s: nodes is NULL", op);
    for (int j = 0; j < s->count; j++)
        if (s->nodes[j] < 0 || s->nodes[j] >= s->expr->count)
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "%s: node %d as output %d: there are nodes 0 to %d", op, s->nodes[j],
                               j, s->expr->count - 1);
    return STRIA_OK;
}

static stria_status check_pair(const struct several *s, int i, int j)
{
    const char *const op = expr_name(s->expr);
    const stria_view *const a = s->outs[i], *const b = s->outs[j];
    if (!view_same_shape(a, b))
        return stria__fail(STRIA_ERR_SHAPE, "%s: %s has shape %s and %s %s; outputs have one shape",
                           op, name_of(s, i).text, stria__dims_text(a->ndim, a->shape).text,
                           name_of(s, j).text, stria__dims_text(b->ndim, b->shape).text);
    if (stria_shares_memory(a, b, OVERLAP_WORK) == STRIA_OVERLAP_NO) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERLAP,
                       "%s: %s and %s share bytes; give each result memory of its own", op,
                       name_of(s, i).text, name_of(s, j).text);
}

/* Refuses inputs that would need a temporary: the first output is written before others are
 * computed. */
static stria_status check_in_place(const struct several *s, int j)
{
    const stria_view *views[STRIA_EXPR_INPUTS];
    int numbers[STRIA_EXPR_INPUTS];
    const int count = stria__expr_inputs(s->expr, s->inputs, views, numbers);
    const struct out_name name = name_of(s, j);
    const struct output o = {expr_name(s->expr), name.text, s->outs[j], s->exec};
    bool apart;
    if (s->count == 1 || !stria__forbids_overlap(s->exec)) return STRIA_OK;
    for (int i = 0; i < count; i++)
        STRIA_TRY(stria__check_apart(&apart, &o, views[i], "an input", false));
    return STRIA_OK;
}

static stria_status check_outputs(const struct several *s)
{
    for (int j = 0; j < s->count; j++) {
        STRIA_TRY(stria__expr_check_output(s->expr, name_of(s, j).text, s->outs[j], s->inputs,
                                           stria_dtype_of(kind_of(s, j)), s->exec));
        STRIA_TRY(check_in_place(s, j));
    }
    for (int j = 1; j < s->count; j++)
        for (int i = 0; i < j; i++)
            STRIA_TRY(check_pair(s, i, j));
    return STRIA_OK;
}

static stria_status check_views(const struct several *s)
{
    const char *const op = expr_name(s->expr);
    if (!s->outs) return stria__fail(STRIA_ERR_ARGUMENT, "%s: outs is NULL", op);
    for (int j = 0; j < s->count; j++)
        STRIA_TRY(stria__check_view(s->outs[j], op, name_of(s, j).text));
    return STRIA_OK;
}

/* ---- one pass ------------------------------------------------------------------------------- */

/* Tells whether the results are different values that are computed, and few enough for one pass. */
static bool is_one_pass(struct several *s, int *roots)
{
    for (int j = 0; j < s->count; j++) {
        roots[j] = s->l.node[s->nodes[j]].value;
        if (s->l.value[roots[j]].what <= VALUE_CONSTANT) return false;
        for (int i = 0; i < j; i++)
            if (roots[i] == roots[j]) return false;
    }
    stria__expr_accumulate(&s->l, s->count, roots);
    return stria__pass_fits(&s->l, s->count, roots);
}

static stria_status run_pass(struct several *s, const int *roots)
{
    struct pass_output outputs[STRIA_EXPR_OUTPUTS];
    for (int j = 0; j < s->count; j++)
        outputs[j] = (struct pass_output){roots[j], stria_dtype_of(kind_of(s, j)), s->outs[j]};
    const struct pass *const pass = stria__expr_assemble(&s->l, s->count, outputs, s->l.mask);
    return stria__map_program(&pass->program, pass->views, s->exec, NULL);
}

/* ---- one after the other -------------------------------------------------------------------- */

/* Makes the value of a node an expression of its own, without the nodes behind it. */
static stria_expr part_of(const struct several *s, int j)
{
    /* The evaluation that the expression keeps is not the part's. */
    const stria_expr *const expr = s->expr;
    return (stria_expr){.from = expr->from,
                        .count = s->nodes[j] + 1,
                        .inputs = expr->inputs,
                        .nodes = expr->nodes,
                        .name = expr->name};
}

/* Copies the mask if it lies in an output, which is written before another one is computed. */
static stria_status keep_mask(struct several *s, stria_exec *exec, stria_array *copy)
{
    const stria_view *const mask = exec->mask;
    for (int j = 0; j < s->count && mask && exec->mask == mask; j++) {
        STRIA_TRY(stria__read_apart(copy, mask, s->outs[j]));
        if (copy->view.data != mask->data) exec->mask = &copy->view;
    }
    return STRIA_OK;
}

/* Computes all results before the first one is written, since outputs may be inputs. */
static stria_status run_apart_in(struct several *s, stria_array *made, stria_array *mask)
{
    struct expr_node input = {.what = NODE_INPUT};
    stria_exec exec = s->exec ? *s->exec : (stria_exec){0}, plain = exec;
    plain.mask = NULL;
    plain.hints &= ~(uint32_t)CASTING_HINTS;
    STRIA_TRY(keep_mask(s, &exec, mask));
    for (int j = 0; j < s->count; j++) {
        stria_expr part = part_of(s, j);
        STRIA_TRY(stria_expr_evaluate_new(&made[j], &part, s->n, s->inputs, &plain));
    }
    for (int j = 0; j < s->count; j++) {
        const stria_view *const a = &made[j].view;
        /* An expression of one input writes out = a by the casts and the mask of exec. */
        stria_expr whole = {.count = 1, .inputs = 1, .nodes = &input};
        STRIA_TRY(stria_expr_evaluate(s->outs[j], &whole, 1, &a, &exec));
    }
    return STRIA_OK;
}

static stria_status run_apart(struct several *s)
{
    OWNED_MEMORY(memory, ((size_t)s->count + 1) * sizeof(stria_array));
    stria_array *const made = memory.at;
    if (!made)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for %d arrays", expr_name(s->expr),
                           s->count + 1);
    for (int j = 0; j <= s->count; j++)
        array_none(&made[j]);
    const stria_status status = run_apart_in(s, made, &made[s->count]);
    for (int j = 0; j <= s->count; j++)
        stria_array_release(&made[j]);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static stria_status run_outputs(struct several *s)
{
    int roots[STRIA_EXPR_OUTPUTS];
    if (is_empty(s->outs[0]->ndim, s->outs[0]->shape) || stria__lowered_is_meta(&s->l))
        return STRIA_OK;
    for (int j = 0; j < s->count; j++)
        if (view_is_meta(s->outs[j])) return STRIA_OK;
    STRIA_TRY(stria__expr_check_powers(&s->l, mask_of(s->exec)));
    const stria_status status = is_one_pass(s, roots) ? run_pass(s, roots) : run_apart(s);
    if (status != STRIA_ERR_MEMORY) return status;
    return stria__fail(
        STRIA_ERR_MEMORY, "%s: no memory for the temporaries that outputs of shape %s need",
        expr_name(s->expr), stria__dims_text(s->outs[0]->ndim, s->outs[0]->shape).text);
}

stria_status stria__expr_several(const stria_expr *expr, const char *const *names, int count,
                                 const int *nodes, const stria_view *const *outs, int n,
                                 const stria_view *const *inputs, const stria_exec *exec)
{
    struct several s = {.expr = expr,
                        .count = count,
                        .nodes = nodes,
                        .outs = outs,
                        .n = n,
                        .inputs = inputs,
                        .exec = exec,
                        .names = names};
    OBEYS(exec);
    STRIA_TRY(stria__expr_check_inputs(expr, n, inputs, exec));
    STRIA_TRY(check_nodes(&s));
    STRIA_TRY(check_views(&s));
    STRIA_TRY(stria__expr_lower(&s.l, expr, inputs, exec));
    stria_status status = check_outputs(&s);
    if (status == STRIA_OK) status = run_outputs(&s);
    stria__lowered_free(&s.l);
    return status;
}

stria_status stria_expr_evaluate_several(const stria_view *const *outs, const stria_expr *expr,
                                         int count, const int *nodes, int n,
                                         const stria_view *const *inputs, const stria_exec *exec)
{
    return stria__expr_several(expr, NULL, count, nodes, outs, n, inputs, exec);
}
