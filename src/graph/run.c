/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs prepared graphs: checks all inputs and outputs first, then takes one step after the
 * other. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "ops/operands.h"

/* Arrays, and bytes of their elements, that lie on the stack, so that small graphs allocate only
 * their results. */
enum { FEW = 2, ROOM = 1024 };

struct running {
    const stria_graph *g;
    const stria_view *const *inputs;
    /* The arrays to write results into; NULL: all results are new. */
    const stria_view *const *outs;
    stria_array *made; /* The arrays that steps made, by slot. */
    const stria_exec *exec;
    const stria_view *block; /* The part of the only result that is computed; NULL: all of it. */
    char *room;              /* Room for elements on the stack, of which `left` bytes are free. */
    int64_t left;
};

/* ---- checks ---------------------------------------------------------------------------------- */

bool stria__graph_takes(const stria_graph *g, int i, const stria_view *a)
{
    const stria_view *const like = &g->node[g->input[i]]->is.view;
    const uint32_t bits = ~(uint32_t)STRIA_READONLY;
    if (!a || !a->data || a->ndim != like->ndim || (a->flags ^ like->flags) & bits ||
        !stria_dtype_equal(a->dtype, like->dtype) || view_is_meta(a))
        return false;
    const size_t size = (size_t)a->ndim * sizeof *a->shape;
    return !memcmp(a->shape, like->shape, size) && !memcmp(a->strides, like->strides, size);
}

static stria_status check_inputs(const stria_graph *g, int n, const stria_view *const *inputs,
                                 const stria_exec *exec)
{
    if (!g) return stria__fail(STRIA_ERR_ARGUMENT, "graph: graph is NULL");
    if (!g->prepared) return stria__fail(STRIA_ERR_ARGUMENT, "graph: the graph is not prepared");
    if (n != g->inputs)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: %d inputs, takes %d", n, g->inputs);
    if (n && !inputs) return stria__fail(STRIA_ERR_ARGUMENT, "graph: inputs is NULL");
    for (int i = 0; i < n; i++) {
        if (stria__graph_takes(g, i, inputs[i])) continue;
        const stria_view *const like = &g->node[g->input[i]]->is.view, *const a = inputs[i];
        char name[24];
        (void)snprintf(name, sizeof name, "input %d", i);
        STRIA_TRY(stria__check_view(a, "graph", name));
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "graph: input %d (node %d) has shape %s and strides %s%s; the graph was made for %s "
            "with strides %s%s",
            i, g->input[i], stria__dims_text(a->ndim, a->shape).text,
            stria__dims_text(a->ndim, a->strides).text, view_is_meta(a) ? " and no memory" : "",
            stria__dims_text(like->ndim, like->shape).text,
            stria__dims_text(like->ndim, like->strides).text,
            stria_dtype_equal(a->dtype, like->dtype) ? "" : " and another dtype");
    }
    return exec ? stria__check_exec(exec, "graph") : STRIA_OK;
}

/* Tells whether the step that writes result j may write exactly the elements of input i: a pass of
 * one result that reads the input alone, not other views of it or what a function made of it. */
static bool writes_in_place(const stria_graph *g, int j, int i)
{
    if (g->written[j] >= g->steps) return true;
    const struct graph_step *const step = &g->step[g->written[j]];
    const stria_view *const input = &g->node[g->input[i]]->is.view;
    if (step->what != STEP_PASS || step->count > 1) return false;
    for (int k = 0; k < step->inputs; k++) {
        const struct graph_node *const read = g->node[step->input[k]], *base = read;
        while (base->kind == GRAPH_VIEW)
            base = g->node[base->operand[0]];
        if (base->kind == GRAPH_ITEM) return false;
        if (base->kind == GRAPH_INPUT && base->op == i && !stria_same_view(&read->is.view, input))
            return false;
    }
    return true;
}

/* With STRIA_NO_OVERLAP the step that writes an output would refuse inputs after others have
 * written; they are refused here. */
static stria_status check_apart(const struct running *r, int j)
{
    const stria_graph *const g = r->g;
    const bool strict = stria__forbids_overlap(r->exec);
    for (int i = 0; i < g->inputs; i++) {
        const bool later = graph_last_read(g, i) > g->written[j];
        if (!later && !(strict && graph_last_read(g, i) == g->written[j])) continue;
        const stria_overlap found = stria_shares_memory(r->outs[j], r->inputs[i], OVERLAP_WORK);
        if (found == STRIA_OVERLAP_NO ||
            (!later && found == STRIA_OVERLAP_SAME && writes_in_place(g, j, i)))
            continue;
        return stria__fail(STRIA_ERR_OVERLAP,
                           "graph: out %d (node %d) shares bytes with input %d, which %s; give the "
                           "result memory of its own",
                           j, g->result[j], i,
                           later ? "is read after it was written" : "STRIA_NO_OVERLAP forbids");
    }
    for (int k = 0; k < j; k++)
        if (stria_shares_memory(r->outs[j], r->outs[k], OVERLAP_WORK) != STRIA_OVERLAP_NO)
            return stria__fail(STRIA_ERR_OVERLAP, "graph: out %d and out %d share bytes", k, j);
    return STRIA_OK;
}

static stria_status check_outs(const struct running *r)
{
    const stria_graph *const g = r->g;
    if (!r->outs) return stria__fail(STRIA_ERR_ARGUMENT, "graph: outs is NULL");
    for (int j = 0; j < g->results; j++) {
        const stria_view *const like = stria_graph_geometry(g, g->result[j]), *const out =
                                                                                  r->outs[j];
        char name[24];
        (void)snprintf(name, sizeof name, "out %d", j);
        STRIA_TRY(stria__check_view(out, "graph", name));
        STRIA_TRY(stria__check_writable(out, "graph", name));
        STRIA_TRY(stria__check_memory(out, "graph", name));
        if (!view_same_shape(out, like))
            return stria__fail(STRIA_ERR_SHAPE, "graph: %s has shape %s, the result has %s", name,
                               stria__dims_text(out->ndim, out->shape).text,
                               stria__dims_text(like->ndim, like->shape).text);
        STRIA_TRY(stria__check_result(like->dtype, out, stria__casting_of(r->exec), "graph", name));
        STRIA_TRY(stria__check_itself(out, "graph", name));
        STRIA_TRY(check_apart(r, j));
    }
    return STRIA_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static const stria_view *value_of(const struct running *r, int i)
{
    const struct graph_node *const node = r->g->node[i];
    return node->kind == GRAPH_INPUT    ? r->inputs[node->op]
           : node->kind == GRAPH_NUMBER ? &node->is.view
                                        : &r->made[node->slot].view;
}

static void list_inputs(const struct running *r, const struct graph_step *step,
                        const stria_view **views)
{
    for (int k = 0; k < step->inputs; k++)
        views[k] = value_of(r, step->input[k]);
}

/* Makes memory for the part of an array that a block needs. */
static stria_status make_part(stria_array *made, const stria_view *like, const stria_view *block)
{
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < like->ndim; d++)
        shape[d] = like->shape[d] == 1 ? 1 : block->shape[d + block->ndim - like->ndim];
    return stria_empty(made, like->dtype, like->ndim, shape);
}

/* Finds where a node is written: into its result, or into new memory of its layout. */
static stria_status place_of(struct running *r, const stria_view **out, int i)
{
    const struct graph_node *const node = r->g->node[i];
    const stria_view *const like = &node->is.view;
    if (r->outs && node->result >= 0) {
        *out = r->outs[node->result];
        return STRIA_OK;
    }
    stria_array *const made = &r->made[node->slot];
    *out = &made->view;
    if (r->block) return make_part(made, like, r->block);
    const int64_t bytes = (stria_nbytes(like) + STRIA_ALIGNMENT - 1) & -STRIA_ALIGNMENT;
    if (!node->shared && bytes <= r->left) {
        view_copy(&made->view, like);
        made->view.buffer = NULL;
        made->view.data = r->room + (r->left -= bytes);
        return STRIA_OK;
    }
    return stria_empty_strided(made, like->dtype, like->ndim, like->shape, like->strides);
}

static stria_status run_pass(struct running *r, const struct graph_step *step)
{
    const stria_view *views[STRIA_EXPR_INPUTS], *outs[GRAPH_TOGETHER];
    list_inputs(r, step, views);
    for (int j = 0; j < step->count; j++)
        STRIA_TRY(place_of(r, &outs[j], step->node[j]));
    if (step->count == 1)
        return stria_expr_evaluate(outs[0], step->expr, step->inputs, views, r->exec);
    return stria_expr_evaluate_several(outs, step->expr, step->count, step->number, step->inputs,
                                       views, r->exec);
}

static stria_status run_fold(struct running *r, const struct graph_step *step)
{
    const stria_view *views[STRIA_EXPR_INPUTS];
    const struct graph_node *const node = r->g->node[step->node[0]];
    const struct graph_reduction *const what = node->reduction;
    const stria_reduction op = (stria_reduction)node->op;
    const stria_view *out;
    list_inputs(r, step, views);
    STRIA_TRY(place_of(r, &out, step->node[0]));
    return step->expr ? stria_expr_reduce(out, step->expr, op, step->inputs, views, what->count,
                                          what->dims, &what->options, r->exec)
                      : stria_reduce_dims(out, op, views[0], what->count, what->dims,
                                          &what->options, r->exec);
}

static stria_status run_product(struct running *r, const struct graph_step *step)
{
    const stria_view *views[STRIA_EXPR_INPUTS + GRAPH_TOGETHER], *outs[GRAPH_TOGETHER];
    for (int j = 0; j < step->count; j++)
        STRIA_TRY(place_of(r, &outs[j], step->node[j]));
    list_inputs(r, step, views);
    return stria__graph_multiply(r->g, step, outs, views, r->exec);
}

static stria_status run_view(struct running *r, const struct graph_step *step)
{
    const struct graph_node *const node = r->g->node[step->node[0]];
    const stria_view *const base = value_of(r, node->operand[0]), *const like = &node->is.view;
    stria_array *const made = &r->made[node->slot];
    view_copy(&made->view, like);
    made->view.data =
        base->data + (stria_offset(like) - stria_offset(&r->g->node[node->operand[0]]->is.view));
    made->view.buffer = base->buffer;
    made->view.flags |= base->flags & STRIA_READONLY;
    if (!node_is_given(r->g->node[node->operand[0]]))
        made->owned = stria_buffer_retain(base->buffer);
    return STRIA_OK;
}

/* Checks that a function made an array of the geometry it promised, which later steps rely on. */
static stria_status check_made(stria_array *made, const struct graph_node *item, const char *name)
{
    const stria_view *const like = &item->is.view;
    const uint32_t signs = STRIA_CONJ | STRIA_NEG;
    STRIA_TRY(stria__check_view(&made->view, name, "the result"));
    if (!view_same_shape(&made->view, like) || !stria_dtype_equal(made->view.dtype, like->dtype))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "graph: %s gave an array of shape %s, or of another dtype; it promised "
                           "%s",
                           name, stria__dims_text(made->view.ndim, made->view.shape).text,
                           stria__dims_text(like->ndim, like->shape).text);
    if (!((made->view.flags ^ like->flags) & signs) &&
        !memcmp(made->view.strides, like->strides, (size_t)like->ndim * sizeof *like->strides))
        return STRIA_OK;
    OWNED_ARRAY(laid);
    STRIA_TRY(stria_empty_strided(&laid, like->dtype, like->ndim, like->shape, like->strides));
    laid.view.flags |= like->flags & signs; /* Later steps read what lies there through them. */
    STRIA_TRY(stria_copy(&laid.view, &made->view, NULL));
    array_share(made, &laid.view);
    return STRIA_OK;
}

static stria_status run_call(struct running *r, const struct graph_step *step)
{
    const int first = step->node[0];
    const struct graph_node *const node = r->g->node[first];
    const struct graph_call *const call = node->call;
    OWNED_MEMORY(room, ((size_t)step->inputs + 1) * sizeof(stria_view *));
    if (!room.at) return stria__fail(STRIA_ERR_MEMORY, "graph: no memory for operands");
    const stria_view **const views = room.at;
    list_inputs(r, step, views);
    STRIA_TRY(call->function(call->context, call->count, &r->made[r->g->node[first + 1]->slot],
                             step->inputs, views, r->exec));
    for (int i = 1; i <= call->count; i++) {
        const struct graph_node *const item = r->g->node[first + i];
        STRIA_TRY(check_made(&r->made[item->slot], item, call->name));
    }
    return STRIA_OK;
}

/* Releases the array of a node after the last step that needs it. */
static void free_array(const struct running *r, int i, int step)
{
    const struct graph_node *const node = r->g->node[i];
    if (node->slot >= 0 && node->last == step) array_own(&r->made[node->slot], NULL);
}

static stria_status run_step(struct running *r, const struct graph_step *step)
{
    static stria_status (*const ways[])(struct running *,
                                        const struct graph_step *) = {[STEP_PASS] = run_pass,
                                                                      [STEP_FOLD] = run_fold,
                                                                      [STEP_VIEW] = run_view,
                                                                      [STEP_CALL] = run_call,
                                                                      [STEP_PRODUCT] = run_product};
    STRIA_TRY(ways[step->what](r, step));
    const int s = (int)(step - r->g->step), first = step->node[0];
    for (int k = 0; k < step->inputs; k++)
        free_array(r, step->input[k], s);
    for (int i = 1; step->what == STEP_CALL && i <= r->g->node[first]->call->count; i++)
        free_array(r, first + i, s);
    return STRIA_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Hands out all results. Those that are shared have references first, in the places behind the
 * slots, since the caller's arrays may be inputs, or own the memory of one. */
static void deliver_new(const struct running *r, stria_array *made)
{
    const stria_graph *const g = r->g;
    stria_array *const shared = &r->made[g->slots];
    int count = 0;
    for (int j = 0; j < g->results; j++)
        if (g->node[g->result[j]]->result != j)
            array_share(&shared[count++], value_of(r, g->result[j]));
    count = 0;
    for (int j = 0; j < g->results; j++) {
        const struct graph_node *const node = g->node[g->result[j]];
        stria_array *const from = node->result == j ? &r->made[node->slot] : &shared[count++];
        view_copy(&made[j].view, &from->view);
        array_own(&made[j], from->owned);
        from->owned = NULL;
    }
}

/* Copies the results that no step has written to their places. */
static stria_status copy_results(const struct running *r)
{
    for (int j = 0; j < r->g->results; j++)
        if (r->g->node[r->g->result[j]]->result != j)
            STRIA_TRY(stria_copy(r->outs[j], value_of(r, r->g->result[j]), NULL));
    return STRIA_OK;
}

static stria_status run_steps(struct running *r, stria_array *results)
{
    const stria_graph *const g = r->g;
    const int arrays = g->slots + (results ? g->shared : 0);
    stria_array few[FEW];
    _Alignas(STRIA_ALIGNMENT) char room[ROOM];
    struct memory many = {.at = NULL};
    r->made = few;
    r->room = room;
    r->left = ROOM;
    if (arrays > FEW) {
        many = stria__memory((size_t)arrays * sizeof *r->made);
        if (!many.at)
            return stria__fail(STRIA_ERR_MEMORY, "graph: no memory for %d arrays", arrays);
        r->made = many.at;
    }
    for (int i = 0; i < arrays; i++)
        array_none(&r->made[i]);
    stria_status status = STRIA_OK;
    for (int s = 0; s < g->steps && status == STRIA_OK; s++)
        status = run_step(r, &g->step[s]);
    if (status == STRIA_OK && results) deliver_new(r, results);
    if (status == STRIA_OK && !results) status = copy_results(r);
    for (int i = 0; i < arrays; i++)
        array_own(&r->made[i], NULL);
    stria__memory_free(&many);
    return status;
}

stria_status stria_graph_run(const stria_view *const *outs, const stria_graph *g, int n,
                             const stria_view *const *inputs, const stria_exec *exec)
{
    COMPUTES(exec);
    STRIA_TRY(check_inputs(g, n, inputs, exec));
    const stria_exec how = graph_exec(g, exec);
    struct running r = {.g = g, .inputs = inputs, .outs = outs, .exec = &how};
    STRIA_TRY(check_outs(&r));
    return run_steps(&r, NULL);
}

stria_status stria_graph_run_new(stria_array *outs, const stria_graph *g, int n,
                                 const stria_view *const *inputs, const stria_exec *exec)
{
    COMPUTES(exec);
    if (!outs) return stria__fail(STRIA_ERR_ARGUMENT, "graph: outs is NULL");
    STRIA_TRY(check_inputs(g, n, inputs, exec));
    const stria_exec how = graph_exec(g, exec);
    struct running r = {.g = g, .inputs = inputs, .exec = &how};
    return run_steps(&r, outs);
}

stria_status stria__graph_run_bound(const stria_graph *g, stria_array *made, const stria_view *out,
                                    const stria_view *const *inputs, const stria_exec *exec)
{
    const stria_exec how = graph_exec(g, exec);
    struct running r = {.g = g, .inputs = inputs, .outs = out ? &out : NULL, .exec = &how};
    if (out) STRIA_TRY(check_outs(&r));
    return run_steps(&r, made);
}

stria_status stria__graph_run_block(const stria_graph *g, const stria_view *out,
                                    const stria_view *const *inputs, const stria_exec *exec)
{
    const stria_exec how = graph_exec(g, exec);
    struct running r = {.g = g, .inputs = inputs, .outs = &out, .exec = &how, .block = out};
    return run_steps(&r, NULL);
}

stria_status stria_graph_prepare(stria_graph *g, int count, const int *results)
{
    if (!g) return stria__fail(STRIA_ERR_ARGUMENT, "graph: graph is NULL");
    if (g->prepared) return stria__fail(STRIA_ERR_ARGUMENT, "graph: the graph is prepared already");
    if (count < 1 || count > STRIA_GRAPH_NODES || !results)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: %d results", count);
    for (int j = 0; j < count; j++)
        if (!stria_graph_geometry(g, results[j]))
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "graph: result %d is node %d, which is no array of the graph", j,
                               results[j]);
    g->results = count;
    const stria_status status = stria__graph_cut(g, results);
    for (int j = 0; j < count; j++)
        g->node[results[j]]->shared = true;
    for (int s = 0; s < g->steps; s++)
        for (int k = 0; k < g->step[s].inputs; k++)
            if (g->step[s].what == STEP_VIEW || g->step[s].what == STEP_CALL)
                g->node[g->step[s].input[k]]->shared = true;
    if (status != STRIA_OK) stria__graph_forget(g);
    g->prepared = status == STRIA_OK;
    return status;
}
