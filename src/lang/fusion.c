/* SPDX-License-Identifier: BSD-3-Clause */
#include "fusion.h"

#include <string.h>

#include "base/alloc.h"
#include "recording.h"

static struct pending *find_pending(const struct fusion *fusion, const stria_view *view)
{
    struct pending *at = fusion->first;
    while (at && (!view->buffer || at->buffer != view->buffer))
        at = at->next;
    return at;
}

static bool is_weak(const stria_view *view)
{
    return (view->flags & STRIA_WEAK) != 0;
}

static stria_exec exec_of(const stria_exec *given, stria_promotion rule)
{
    const struct invocation call = {.exec = given, .numpy = rule == STRIA_PROMOTE_NUMPY};
    return stria__call_exec(&call);
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* All of it is computed in the same dtypes by this rule. */
static bool goes_by(const struct pending *p, stria_promotion rule)
{
    const struct math *const math = p->math;
    stria_dtype dtype;
    if (math->rule != rule &&
        (stria_result_dtype(&dtype, math->op, math->count, math->operands, rule) != STRIA_OK ||
         !stria_dtype_equal(dtype, math->promoted)))
        return false;
    for (int i = 0; i < math->count; i++)
        if (p->of[i] && !goes_by(p->of[i], rule)) return false;
    return true;
}

stria_status stria__fuse_prepare(struct fusion *fusion, stria_promotion rule, int count,
                                 const stria_view *const *operands)
{
    int nodes = 1, inputs = 0;
    if (fusion->graph) return STRIA_OK;
    for (int i = 0; i < count; i++) {
        const struct pending *const p = find_pending(fusion, operands[i]);
        if (p && !goes_by(p, rule)) STRIA_TRY(stria__fuse_force(fusion, operands[i]));
        nodes += p ? p->nodes : 1;
        inputs += p ? p->inputs : 1;
    }
    if (nodes <= STRIA_EXPR_NODES && inputs <= STRIA_EXPR_INPUTS) return STRIA_OK;
    for (int i = 0; i < count; i++)
        STRIA_TRY(stria__fuse_force(fusion, operands[i]));
    return STRIA_OK;
}

static void take_operand(struct fusion *fusion, struct pending *p, int i)
{
    const stria_view *const view = p->math->operands[i];
    p->of[i] = find_pending(fusion, view);
    p->nodes += p->of[i] ? p->of[i]->nodes : 1;
    p->inputs += p->of[i] ? p->of[i]->inputs : 1;
    if (is_weak(view))
        p->operands[i].view = *view;
    else if (!p->of[i])
        p->operands[i] = stria_array_share(view);
}

/* The array without memory that computing it would make. */
static stria_status announce(struct fusion *fusion, stria_array *out, const struct math *math)
{
    const stria_exec exec = exec_of(NULL, math->rule);
    const stria_view *views[STRIA_USER_INPUTS];
    stria_view absent[STRIA_USER_INPUTS];
    if (!fusion->nowhere) STRIA_TRY(stria_buffer_meta(&fusion->nowhere, 1));
    for (int i = 0; i < math->count; i++) {
        views[i] = math->operands[i];
        if (is_weak(views[i])) continue;
        absent[i] = *views[i];
        absent[i].buffer = fusion->nowhere;
        views[i] = &absent[i];
    }
    return stria_elementwise_new(out, math->op, math->count, views, &exec);
}

/* An operation as a node of a graph, by its rule. */
static stria_status record_math(stria_graph *graph, stria_array *out, const struct math *math)
{
    int node, operands[STRIA_USER_INPUTS];
    if (math->rule != graph->rule)
        return stria__fail(STRIA_ERR_UNSUPPORTED, "no graph has two rules of promotion");
    for (int i = 0; i < math->count; i++)
        STRIA_TRY(stria__record_operand(graph, &operands[i], math->operands[i]));
    STRIA_TRY(stria_graph_op(graph, &node, math->op, math->count, operands));
    *out = stria_array_share(stria__recorded_view(graph, node));
    return STRIA_OK;
}

stria_status stria__fuse_math(struct fusion *fusion, struct pending **made, stria_array *out,
                              struct math *math, size_t at)
{
    if (fusion->graph) return record_math(fusion->graph, out, math);
    STRIA_TRY(announce(fusion, out, math));
    struct pending *const p = stria__pool_take(fusion->pool, sizeof *p);
    TRY_MEMORY(p);
    p->of = stria__pool_array(fusion->pool, (size_t)math->count, sizeof(struct pending *));
    p->operands = stria__pool_array(fusion->pool, (size_t)math->count, sizeof *p->operands);
    TRY_MEMORY(p->of && p->operands);
    p->math = p->says = math;
    p->at = at;
    p->nodes = 1;
    p->buffer = out->owned;
    for (int i = 0; i < math->count; i++)
        take_operand(fusion, p, i);
    p->next = fusion->first;
    fusion->first = p;
    *made = p;
    return STRIA_OK;
}

/* ---- computing ------------------------------------------------------------------------------ */

/* An expression on its way, and the arrays that it reads. */
struct building {
    stria_expr *expr;
    int count;
    const stria_view *inputs[STRIA_EXPR_INPUTS];
};

static stria_status add_operand(struct building *b, int *node, const stria_view *view)
{
    if (is_weak(view))
        return stria_expr_scalar(b->expr, node, (stria_kind)view->dtype.kind, view->data);
    b->inputs[b->count] = view;
    return stria_expr_input(b->expr, node, b->count++);
}

static stria_status add_math(struct building *b, int *node, const struct pending *p)
{
    int operands[STRIA_USER_INPUTS];
    for (int i = 0; i < p->math->count; i++)
        STRIA_TRY(p->of[i] ? add_math(b, &operands[i], p->of[i])
                           : add_operand(b, &operands[i], &p->operands[i].view));
    return stria_expr_op(b->expr, node, p->math->op, p->math->count, operands);
}

static stria_status explain(const struct building *b, const struct pending *p,
                            const stria_exec *given)
{
    const stria_exec exec = exec_of(given, p->math->rule);
    return stria_expr_explain(p->says->how, sizeof p->says->how, b->expr, &p->array->view, b->count,
                              b->inputs, &exec);
}

/* Into memory laid out as it was announced. */
static stria_status evaluate_into(stria_array *out, const struct fusion *fusion,
                                  const struct building *b, const struct pending *p)
{
    const stria_exec exec = exec_of(fusion->exec, p->math->rule);
    const stria_view *const like = &p->array->view;
    bool meta = false;
    for (int i = 0; i < b->count; i++)
        meta = meta || stria_buffer_is_meta(b->inputs[i]->buffer);
    if (fusion->tells) STRIA_TRY(explain(b, p, fusion->exec));
    if (meta) {
        *out = stria_array_share(like);
        return STRIA_OK;
    }
    STRIA_TRY(stria_empty_strided(out, like->dtype, like->ndim, like->shape, like->strides));
    const stria_status status =
        stria_expr_evaluate(b->expr, &out->view, b->count, b->inputs, &exec);
    if (status != STRIA_OK) stria_array_release(out);
    return status;
}

static stria_status compute(stria_array *out, const struct fusion *fusion, const struct pending *p)
{
    struct building b = {.count = 0};
    int node;
    STRIA_TRY(stria_expr_new(&b.expr));
    stria_status status = add_math(&b, &node, p);
    if (status == STRIA_OK) status = evaluate_into(out, fusion, &b, p);
    stria_expr_free(b.expr);
    return status;
}

static stria_status evaluate_copy(const struct fusion *fusion, bool *done, const stria_view *out,
                                  const struct pending *p)
{
    struct building b = {.count = 0};
    stria_exec exec = exec_of(fusion->exec, p->math->rule);
    int node;
    exec.hints |= STRIA_CASTING_UNSAFE;
    STRIA_TRY(stria_expr_new(&b.expr));
    stria_status status = add_math(&b, &node, p);
    if (status == STRIA_OK && fusion->tells) status = explain(&b, p, fusion->exec);
    *done = status == STRIA_OK &&
            stria_expr_evaluate(b.expr, out, b.count, b.inputs, &exec) == STRIA_OK;
    stria_expr_free(b.expr);
    return status;
}

/* The dims that are reduced, as a set; those that do not exist are refused later. */
static uint64_t set_of(const struct fused_reduction *what)
{
    uint64_t dims = what->count == STRIA_ALL_DIMS ? UINT64_MAX : 0;
    for (int i = 0; i < what->count; i++) {
        const int d = what->dims[i] < 0 ? what->dims[i] + what->self->ndim : what->dims[i];
        if (d >= 0 && d < STRIA_MAX_NDIM) dims |= UINT64_C(1) << d;
    }
    return dims;
}

void stria__fuse_reorder(stria_array *made, stria_view *view, const struct fused_reduction *what)
{
    const int missing = what->self->ndim - view->ndim;
    if (missing < 0 || !what->reordering) return;
    if (what->reordering->start(made, view, set_of(what) >> missing)) *view = made->view;
}

void stria__fuse_reordered(stria_array *made, const struct fused_reduction *what)
{
    if (what->reordering) what->reordering->end(made);
}

/* Where inputs are read across large files, of the same in order. */
static stria_status reduce_expression(stria_array *made, const struct building *b,
                                      const struct fused_reduction *what)
{
    const stria_exec exec = exec_of(what->exec, what->rule);
    STRIA_TRY(stria_expr_reduce_new(made, b->expr, what->op, b->count, b->inputs, what->count,
                                    what->dims, what->options, &exec));
    if (!what->how) return STRIA_OK;
    const stria_status status =
        stria_expr_reduce_explain(what->how, what->size, b->expr, what->op, &made->view, b->count,
                                  b->inputs, what->count, what->dims, what->options, &exec);
    if (status != STRIA_OK) stria_array_release(made);
    return status;
}

/* An input of an expression, which may be put in order. */
struct ordered_input {
    stria_array made;
    stria_view view;
};

static stria_status reduce(stria_array *made, struct pool *pool, const struct building *b,
                           const struct fused_reduction *what)
{
    if (!what->reordering) return reduce_expression(made, b, what);
    struct building ordered = *b;
    struct ordered_input *const inputs = stria__pool_array(pool, (size_t)b->count, sizeof *inputs);
    TRY_MEMORY(inputs);
    for (int i = 0; i < b->count; i++) {
        inputs[i].view = *b->inputs[i];
        ordered.inputs[i] = &inputs[i].view;
        stria__fuse_reorder(&inputs[i].made, &inputs[i].view, what);
    }
    const stria_status status = reduce_expression(made, &ordered, what);
    for (int i = 0; i < b->count; i++)
        stria__fuse_reordered(&inputs[i].made, what);
    return status;
}

/* A reduction as a node; one with options that nodes do not have is a call of its function. */
static stria_status record_reduction(stria_graph *graph, bool *done, stria_array *made,
                                     const struct fused_reduction *what)
{
    int self, node;
    *done = what->rule == graph->rule && !what->options->where && !what->options->initial;
    if (!*done) return STRIA_OK;
    STRIA_TRY(stria__record_operand(graph, &self, what->self));
    STRIA_TRY(
        stria_graph_reduce(graph, &node, what->op, self, what->count, what->dims, what->options));
    *made = stria_array_share(stria__recorded_view(graph, node));
    return STRIA_OK;
}

stria_status stria__fuse_reduce(struct fusion *fusion, bool *done, stria_array *made,
                                const struct fused_reduction *what)
{
    if (fusion->graph) return record_reduction(fusion->graph, done, made, what);
    const struct pending *const p = find_pending(fusion, what->self);
    struct building b = {.count = 0};
    int node;
    *done = p && goes_by(p, what->rule);
    if (!*done) return p ? stria__fuse_force(fusion, what->self) : STRIA_OK;
    STRIA_TRY(stria_expr_new(&b.expr));
    stria_status status = add_math(&b, &node, p);
    if (status == STRIA_OK) status = reduce(made, fusion->pool, &b, what);
    stria_expr_free(b.expr);
    return status;
}

static stria_status open_pending(const struct fusion *fusion, const struct pending *p,
                                 struct fused *out)
{
    struct building b = {.count = 0};
    int node;
    STRIA_TRY(stria_expr_new(&b.expr));
    stria_status status = add_math(&b, &node, p);
    if (status == STRIA_OK) status = explain(&b, p, fusion->exec);
    if (status != STRIA_OK) {
        stria_expr_free(b.expr);
        return status;
    }
    *out = (struct fused){.expr = b.expr, .rule = p->math->rule, .count = b.count};
    memcpy(out->inputs, b.inputs, sizeof b.inputs);
    return STRIA_OK;
}

stria_status stria__fuse_open(struct fusion *fusion, const stria_view *view, struct fused *out,
                              bool *waits)
{
    struct pending *const p = find_pending(fusion, view);
    *waits = p && p->array;
    if (!*waits) return STRIA_OK;
    const stria_status status = open_pending(fusion, p, out);
    return status == STRIA_OK ? status : stria__fail_library(fusion->failure, status, p->at);
}

void stria__fuse_close(struct fused *fused)
{
    stria_expr_free(fused->expr);
    fused->expr = NULL;
}

stria_status stria__fuse_block(const struct fused *fused, const int64_t *start,
                               const stria_view *out, fuse_bring *bring, void *context)
{
    const stria_exec exec = exec_of(NULL, fused->rule);
    const stria_view *views[STRIA_EXPR_INPUTS];
    OWNED_MEMORY(memory, (size_t)(fused->count + 1) * sizeof(stria_view));
    stria_view *const parts = memory.at;
    TRY_MEMORY(parts);
    for (int i = 0; i < fused->count; i++) {
        parts[i] = *fused->inputs[i];
        views[i] = &parts[i];
        const int missing = out->ndim - parts[i].ndim;
        for (int d = 0; d < parts[i].ndim; d++)
            if (parts[i].shape[d] > 1)
                STRIA_TRY(stria_narrow(&parts[i], &parts[i], d, start[d + missing],
                                       out->shape[d + missing]));
        if (bring) STRIA_TRY(bring(context, i, &parts[i]));
    }
    return stria_expr_evaluate(fused->expr, out, fused->count, views, &exec);
}

/* Nobody can ask for it any more. Others that are made of it may be computed yet. */
static void retire(struct fusion *fusion, struct pending *p)
{
    struct pending **at = &fusion->first;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    p->next = fusion->gone;
    fusion->gone = p;
}

static stria_status force(struct fusion *fusion, struct pending *p)
{
    stria_array made = {0};
    const stria_status status = compute(&made, fusion, p);
    if (status != STRIA_OK) return stria__fail_library(fusion->failure, status, p->at);
    const uint32_t class_bits = p->array->view.flags & STRIA_CLASS_MASK;
    stria_array_release(p->array);
    made.view.flags |= class_bits;
    *p->array = made;
    retire(fusion, p);
    return STRIA_OK;
}

stria_status stria__fuse_force(struct fusion *fusion, const stria_view *view)
{
    struct pending *const p = find_pending(fusion, view);
    return p && p->array ? force(fusion, p) : STRIA_OK;
}

stria_status stria__fuse_into(struct fusion *fusion, bool *done, const stria_view *out,
                              const stria_view *view)
{
    const struct pending *const p = find_pending(fusion, view);
    *done = false;
    if (!p || !p->array || find_pending(fusion, out)) return STRIA_OK;
    for (struct pending *other = fusion->first, *next; other; other = next) {
        next = other->next;
        if (other->array && other != p) STRIA_TRY(force(fusion, other));
    }
    const stria_status status = evaluate_copy(fusion, done, out, p);
    return status == STRIA_OK ? status : stria__fail_library(fusion->failure, status, p->at);
}

stria_status stria__fuse_force_all(struct fusion *fusion)
{
    for (struct pending *p = fusion->first, *next; p; p = next) {
        next = p->next;
        if (p->array) STRIA_TRY(force(fusion, p));
    }
    return STRIA_OK;
}

void stria__fuse_forget(struct fusion *fusion, const stria_array *array)
{
    struct pending *p = fusion->first;
    while (p && p->array != array)
        p = p->next;
    if (p) retire(fusion, p); /* another buffer may come to lie at its address */
}

static void release(struct pending *first)
{
    for (; first; first = first->next)
        for (int i = 0; i < first->math->count; i++)
            stria_array_release(&first->operands[i]);
}

void stria__fuse_end(struct fusion *fusion)
{
    release(fusion->first);
    release(fusion->gone);
    stria_buffer_release(fusion->nowhere);
    *fusion = (struct fusion){.pool = NULL};
}
