/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "call_values.h"
#include "eval.h"
#include "machine/fp_mode.h"

static stria_status refuse_record(const char *why)
{
    return stria__fail(STRIA_ERR_UNSUPPORTED, "no graph: %s", why);
}

/* Returns the node of the first array whose memory is this buffer, of which later nodes are views;
 * -1: none. */
static int find_owner(const stria_graph *g, const stria_buffer *buffer)
{
    for (int i = 0; i < g->count && buffer; i++)
        if (g->node[i]->kind != GRAPH_CALL && g->node[i]->kind != GRAPH_NUMBER &&
            g->node[i]->is.view.buffer == buffer)
            return i;
    return -1;
}

static bool is_same(const stria_view *a, const stria_view *b)
{
    const size_t size = (size_t)a->ndim * sizeof *a->shape;
    return a->ndim == b->ndim && a->data == b->data && stria_dtype_equal(a->dtype, b->dtype) &&
           a->flags == b->flags && !memcmp(a->shape, b->shape, size) &&
           !memcmp(a->strides, b->strides, size);
}

/* Finds the node of a view, or -1 - owner if it is another view of the owner's memory. */
static stria_status find_node(const stria_graph *g, int *node, const stria_view *view)
{
    const int owner = find_owner(g, view->buffer);
    if (owner < 0) return refuse_record("an array that no node gave");
    *node = is_same(view, &g->node[owner]->is.view) ? owner : -1 - owner;
    return STRIA_OK;
}

const stria_view *stria__recorded_view(const stria_graph *g, int node)
{
    const stria_view *const view = stria_graph_geometry(g, node);
    stria_buffer_freeze(view->buffer);
    return view;
}

stria_status stria__record_operand(stria_graph *g, int *node, const stria_view *view)
{
    if (view->flags & STRIA_WEAK)
        return stria_graph_scalar(g, node, (stria_kind)view->dtype.kind, view->data);
    STRIA_TRY(find_node(g, node, view));
    return *node < 0 ? stria_graph_view(g, node, -1 - *node, NULL, view) : STRIA_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* A call to be made again. The arrays among its arguments are operands of the node, in their
 * order. */
struct recorded_call {
    struct invocation call;
    int count; /* Number of parameters. */
    const char *name;
};

/* Tells whether an array is a literal of the text, which each run has. */
static bool is_literal(const stria_graph *g, const stria_view *a)
{
    return a->flags & STRIA_WEAK || (find_owner(g, a->buffer) < 0 && !view_is_meta(a));
}

/* Tells whether a list contains arrays; they cannot be found again except in a list of arrays. */
static bool holds_arrays(const struct value *value)
{
    if (value->kind == VALUE_SPARSE) return true;
    if (!stria__value_is_sequence(value) && value->kind != VALUE_DICT) return false;
    for (size_t i = 0; i < value->list.count; i++)
        if (value->list.items[i].kind == VALUE_ARRAY || holds_arrays(&value->list.items[i]))
            return true;
    return false;
}

/* Lists the nodes of the arrays among the arguments, and replaces these arrays by the nodes'
 * geometries. */
static stria_status list_operands(stria_graph *g, int **nodes, int *count, struct recorded_call *r,
                                  struct pool *pool)
{
    int most = 0;
    for (int i = 0; i < r->count; i++)
        most += 1 + (r->call.args[i].views ? (int)r->call.args[i].count : 0);
    int *const list = *nodes = stria__pool_array(pool, (size_t)most, sizeof *list);
    TRY_MEMORY(list);
    *count = 0;
    for (int i = 0; i < r->count; i++) {
        struct arg *const arg = &r->call.args[i];
        const bool array = arg->value && arg->value->kind == VALUE_ARRAY;
        if (arg->value && !arg->views && holds_arrays(arg->value))
            return refuse_record("arrays within a list");
        if (array && !arg->view) return refuse_record("an array that is read as numbers");
        if (arg->view && !is_literal(g, arg->view)) {
            STRIA_TRY(stria__record_operand(g, &list[*count], arg->view));
            /* The array itself may be gone when the call is made again. */
            arg->view = stria_graph_geometry(g, list[(*count)++]);
        }
        for (int64_t k = 0; arg->views && k < arg->count; k++)
            STRIA_TRY(stria__record_operand(g, &list[(*count)++], arg->views[k]));
    }
    return STRIA_OK;
}

stria_status stria__record_bound(struct invocation **out, const struct invocation *call, int count)
{
    struct invocation *const bound = *out = stria__pool_take(call->pool, sizeof *bound);
    TRY_MEMORY(bound);
    *bound = *call;
    for (int i = 0; i < count; i++)
        if (call->args[i].view && call->args[i].view->buffer)
            stria_buffer_freeze(call->args[i].view->buffer);
    return STRIA_OK;
}

/* Replaces the geometries among the arguments by the operands of a run. */
static stria_status put_operands(struct invocation *call, int count, const stria_view *const *from,
                                 struct pool *pool)
{
    for (int i = 0; i < count; i++) {
        struct arg *const arg = &call->args[i];
        if (arg->view && view_is_meta(arg->view)) {
            arg->view = *from++;
            if (!arg->value || arg->value->kind != VALUE_ARRAY) continue;
            TAKE(struct value, value, pool);
            *value = *arg->value;
            value->view = arg->view;
            arg->value = value;
        } else if (arg->views) {
            arg->views = from;
            from += arg->count;
        }
    }
    return STRIA_OK;
}

static stria_status take_made(struct invocation *call, stria_array *made)
{
    if (!call->many) {
        *made = call->out.owned ? call->out : stria__array_of(&call->out.view);
        call->out.owned = NULL;
        return STRIA_OK;
    }
    for (int64_t i = 0; i < call->count; i++)
        made[i] = stria__array_of(&call->pieces[i]);
    return STRIA_OK;
}

static stria_status call_again(const struct recorded_call *r, int count, stria_array *made, int n,
                               const stria_view *const *operands, const stria_exec *exec,
                               struct pool *pool)
{
    static const float zero;
    struct invocation *const call = stria__pool_take(pool, sizeof *call);
    /* Stands for x if no argument is an array. */
    stria_view *const none = stria__pool_take(pool, sizeof *none);
    struct failure *const failure = stria__pool_take(pool, sizeof *failure);
    TRY_MEMORY(call && none && failure);
    STRIA_TRY(stria_scalar(none, STRIA_F32, &zero));
    *call = r->call;
    call->pool = pool;
    call->failure = failure;
    call->exec = exec;
    STRIA_TRY(put_operands(call, r->count, operands, pool));
    call->self = r->count ? call->args[0].view : NULL;
    call->x = n ? operands[0] : none;
    stria_status status = call->row->run(call);
    if (status == STRIA_OK && call->copied) status = stria__call_copies(call);
    if (status == STRIA_OK) status = stria__call_class(call, r->name);
    if (status == STRIA_OK && (call->answers || (call->many ? call->count : 1) != count))
        status = refuse_record("another number of results");
    if (status == STRIA_OK) status = take_made(call, made);
    stria_array_release(&call->out);
    return call->refused ? stria__fail(status, "%s: %s", r->name, failure->message) : status;
}

static stria_status run_recorded_call(void *context, int count, stria_array *made, int n,
                                      const stria_view *const *operands, const stria_exec *exec)
{
    struct pool pool = {0};
    const stria_status status = call_again(context, count, made, n, operands, exec, &pool);
    stria__pool_free(&pool);
    return status;
}

/* Replaces the results by those of the nodes from `node` on. */
static void replace_results(const stria_graph *g, struct invocation *call, int node)
{
    if (!call->many) {
        stria_array_release(&call->out);
        call->out = stria__array_of(stria__recorded_view(g, node));
        return;
    }
    for (int64_t i = 0; i < call->count; i++)
        call->pieces[i] = *stria__recorded_view(g, node + (int)i);
}

/* Accepts answers about shapes and dtypes, which are the same in every run, and refuses others. */
static stria_status check_answer(const struct form *form, const struct invocation *call)
{
    static const char known[] = "shape|size|ndim|dim|numel|strides|stride|len|itemsize|"
                                "element_size|nbytes|dtype|is_contiguous";
    const struct text_span name = stria__span_first(form->signature.names);
    const struct text_span all = {known, sizeof known - 1};
    char text[32] = "";
    if (call->answer.kind != VALUE_SPARSE && name.length < sizeof text)
        memcpy(text, name.text, name.length);
    return *text && stria__span_has(all, text) ? STRIA_OK : refuse_record("an answer");
}

stria_status stria__record_call(stria_graph *g, const struct form *form, struct invocation *call,
                                const struct invocation *before, const char *name)
{
    const int64_t count = call->many ? call->count : 1;
    int known = 0, node, n = 0, *operands;
    if (call->answers) return check_answer(form, call);
    /* Its offsets count from the start of one buffer. */
    if (strstr(form->row->signature, "as_strided(")) return refuse_record("a view by offsets");
    for (int64_t i = 0; i < count; i++)
        known += find_owner(g, (call->many ? &call->pieces[i] : &call->out.view)->buffer) >= 0;
    if (known == count) return STRIA_OK;
    if (known || count > STRIA_GRAPH_NODES) return refuse_record("views beside new arrays");
    struct recorded_call *const r = stria__pool_take(call->pool, sizeof *r);
    const stria_view **const likes = stria__pool_array(call->pool, (size_t)count, sizeof *likes);
    TRY_MEMORY(r && likes);
    *r = (struct recorded_call){.call = *before, .count = form->signature.count};
    r->call.waiting = NULL;
    r->name = stria__pool_text(call->pool, name, strlen(name));
    TRY_MEMORY(r->name);
    for (int64_t i = 0; i < count; i++)
        likes[i] = call->many ? &call->pieces[i] : &call->out.view;
    STRIA_TRY(list_operands(g, &operands, &n, r, call->pool));
    const stria_graph_call what = {.name = name,
                                   .function = run_recorded_call,
                                   .context = r,
                                   .count = (int)count,
                                   .likes = likes};
    STRIA_TRY(stria_graph_call_function(g, &node, &what, n, operands));
    replace_results(g, call, node);
    return STRIA_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Lists the nodes of the results. Views lie as they would without a graph, unlike operands. */
static stria_status list_results(stria_graph *g, const struct evaluation *e, int *results)
{
    if (e->answer || !e->count || e->pool.dtypes)
        return refuse_record("the text gives no array that a node can be");
    for (size_t i = 0; i < e->count; i++) {
        STRIA_TRY(find_node(g, &results[i], e->outputs[i]));
        if (results[i] < 0)
            STRIA_TRY(stria__graph_add_view(g, &results[i], -1 - results[i], e->outputs[i]));
    }
    return STRIA_OK;
}

/*
 * Makes nodes of a tree over named geometries, and stores the nodes of its results, *count of at
 * most `most`, and whether the text stands for a tuple. On failure the nodes made so far stay.
 */
static stria_status record_tree(stria_graph *g, int *results, size_t most, size_t *count,
                                bool *many, const char *text, const struct node *tree,
                                const struct environment *environment, struct failure *failure)
{
    struct evaluation e = stria__evaluation_of(text, environment, failure);
    e.pool = g->own; /* Arguments of recorded calls live as long as the graph. */
    g->pool = &e.pool;
    e.asking = e.unlisted = true;
    e.waiting.graph = g;
    e.waiting.records = true;
    stria_status status = tree ? stria__evaluate_tree(&e, tree) : stria__evaluate(&e);
    if (status == STRIA_OK && e.count > most) status = refuse_record("too many results");
    if (status == STRIA_OK) status = list_results(g, &e, results);
    *count = e.count;
    *many = e.many;
    g->own = e.pool;
    g->pool = &g->own;
    e.pool = (struct pool){0};
    stria__evaluation_end(&e);
    return status;
}

stria_status stria_graph_text(stria_graph *g, int *node, const char *text, int count,
                              const char *const *names, const int *nodes)
{
    IN_DEFAULT_FP_MODE;
    stria_named list[STRIA_NAMES];
    struct failure failure = {.code = STRIA_OK};
    size_t results;
    bool many;
    if (!g || !node || !text || count < 1 || count > STRIA_NAMES || !names || !nodes || g->prepared)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "graph_text: an argument is NULL, %d names are not 1 to %d, or the graph "
            "is prepared",
            count, STRIA_NAMES);
    for (int i = 0; i < count; i++) {
        const stria_view *const view = stria_graph_geometry(g, nodes[i]);
        if (!names[i] || stria__environment_refuses(names[i]) || !view || view->flags & STRIA_WEAK)
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "graph_text: name %d, '%.60s', is none, or node %d is no array", i,
                               names[i] ? names[i] : "", nodes[i]);
        list[i] = (stria_named){names[i], stria__recorded_view(g, nodes[i])};
    }
    const struct environment environment = {
        list, (size_t)count, g->rule == STRIA_PROMOTE_NUMPY ? WORLD_NUMPY : WORLD_TORCH};
    const int before = g->count;
    int made;
    stria__failure_start();
    const stria_status status =
        record_tree(g, &made, 1, &results, &many, text, NULL, &environment, &failure);
    if (status == STRIA_OK) return *node = made, STRIA_OK;
    stria__graph_truncate(g, before);
    return failure.code == status ? stria__failure_tell(&failure, text) : status;
}

/* Lists the nodes of the inputs. */
static stria_status list_inputs(stria_graph *g, stria_named *list, int count,
                                const char *const *names, const stria_view *const *views)
{
    for (int i = 0; i < count; i++) {
        int node;
        if (views[i]->flags & (STRIA_WEAK | STRIA_CLASS_MASK) || views[i]->dtype.record)
            return refuse_record("an input of a kind of its own");
        STRIA_TRY(stria_graph_input(g, &node, views[i]));
        list[i] = (stria_named){names[i], stria__recorded_view(g, node)};
    }
    return STRIA_OK;
}

enum { MOST_RESULTS = 64 /* Most results of a text that is kept as a graph. */ };

static stria_status record(struct recorded_text *out, const char *text, const struct node *tree,
                           int count, const char *const *names, const stria_view *const *views)
{
    stria_named list[STRIA_NAMES];
    int results[MOST_RESULTS];
    size_t n;
    struct failure failure = {.code = STRIA_OK};
    stria_graph *const g = out->graph;
    STRIA_TRY(list_inputs(g, list, count, names, views));
    const struct environment environment = {
        list, (size_t)count, g->rule == STRIA_PROMOTE_NUMPY ? WORLD_NUMPY : WORLD_TORCH};
    STRIA_TRY(
        record_tree(g, results, MOST_RESULTS, &n, &out->many, text, tree, &environment, &failure));
    return stria_graph_prepare(g, (int)n, results);
}

void stria__record_text(struct recorded_text **out, const char *text, const struct node *tree,
                        int count, const char *const *names, const stria_view *const *views,
                        const stria_exec *exec)
{
    const bool numpy = exec && exec->hints & STRIA_PROMOTE_AS_NUMPY;
    stria_graph *g;
    *out = NULL;
    if (!count ||
        stria_graph_make(&g, numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH) != STRIA_OK)
        return;
    struct recorded_text *const made = stria__graph_take(g, 1, sizeof *made);
    if (made) made->graph = g;
    if (made && record(made, text, tree, count, names, views) == STRIA_OK)
        *out = made;
    else
        stria_graph_release(g);
}

static stria_status run_many(stria_results *results, const stria_graph *g, int count,
                             const stria_view *const *views, const stria_exec *exec)
{
    static const struct pool none;
    const size_t n = (size_t)g->results;
    OWNED_MEMORY(memory, n * (sizeof(stria_array) + sizeof(stria_view *)));
    stria_array *const made = memory.at;
    TRY_MEMORY(made);
    const stria_view **const list = (const stria_view **)(void *)(made + n);
    for (size_t i = 0; i < n; i++) {
        array_none(&made[i]);
        list[i] = &made[i].view;
    }
    stria_status status = stria_graph_run_new(made, g, count, views, exec);
    if (status == STRIA_OK) status = stria__results_tuple(results, NULL, g->results, list, &none);
    for (size_t i = 0; i < n; i++)
        stria_array_release(&made[i]);
    return status;
}

bool stria__recorded_run(stria_status *status, stria_results *results,
                         const struct recorded_text *text, int count,
                         const stria_view *const *views, const stria_exec *exec)
{
    const stria_graph *const g = text->graph;
    const bool numpy = exec && exec->hints & STRIA_PROMOTE_AS_NUMPY;
    if (numpy != (g->rule == STRIA_PROMOTE_NUMPY)) return false;
    for (int i = 0; i < count; i++)
        if (!stria__graph_takes(g, i, views[i])) return false;
    *status = text->many ? run_many(results, g, count, views, exec)
                         : stria__graph_run_bound(g, &results->one, NULL, views, exec);
    if (*status == STRIA_OK && !text->many) stria__results_single(results);
    return true;
}
