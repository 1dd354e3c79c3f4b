/* SPDX-License-Identifier: BSD-3-Clause */
#include "waiting.h"

#include <string.h>

#include "base/alloc.h"
#include "recording.h"

enum { MOST_NODES = 1000 /* Most operations that wait; then all are computed. */ };

static struct pending *find_pending(const struct waiting *w, const stria_view *view)
{
    struct pending *at = w->records || !view->buffer ? NULL : w->first;
    while (at && stria_graph_geometry(w->graph, at->node)->buffer != view->buffer)
        at = at->next;
    return at;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Removes all nodes of the graph, and releases the inputs. */
static void empty_graph(struct waiting *w)
{
    stria__graph_truncate(w->graph, 0);
    for (int i = 0; i < w->inputs; i++)
        stria_array_release(&w->input[i]);
    w->graph->inputs = w->inputs = 0;
    w->first = NULL;
}

static stria_status start_graph(struct waiting *w)
{
    if (w->records || (w->graph && w->graph->count < MOST_NODES)) return STRIA_OK;
    if (w->graph) return stria__wait_force_all(w);
    STRIA_TRY(stria__graph_in(&w->graph, w->pool, w->rule));
    w->graph->unnamed = true;
    return STRIA_OK;
}

/* Adds an array with elements as an input, unless it is one already. */
static stria_status add_input(struct waiting *w, int *node, const stria_view *view)
{
    for (int i = 0; i < w->graph->count; i++) {
        const struct graph_node *const input = w->graph->node[i];
        if (input->kind != GRAPH_INPUT || !stria_same_view(&w->input[input->op].view, view))
            continue;
        *node = i;
        return STRIA_OK;
    }
    if (w->inputs == w->room) {
        TAKE_ARRAY(stria_array, more, w->pool, 2 * (size_t)w->room + 4);
        if (w->inputs) memcpy(more, w->input, (size_t)w->inputs * sizeof *more);
        w->input = more;
        w->room = 2 * w->room + 4;
    }
    STRIA_TRY(stria_graph_input(w->graph, node, view));
    array_share(&w->input[w->inputs++], view);
    return STRIA_OK;
}

static stria_status add_operand(struct waiting *w, int *node, const stria_view *view)
{
    const struct pending *const p = find_pending(w, view);
    if (w->records || view->flags & STRIA_WEAK) return stria__record_operand(w->graph, node, view);
    if (!p) return add_input(w, node, view);
    *node = p->node;
    return STRIA_OK;
}

/* Tells whether the graph's promotion rule gives the operation the dtype that its own rule does. */
static bool goes_by_rule(const struct waiting *w, const struct waiting_math *what)
{
    stria_dtype dtype, ours;
    return what->rule == w->rule ||
           (stria_result_dtype(&dtype, what->op, what->count, what->operands, what->rule) ==
                STRIA_OK &&
            stria_result_dtype(&ours, what->op, what->count, what->operands, w->rule) == STRIA_OK &&
            stria_dtype_equal(dtype, ours));
}

static stria_status add_operation(struct waiting *w, int *node, const struct waiting_math *what)
{
    int nodes[STRIA_USER_INPUTS];
    for (int i = 0; i < what->count; i++)
        STRIA_TRY(add_operand(w, &nodes[i], what->operands[i]));
    return stria_graph_op(w->graph, node, what->op, what->count, nodes);
}

static stria_status add_pending(struct waiting *w, int node, const struct waiting_math *what)
{
    TAKE(struct pending, p, w->pool);
    *p = (struct pending){w->first, node, what->at, what->says, NULL};
    w->first = p;
    return STRIA_OK;
}

stria_status stria__wait_math(struct waiting *w, bool *done, stria_array *out,
                              const struct waiting_math *what)
{
    int node;
    *done = !w->stepping && goes_by_rule(w, what);
    if (!*done) {
        for (int i = 0; i < what->count; i++)
            STRIA_TRY(stria__wait_force(w, what->operands[i]));
        return STRIA_OK;
    }
    STRIA_TRY(start_graph(w));
    STRIA_TRY(add_operation(w, &node, what));
    if (w->records) {
        *out = stria__array_of(stria__recorded_view(w->graph, node));
        return STRIA_OK;
    }
    *out = stria__array_of(stria_graph_geometry(w->graph, node));
    return add_pending(w, node, what);
}

void stria__wait_hold(struct waiting *w, stria_array *array)
{
    struct pending *const p = find_pending(w, &array->view);
    if (!p || p->array) return;
    p->array = array;
    w->held++;
}

/* Notes that nobody holds the array any more; it may still be computed for others that need it. */
static void let_go(struct waiting *w, struct pending *p)
{
    p->array = NULL;
    if (--w->held == 0) empty_graph(w);
}

void stria__wait_forget(struct waiting *w, const stria_array *array)
{
    struct pending *p = w->first;
    while (p && p->array != array)
        p = p->next;
    if (p) let_go(w, p);
}

void stria__wait_end(struct waiting *w)
{
    if (w->records) return;
    empty_graph(w);
    stria__graph_end(w->graph);
}

/* ---- computing ------------------------------------------------------------------------------- */

static const stria_view *input_of(const struct waiting *w, int i)
{
    return graph_last_read(w->graph, i) >= 0 ? &w->input[i].view : NULL;
}

/* Tells the math of each step how it runs, and so for the reduction that the last step may be. */
static stria_status explain_steps(const struct waiting *w, const struct waiting_reduction *what)
{
    const stria_graph *const g = w->graph;
    for (int s = 0; s < g->steps; s++) {
        const struct graph_step *const step = &g->step[s];
        const struct pending *p = w->first;
        while (p && p->node != step->node[step->count - 1])
            p = p->next;
        if (p && p->says)
            STRIA_TRY(stria__graph_explain_step(p->says->how, sizeof p->says->how, g, s, w->exec));
        else if (!p && what && what->how)
            STRIA_TRY(stria__graph_explain_step(what->how, what->size, g, s, w->exec));
    }
    return STRIA_OK;
}

/* Prepares the graph for one node, and tells how it runs if somebody asks. */
static stria_status prepare_graph(struct waiting *w, int node, const struct waiting_reduction *what)
{
    STRIA_TRY(stria_graph_prepare(w->graph, 1, &node));
    const stria_status status = w->tells ? explain_steps(w, what) : STRIA_OK;
    if (status != STRIA_OK) stria__graph_forget(w->graph);
    return status;
}

/* Runs the graph into out, or into new memory if that is NULL. */
static stria_status run_graph(const struct waiting *w, stria_array *made, const stria_view *out,
                              const stria_view *const *inputs, const stria_exec *exec)
{
    bool meta = false;
    for (int i = 0; i < w->inputs; i++)
        meta = meta || (inputs[i] && stria_buffer_is_meta(inputs[i]->buffer));
    if (!meta) return stria__graph_run_bound(w->graph, made, out, inputs, exec);
    return out ? STRIA_OK : stria__meta_of(made, stria_graph_geometry(w->graph, *w->graph->result));
}

/* Returns the dims that are reduced, as a set of bits; dims that do not exist are refused later. */
static uint64_t set_of(const struct waiting_reduction *what)
{
    uint64_t dims = what->count == STRIA_ALL_DIMS ? UINT64_MAX : 0;
    for (int i = 0; i < what->count; i++) {
        const int d = what->dims[i] < 0 ? what->dims[i] + what->self->ndim : what->dims[i];
        if (d >= 0 && d < STRIA_MAX_NDIM) dims |= UINT64_C(1) << d;
    }
    return dims;
}

/* Replaces a view that the reduction would read across a large file by its elements in order. */
static void reorder(const struct waiting *w, stria_array *made, stria_view *view,
                    const struct waiting_reduction *what)
{
    const int missing = what->self->ndim - view->ndim;
    if (missing >= 0 && w->reordering->start(made, view, set_of(what) >> missing))
        *view = made->view;
}

/* An input of a run, which may be put in order first. */
struct given {
    stria_array made;
    stria_view view;
};

/* Runs a prepared graph; inputs that a reduction would read across large files are put in order
 * first. */
static stria_status run_inputs(const struct waiting *w, stria_array *made, const stria_view *out,
                               const struct waiting_reduction *what, const stria_exec *exec)
{
    const bool orders = what && w->reordering;
    const size_t count = (size_t)w->inputs + 1;
    OWNED_MEMORY(lists, count * (sizeof(stria_view *) + (orders ? sizeof(struct given) : 0)));
    TRY_MEMORY(lists.at);
    struct given *const given = lists.at;
    const stria_view **const inputs =
        (const stria_view **)((char *)lists.at + (orders ? count * sizeof *given : 0));
    for (int i = 0; i < w->inputs; i++) {
        inputs[i] = input_of(w, i);
        if (!orders) continue;
        given[i] = (struct given){.view = w->input[i].view};
        if (!inputs[i]) continue;
        reorder(w, &given[i].made, &given[i].view, what);
        inputs[i] = &given[i].view;
    }
    const stria_status status = run_graph(w, made, out, inputs, exec);
    for (int i = 0; orders && i < w->inputs; i++)
        w->reordering->end(&given[i].made);
    return status;
}

static stria_status compute(struct waiting *w, stria_array *made, int node,
                            const struct waiting_reduction *what)
{
    STRIA_TRY(prepare_graph(w, node, what));
    const stria_status status = run_inputs(w, made, NULL, what, w->exec);
    stria__graph_forget(w->graph);
    return status;
}

static stria_status force(struct waiting *w, struct pending *p)
{
    stria_array made = {0};
    const stria_status status = compute(w, &made, p->node, NULL);
    if (status != STRIA_OK) return stria__fail_library(w->failure, status, p->at);
    made.view.flags |= p->array->view.flags & STRIA_CLASS_MASK;
    stria_array_release(p->array);
    *p->array = made;
    let_go(w, p);
    return STRIA_OK;
}

stria_status stria__wait_force(struct waiting *w, const stria_view *view)
{
    struct pending *const p = find_pending(w, view);
    return p && p->array ? force(w, p) : STRIA_OK;
}

static bool is_among(const struct pending *p, int count, const stria_view *const *views)
{
    for (int i = 0; i < count; i++)
        if (views[i]->buffer == p->array->view.buffer) return true;
    return false;
}

/* Returns the earliest pending array that is held and is not one of these views. */
static struct pending *find_held(const struct waiting *w, int count, const stria_view *const *but)
{
    struct pending *found = NULL;
    for (struct pending *p = w->first; p; p = p->next)
        if (p->array && !is_among(p, count, but)) found = p;
    return found;
}

stria_status stria__wait_force_all(struct waiting *w)
{
    for (struct pending *p; w->held > 0 && (p = find_held(w, 0, NULL));)
        STRIA_TRY(force(w, p));
    return STRIA_OK;
}

/* Computes a node of these operands into out, after all others that wait. */
static stria_status compute_into(struct waiting *w, bool *done, int node, size_t at,
                                 const stria_view *out, uint32_t hints, int count,
                                 const stria_view *const *operands)
{
    for (struct pending *other; (other = find_held(w, count, operands));)
        STRIA_TRY(force(w, other));
    stria_exec exec = w->exec ? *w->exec : (stria_exec){0};
    exec.hints |= hints;
    const stria_status status = prepare_graph(w, node, NULL);
    if (status != STRIA_OK) return stria__fail_library(w->failure, status, at);
    *done = run_inputs(w, NULL, out, NULL, &exec) == STRIA_OK;
    stria__graph_forget(w->graph);
    return STRIA_OK;
}

stria_status stria__wait_copy(struct waiting *w, bool *done, const stria_view *out,
                              const stria_view *view)
{
    const struct pending *const p = find_pending(w, view);
    *done = false;
    if (!p || !p->array || find_pending(w, out)) return STRIA_OK;
    return compute_into(w, done, p->node, p->at, out, STRIA_CASTING_UNSAFE, 1, &view);
}

stria_status stria__wait_math_into(struct waiting *w, bool *done, const stria_view *out,
                                   const struct waiting_math *what)
{
    bool waits = false;
    int node;
    *done = false;
    for (int i = 0; i < what->count; i++) {
        const struct pending *const p = find_pending(w, what->operands[i]);
        waits = waits || (p && p->array);
    }
    if (!waits || find_pending(w, out) || !goes_by_rule(w, what)) return STRIA_OK;
    if (add_operation(w, &node, what) != STRIA_OK) return STRIA_OK;
    STRIA_TRY(add_pending(w, node, what));
    return compute_into(w, done, node, what->at, out, 0, what->count, what->operands);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* Tells whether the graph's promotion rule gives the reduction the dtype that its own rule does. */
static bool reduces_by_rule(const struct waiting *w, const struct waiting_reduction *what)
{
    stria_dtype dtype, ours;
    return what->rule == w->rule ||
           (stria_reduction_dtype(&dtype, what->op, what->self->dtype, what->rule) == STRIA_OK &&
            stria_reduction_dtype(&ours, what->op, what->self->dtype, w->rule) == STRIA_OK &&
            stria_dtype_equal(dtype, ours));
}

static stria_status add_reduction(struct waiting *w, int *node,
                                  const struct waiting_reduction *what)
{
    int self;
    STRIA_TRY(add_operand(w, &self, what->self));
    return stria_graph_reduce(w->graph, node, what->op, self, what->count, what->dims,
                              what->options);
}

stria_status stria__wait_reduce(struct waiting *w, bool *done, stria_array *made,
                                const struct waiting_reduction *what)
{
    const struct pending *const p = find_pending(w, what->self);
    const bool reorders = w->reordering && what->ordered;
    int node;
    *done = (p || w->records || reorders) && !what->options->mask && !what->options->initial &&
            reduces_by_rule(w, what);
    if (!*done) return stria__wait_force(w, what->self);
    STRIA_TRY(start_graph(w));
    STRIA_TRY(add_reduction(w, &node, what));
    if (w->records) {
        *made = stria__array_of(stria__recorded_view(w->graph, node));
        return STRIA_OK;
    }
    const stria_status status = compute(w, made, node, what);
    stria__graph_truncate(w->graph, node);
    if (!w->held) empty_graph(w);
    return status;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

stria_status stria__wait_open(struct waiting *w, const stria_view *view, bool *waits)
{
    const struct pending *const p = find_pending(w, view);
    *waits = p && p->array;
    if (!*waits) return STRIA_OK;
    const stria_status status = prepare_graph(w, p->node, NULL);
    return status == STRIA_OK ? status : stria__fail_library(w->failure, status, p->at);
}

void stria__wait_close(struct waiting *w)
{
    stria__graph_forget(w->graph);
}

const stria_view *stria__wait_input(const struct waiting *w, int i)
{
    return input_of(w, i);
}

stria_status stria__wait_block(const struct waiting *w, const int64_t *start, const stria_view *out,
                               wait_bring *bring, void *context)
{
    const size_t count = (size_t)w->inputs + 1;
    OWNED_MEMORY(lists, count * (sizeof(stria_view) + sizeof(stria_view *)));
    TRY_MEMORY(lists.at);
    stria_view *const parts = lists.at;
    const stria_view **const inputs = (const stria_view **)(void *)(parts + count);
    for (int i = 0; i < w->inputs; i++) {
        inputs[i] = input_of(w, i);
        if (!inputs[i]) continue;
        parts[i] = *inputs[i];
        inputs[i] = &parts[i];
        const int missing = out->ndim - parts[i].ndim;
        for (int d = 0; d < parts[i].ndim; d++)
            if (parts[i].shape[d] > 1)
                STRIA_TRY(stria_narrow(&parts[i], &parts[i], d, start[d + missing],
                                       out->shape[d + missing]));
        STRIA_TRY(bring(context, i, &parts[i]));
    }
    return stria__graph_run_block(w->graph, out, inputs, NULL);
}
