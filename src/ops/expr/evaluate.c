/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates and explains expressions, pass by pass. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ops/expr/ready.h"
#include "ops/operands.h"

/* ---- explanations --------------------------------------------------------------------------- */

/* Writes the instructions of a pass: "subtract, multiply: ". */
static void say_instructions(struct written *text, const struct lowered *l, int root, bool cast,
                             bool mask)
{
    bool first = true;
    for (int i = 0; i <= root; i++) {
        const struct lowered_value *const v = &l->value[i];
        if (!v->needed || v->what <= VALUE_CONSTANT || (v->cut && i != root)) continue;
        stria__print(text, "%s", first ? "" : ", ");
        if (v->weights > 0)
            stria__print(text, "weighted sum of %d", v->count);
        else
            stria__print(text, "%s%s", v->what == VALUE_CAST ? "cast to " : "",
                         v->what == VALUE_CAST ? stria__dtype_text(v->dtype).text
                                               : stria_op_name(v->op));
        first = false;
    }
    stria__print(text, "%s%s: ", cast ? ", cast" : "", mask ? ", mask" : "");
}

/* ---- passes --------------------------------------------------------------------------------- */

void stria__say_pass(const struct expr_evaluation *e, int root, bool cast, bool mask)
{
    if (e->passes > 1) stria__print(e->text, "%spass %d: ", e->pass ? "; " : "", e->pass + 1);
    say_instructions(e->text, &e->l, root, cast, mask);
}

static stria_status run_pass(struct expr_evaluation *e, int root, stria_dtype dtype,
                             const stria_view *to)
{
    const struct pass_output output = {root, dtype, to};
    const struct pass *const pass =
        stria__expr_assemble(&e->l, 1, &output, to == e->out ? e->l.mask : NULL);
    if (!e->text) return stria__map_program(&pass->program, pass->views, e->exec, NULL);
    stria__say_pass(e, root, pass->casts_result, pass->program.mask != 0);
    const stria_status status = stria__map_program_explain(
        written_end(e->text), written_left(e->text), &pass->program, pass->views, e->exec);
    e->text->used += strlen(written_end(e->text));
    return status;
}

/* Copies with exec, but without the hints that copies do not take. */
static stria_status copy_value(const stria_view *out, const stria_view *from,
                               const stria_exec *exec)
{
    stria_exec plain;
    if (!exec) return stria_copy(out, from, NULL);
    plain = *exec;
    plain.hints &= ~(uint32_t)CASTING_HINTS;
    return stria_copy(out, from, &plain);
}

void stria__lowered_view(stria_view *out, const struct lowered *l, int root)
{
    const struct lowered_value *const v = &l->value[root];
    *out = stria__lowered_source(l, root, lowered_dtype(l));
    if (v->what != VALUE_LEAF) return;
    const stria_dtype dtype = out->dtype;
    view_copy(out, l->leaf[v->index]);
    out->dtype = dtype;
}

/* Writes a result that is an input, or the same for all elements. */
static stria_status copy_root(struct expr_evaluation *e, int root)
{
    stria_view from;
    const bool leaf = e->l.value[root].what == VALUE_LEAF;
    stria__lowered_view(&from, &e->l, root);
    if (!e->text) return copy_value(e->out, &from, e->exec);
    stria__print(e->text, leaf ? "copies an input" : "fills with a constant");
    return STRIA_OK;
}

/* Makes the array of a value that is cut. */
static stria_status make_temporary(struct expr_evaluation *e, int root)
{
    const stria_view *views[ARRAYS];
    int leaves[ARRAYS];
    struct lowered *const l = &e->l;
    const int count = stria__pass_leaves(l, root, leaves);
    const stria_allocator from = l->from;
    for (int k = 0; k < count; k++) {
        const struct lowered_value *const v = &l->value[leaves[k]];
        views[k] = v->what == VALUE_LEAF ? l->leaf[v->index] : &v->made->view;
    }
    stria_array *const made = from.alloc(sizeof *made, STRIA_ALIGNMENT, from.context);
    if (!made) return stria__fail(STRIA_ERR_MEMORY, "expr: no memory for a temporary");
    array_none(made);
    const stria_status status =
        stria__make_result(made, "expr", count, views, l->value[root].dtype);
    if (status == STRIA_OK)
        l->value[root].made = made;
    else
        from.free(made, sizeof *made, from.context);
    return status;
}

static void release_temporary(struct lowered *l, struct lowered_value *v)
{
    if (!v->made) return;
    stria_array_release(v->made);
    l->from.free(v->made, sizeof *v->made, l->from.context);
    v->made = NULL;
}

static stria_status run_cut(struct expr_evaluation *e, int i)
{
    struct lowered_value *const v = &e->l.value[i];
    STRIA_TRY(make_temporary(e, i));
    STRIA_TRY(run_pass(e, i, v->dtype, &v->made->view));
    for (int k = 0; k < i; k++)
        if (e->l.value[k].cut && e->l.value[k].reader == i)
            release_temporary(&e->l, &e->l.value[k]);
    e->pass++;
    return STRIA_OK;
}

stria_status stria__expr_run_passes(struct expr_evaluation *e)
{
    const int root = lowered_root(&e->l);
    const stria_dtype dtype = lowered_dtype(&e->l);
    if (e->l.value[root].what <= VALUE_CONSTANT && (!e->l.mask || e->text))
        return copy_root(e, root);
    stria__expr_accumulate(&e->l, 1, &root);
    e->passes = stria__expr_cut(&e->l);
    stria_status status = STRIA_OK;
    for (int i = 0; i < root && e->passes > 1 && status == STRIA_OK; i++)
        if (e->l.value[i].cut) status = run_cut(e, i);
    if (status == STRIA_OK) status = e->last ? e->last(e, root) : run_pass(e, root, dtype, e->out);
    for (int i = 0; i < root && e->passes > 1; i++)
        release_temporary(&e->l, &e->l.value[i]);
    return status;
}

bool stria__lowered_is_meta(const struct lowered *l)
{
    bool meta = l->mask && view_is_meta(l->mask);
    for (int i = 0; i < l->leaves; i++)
        meta = meta || view_is_meta(l->leaf[i]);
    return meta;
}

stria_status stria__expr_check_powers(const struct lowered *l, const stria_view *mask)
{
    for (int i = 0; i < l->values; i++) {
        const struct lowered_value *const v = &l->value[i];
        if (v->what != VALUE_KERNEL || v->op != STRIA_POW) continue;
        const struct op_types types = {.kernel = v->dtype};
        int b = v->operand[1];
        while (l->value[b].what == VALUE_CAST)
            b = l->value[b].operand[0];
        const stria_view constant = stria__lowered_source(l, b, l->value[b].dtype);
        if (l->value[b].what == VALUE_LEAF)
            STRIA_TRY(stria__check_exponents(&types, l->leaf[l->value[b].index], mask));
        else if (l->value[b].what == VALUE_CONSTANT)
            STRIA_TRY(stria__check_exponents(&types, &constant, mask));
    }
    return STRIA_OK;
}

/* Evaluates a checked and lowered expression into e->out. MEMORY. */
static stria_status run_passes(struct expr_evaluation *e)
{
    if (e->text) *written_end(e->text) = '\0';
    if (is_empty(e->out->ndim, e->out->shape)) return STRIA_OK;
    if (!e->text && (view_is_meta(e->out) || stria__lowered_is_meta(&e->l))) return STRIA_OK;
    if (!e->text) STRIA_TRY(stria__expr_check_powers(&e->l, mask_of(e->exec)));
    const stria_status status = stria__expr_run_passes(e);
    if (status != STRIA_ERR_MEMORY) return status;
    return stria__fail(STRIA_ERR_MEMORY,
                       "expr: no memory for the temporaries that an out of shape %s needs",
                       stria__dims_text(e->out->ndim, e->out->shape).text);
}

/* ---- public --------------------------------------------------------------------------------- */

static stria_status evaluate(const stria_expr *expr, const stria_view *out, int n,
                             const stria_view *const *inputs, const stria_exec *exec,
                             struct written *text)
{
    stria_status status;
    if (!text && stria__ready_run(&status, expr, out, n, inputs, exec)) return status;
    OWNED_EVALUATION e = {.out = out, .exec = exec, .text = text};
    STRIA_TRY(stria__expr_check_inputs(expr, n, inputs, exec));
    STRIA_TRY(stria__check_view(out, "expr", "out"));
    STRIA_TRY(stria__expr_lower(&e.l, expr, inputs, exec));
    STRIA_TRY(stria__expr_check_output(expr, "out", out, inputs, lowered_dtype(&e.l), exec));
    STRIA_TRY(run_passes(&e));
    stria__ready_keep(expr, &e, inputs, false);
    return STRIA_OK;
}

stria_status stria_expr_evaluate(const stria_view *out, const stria_expr *expr, int n,
                                 const stria_view *const *inputs, const stria_exec *exec)
{
    return evaluate(expr, out, n, inputs, exec, NULL);
}

stria_status stria_expr_explain(char *text, size_t size, size_t *length, const stria_view *out,
                                const stria_expr *expr, int n, const stria_view *const *inputs,
                                const stria_exec *exec)
{
    if (!text || !size)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr_explain: there is no room for text");
    struct written room = {text, size, 0};
    const stria_status status = evaluate(expr, out, n, inputs, exec, &room);
    if (length) *length = room.used;
    return status;
}

stria_status stria_expr_evaluate_new(stria_array *out, const stria_expr *expr, int n,
                                     const stria_view *const *inputs, const stria_exec *exec)
{
    stria_status status;
    MAKES(made, out, "expr");
    if (stria__ready_run_new(&status, &made, expr, n, inputs, exec))
        return stria__deliver(out, &made, status);
    OWNED_EVALUATION e = {.exec = exec};
    const stria_view *views[STRIA_EXPR_INPUTS + 1];
    int numbers[STRIA_EXPR_INPUTS];
    STRIA_TRY(stria__expr_check_inputs(expr, n, inputs, exec));
    int count = stria__expr_inputs(expr, inputs, views, numbers);
    STRIA_TRY(stria__expr_lower(&e.l, expr, inputs, exec));
    if (e.l.mask) views[count++] = e.l.mask;
    STRIA_TRY(stria__make_result(&made, "expr", count, views, lowered_dtype(&e.l)));
    e.out = &made.view;
    if (e.l.mask && !view_is_meta(e.out)) STRIA_TRY(stria__fill_zero(e.out));
    STRIA_TRY(run_passes(&e));
    stria__ready_keep(expr, &e, inputs, true);
    return stria__deliver(out, &made, STRIA_OK);
}

stria_status stria_expr_result_dtype(stria_dtype *out, const stria_expr *expr, int n,
                                     const stria_view *const *inputs, stria_promotion rule)
{
    struct lowered l;
    const stria_exec exec = {.hints = rule == STRIA_PROMOTE_NUMPY ? STRIA_PROMOTE_AS_NUMPY : 0};
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "expr: out is NULL");
    if (rule != STRIA_PROMOTE_TORCH && rule != STRIA_PROMOTE_NUMPY)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: there is no rule %d", (int)rule);
    STRIA_TRY(stria__expr_check_inputs(expr, n, inputs, NULL));
    STRIA_TRY(stria__expr_lower(&l, expr, inputs, &exec));
    *out = lowered_dtype(&l);
    stria__lowered_free(&l);
    return STRIA_OK;
}

/* The name of an input in messages, "input 3", or "a" and "b" for functions; written only if a
 * check fails, as that takes longer than checks. */
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

static stria_status check_input(const stria_view *view, const char *op, const char *name)
{
    STRIA_TRY(stria__check_view(view, op, name));
    return view_is_weak(view) ? stria__check_weak(view, op, name) : STRIA_OK;
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
        if (check_input(views[i], op, "input") == STRIA_OK) continue;
        return check_input(views[i], op, name_of(expr, numbers[i]).text);
    }
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
        if (stria__check_broadcasts(&o, views[i], "input") != STRIA_OK)
            return stria__check_broadcasts(&o, views[i], name_of(expr, numbers[i]).text);
    if (mask_of(exec)) STRIA_TRY(stria__check_broadcasts(&o, exec->mask, "where"));
    STRIA_TRY(stria__check_result(result, out, stria__casting_of(exec), o.op, name));
    STRIA_TRY(stria__check_itself(out, o.op, name));
    if (!stria__forbids_overlap(exec)) return STRIA_OK;
    for (int i = 0; i < count; i++)
        STRIA_TRY(stria__check_apart(&apart, &o, views[i], name_of(expr, numbers[i]).text, true));
    return exec->mask ? stria__check_apart(&apart, &o, exec->mask, "where", true) : STRIA_OK;
}
