/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes nodes. Their geometries are found, and bad calls are refused, only here. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "machine/fp_mode.h"
#include "stria/contract.h"
#include "stria/op.h"
#include "stria/user_function.h"

/* Most operations, and most cycles per element, for which a view of a result is computed from views
 * of the operands instead. */
enum { PUSHED = 4 };
#define PUSHED_CYCLES 4.0

/*
 * Computing elements again pays for results of up to NEAR and from FAR bytes on; an array of a size
 * between them lies in the caches and is read sooner (an EPYC with 32 MiB of L3, (2x + 1)[1:] - (2x
 * + 1)[:-1] of f64 and five points of x * x: arrays of 1 MiB take .75 and .65 of the time).
 */
#define PUSHED_NEAR (INT64_C(1) << 18)
#define PUSHED_FAR  (INT64_C(1) << 24)

void *stria__graph_take(const stria_graph *g, size_t count, size_t size)
{
    void *const made = stria__pool_array(g->pool, count, size);
    if (!made) (void)stria__fail(STRIA_ERR_MEMORY, "graph: no memory for %zu bytes", count * size);
    return made;
}

stria_status stria__graph_grow(const stria_graph *g, void **list, int *room, int count, size_t size)
{
    if (count <= *room) return STRIA_OK;
    const int more = count < 8 ? 16 : 2 * count;
    void *const made = stria__graph_take(g, (size_t)more, size);
    if (!made) return STRIA_ERR_MEMORY;
    if (*room) memcpy(made, *list, (size_t)*room * size);
    *list = made;
    *room = more;
    return STRIA_OK;
}

double stria__graph_cycles(int op)
{
    static const double cycles[] = {
#define ROW(constant, name, inputs, dtypes, result, cycles) [constant] = cycles,
        STRIA_OP_LIST(ROW)
#undef ROW
    };
    return op < STRIA_OPS ? cycles[op] : 10;
}

stria_status stria__graph_in(stria_graph **out, struct pool *pool, stria_promotion rule)
{
    stria_graph *const g = *out = stria__pool_take(pool, sizeof *g);
    if (!g) return stria__fail(STRIA_ERR_MEMORY, "graph: no memory for a graph");
    g->pool = pool;
    g->rule = rule;
    return STRIA_OK;
}

stria_status stria_graph_make(stria_graph **out, stria_promotion rule)
{
    struct pool pool = {0};
    stria_graph *g;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "graph: out is NULL");
    if (rule != STRIA_PROMOTE_TORCH && rule != STRIA_PROMOTE_NUMPY)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: there is no rule %d", (int)rule);
    STRIA_TRY(stria__graph_in(&g, &pool, rule));
    g->own = pool;
    g->pool = &g->own;
    *out = g;
    return STRIA_OK;
}

static void release_node(const struct graph_node *node)
{
    stria_buffer_release(node->is.owned);
    if (node->call && node->call->release) node->call->release(node->call->context);
}

void stria__graph_truncate(stria_graph *g, int count)
{
    while (g->count > count)
        release_node(g->node[--g->count]);
}

void stria__graph_end(stria_graph *g)
{
    stria__graph_forget(g);
    stria__graph_truncate(g, 0);
}

void stria_graph_release(stria_graph *g)
{
    if (!g) return;
    stria__graph_end(g);
    struct pool pool = g->own; /* The graph itself lies in this pool. */
    stria__pool_free(&pool);
}

/* ---- all nodes ------------------------------------------------------------------------------- */

/* Puts the name of the node in front of the message of a refused call. */
static stria_status refuse_node(const stria_graph *g, stria_status status)
{
    char message[400];
    if (status == STRIA_OK || status == STRIA_ERR_MEMORY || g->unnamed) return status;
    (void)snprintf(message, sizeof message, "%s", stria_last_error());
    return stria__fail(status, "graph: node %d: %s", g->count, message);
}

static stria_status check_operands(const stria_graph *g, int n, const int *operands)
{
    if (!g) return stria__fail(STRIA_ERR_ARGUMENT, "graph: graph is NULL");
    if (g->prepared)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: node %d: the graph is prepared", g->count);
    if (n > 0 && !operands)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: node %d: operands is NULL", g->count);
    for (int i = 0; i < n; i++)
        if (!stria_graph_geometry(g, operands[i]))
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "graph: node %d: operand %d is node %d, which is no array of the "
                               "graph",
                               g->count, i, operands[i]);
    return STRIA_OK;
}

/* Makes a node at the end of the graph without counting it yet. */
static stria_status make_node(stria_graph *g, struct graph_node **out, enum graph_kind kind, int n,
                              const int *operands)
{
    if (g->count >= STRIA_GRAPH_NODES)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: a graph has at most %d nodes",
                           STRIA_GRAPH_NODES);
    STRIA_TRY(stria__graph_grow(g, (void **)&g->node, &g->room, g->count + 1, sizeof *g->node));
    struct graph_node *const node =
        stria__graph_take(g, 1, sizeof *node + (size_t)n * sizeof *operands);
    if (!node) return STRIA_ERR_MEMORY;
    node->kind = kind;
    node->slot = node->result = node->last = -1;
    node->count = n;
    if (n) memcpy(node->operand, operands, (size_t)n * sizeof *operands);
    *out = node;
    return STRIA_OK;
}

/* Counts the node, or releases it if its geometry was refused. */
static stria_status add_node(stria_graph *g, int *out, struct graph_node *node, stria_status status)
{
    if (status != STRIA_OK) {
        node->call = NULL; /* The call is still the caller's. */
        release_node(node);
        return refuse_node(g, status);
    }
    *out = g->count;
    g->node[g->count++] = node;
    return STRIA_OK;
}

const stria_view *stria_graph_geometry(const stria_graph *g, int node)
{
    const bool is = g && node >= 0 && node < g->count && g->node[node]->kind != GRAPH_CALL;
    return is ? &g->node[node]->is.view : NULL;
}

/* ---- each kind ------------------------------------------------------------------------------- */

/* Makes the geometry a weak scalar that has the node's own value. */
static stria_status set_number(struct graph_node *node, stria_kind kind, const void *value)
{
    const stria_dtype dtype = stria_dtype_of(kind);
    if (!value) return stria__fail(STRIA_ERR_ARGUMENT, "the value is NULL");
    if (dtype.itemsize > 0 && dtype.itemsize <= (int)sizeof node->value)
        memcpy(node->value, value, (size_t)dtype.itemsize);
    return stria_weak(&node->is.view, kind, node->value);
}

/*
 * Sets the geometry of a view without memory. Its extent is exactly that of its elements, since the
 * view of a run may lie elsewhere in its buffer.
 */
static stria_status set_geometry(struct graph_node *node, const stria_view *like)
{
    stria_view own;
    view_copy(&own, like);
    own.buffer = NULL;
    return stria__meta_of(&node->is, &own);
}

stria_status stria_graph_input(stria_graph *g, int *out, const stria_view *like)
{
    struct graph_node *node;
    STRIA_TRY(check_operands(g, 0, NULL));
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "graph: node is NULL");
    STRIA_TRY(refuse_node(g, stria__check_view(like, "input", "the view")));
    STRIA_TRY(make_node(g, &node, GRAPH_INPUT, 0, NULL));
    node->op = g->inputs;
    const stria_status status = like->flags & STRIA_WEAK
                                    ? set_number(node, (stria_kind)like->dtype.kind, like->data)
                                    : set_geometry(node, like);
    STRIA_TRY(add_node(g, out, node, status));
    g->inputs++;
    return STRIA_OK;
}

stria_status stria_graph_scalar(stria_graph *g, int *out, stria_kind kind, const void *value)
{
    struct graph_node *node;
    STRIA_TRY(check_operands(g, 0, NULL));
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "graph: node is NULL");
    STRIA_TRY(make_node(g, &node, GRAPH_NUMBER, 0, NULL));
    return add_node(g, out, node, set_number(node, kind, value));
}

stria_status stria_graph_op(stria_graph *g, int *out, stria_op op, int n, const int *operands)
{
    const stria_view *views[STRIA_USER_INPUTS];
    struct graph_node *node;
    bool arrays = false;
    if (n < 0 || n > STRIA_USER_INPUTS)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: an operation of %d operands", n);
    STRIA_TRY(check_operands(g, n, operands));
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "graph: node is NULL");
    for (int i = 0; i < n; i++) {
        views[i] = stria_graph_geometry(g, operands[i]);
        arrays = arrays || !(views[i]->flags & STRIA_WEAK);
    }
    if (!arrays)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: node %d: an operation of numbers alone",
                           g->count);
    const stria_exec exec = graph_exec(g, NULL);
    STRIA_TRY(make_node(g, &node, GRAPH_ELEMENT, n, operands));
    node->op = (int)op;
    return add_node(g, out, node, stria_elementwise_new(&node->is, op, n, views, &exec));
}

stria_status stria_graph_matmul(stria_graph *g, int *out, int a, int b)
{
    struct graph_node *node;
    const int operands[] = {a, b};
    STRIA_TRY(check_operands(g, 2, operands));
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "graph: node is NULL");
    const stria_exec exec = graph_exec(g, NULL);
    STRIA_TRY(make_node(g, &node, GRAPH_PRODUCT, 2, operands));
    return add_node(
        g, out, node,
        stria_matmul_new(&node->is, stria_graph_geometry(g, a), stria_graph_geometry(g, b), &exec));
}

static stria_status set_reduction(stria_graph *g, struct graph_node *node, int count,
                                  const int *dims, const stria_reduce_options *options)
{
    const stria_exec exec = graph_exec(g, NULL);
    const stria_view *const a = stria_graph_geometry(g, node->operand[0]);
    if (options && (options->mask || options->initial))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "a reduction of a graph has no where or initial");
    if (count > STRIA_MAX_NDIM || (count > 0 && !dims))
        return stria__fail(STRIA_ERR_ARGUMENT, "%d dims of a reduction", count);
    struct graph_reduction *const r = node->reduction = stria__graph_take(g, 1, sizeof *r);
    if (!r) return STRIA_ERR_MEMORY;
    r->count = count;
    if (count > 0) memcpy(r->dims, dims, (size_t)count * sizeof *dims);
    if (options) r->options = *options;
    if (r->options.dtype) {
        r->dtype = *r->options.dtype;
        r->options.dtype = &r->dtype;
    }
    return stria_reduce_dims_new(&node->is, (stria_reduction)node->op, a, r->count, r->dims,
                                 &r->options, &exec);
}

stria_status stria_graph_reduce(stria_graph *g, int *out, stria_reduction op, int operand,
                                int count, const int *dims, const stria_reduce_options *options)
{
    struct graph_node *node;
    STRIA_TRY(check_operands(g, 1, &operand));
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "graph: node is NULL");
    STRIA_TRY(make_node(g, &node, GRAPH_REDUCE, 1, &operand));
    node->op = (int)op;
    return add_node(g, out, node, set_reduction(g, node, count, dims, options));
}

stria_status stria_graph_call_function(stria_graph *g, int *out, const stria_graph_call *call,
                                       int n, const int *operands)
{
    struct graph_node *node;
    int at;
    STRIA_TRY(check_operands(g, n < 0 ? 0 : n, operands));
    if (!out || !call || !call->name || !call->function || n < 0 || call->count < 1 || !call->likes)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: node %d: a call without what it needs",
                           g->count);
    STRIA_TRY(stria__check_reserved(call->reserved, "graph: a call"));
    if (call->count > STRIA_GRAPH_NODES - g->count - 1)
        return stria__fail(STRIA_ERR_ARGUMENT, "graph: a graph has at most %d nodes",
                           STRIA_GRAPH_NODES);
    for (int i = 0; i < call->count; i++)
        STRIA_TRY(refuse_node(g, stria__check_view(call->likes[i], call->name, "a result")));
    const int first = g->count;
    STRIA_TRY(make_node(g, &node, GRAPH_CALL, n, operands));
    struct graph_call *const made = node->call = stria__graph_take(g, 1, sizeof *made);
    stria_status status = add_node(g, &at, node, made ? STRIA_OK : STRIA_ERR_MEMORY);
    for (int i = 0; i < call->count && status == STRIA_OK; i++) {
        struct graph_node *item;
        status = make_node(g, &item, GRAPH_ITEM, 1, &first);
        if (status != STRIA_OK) break;
        item->op = i;
        status = add_node(g, &at, item, set_geometry(item, call->likes[i]));
    }
    if (status != STRIA_OK) {
        stria__graph_truncate(g, first);
        return status;
    }
    *made = (struct graph_call){.function = call->function,
                                .context = call->context,
                                .release = call->release,
                                .count = call->count};
    (void)snprintf(made->name, sizeof made->name, "%s", call->name);
    *out = first + 1;
    return STRIA_OK;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* The operations that compute an element of a node, as long as they are few. */
struct cone {
    int count, node[4 * PUSHED], made[4 * PUSHED];
    int operations;
    double cycles;
};

static int find_node(const struct cone *cone, int node)
{
    int i = 0;
    while (i < cone->count && cone->node[i] != node)
        i++;
    return i;
}

/* Lists the node and what it is computed from by element; false if that is too much. */
static bool list_cone(const stria_graph *g, struct cone *cone, int root)
{
    cone->count = 1;
    cone->node[0] = root;
    cone->operations = 0;
    cone->cycles = 0;
    for (int i = 0; i < cone->count; i++) {
        const struct graph_node *const node = g->node[cone->node[i]];
        if (!node_is_element(node)) continue;
        cone->operations++;
        cone->cycles += stria__graph_cycles(node->op);
        for (int k = 0; k < node->count; k++) {
            const int at = find_node(cone, node->operand[k]);
            if (at == 4 * PUSHED) return false;
            if (at == cone->count) cone->node[cone->count++] = node->operand[k];
        }
    }
    return cone->operations <= PUSHED && cone->cycles <= PUSHED_CYCLES;
}

stria_status stria__graph_add_view(stria_graph *g, int *out, int operand, const stria_view *view)
{
    struct graph_node *node;
    while (g->node[operand]->kind == GRAPH_VIEW)
        operand = g->node[operand]->operand[0];
    STRIA_TRY(make_node(g, &node, GRAPH_VIEW, 1, &operand));
    array_share(&node->is, view);
    return add_node(g, out, node, STRIA_OK);
}

/*
 * Tells whether what the map gives of the operands promotes as they do: by PyTorch's rule an array
 * of 0 dims gives way to others, so that it has to stay one, and they must not become one.
 */
static bool promotes_alike(const stria_graph *g, const struct cone *cone,
                           const struct index_map *map)
{
    bool alike = true;
    for (int i = 0; i < cone->count && map->base > 0 && map->ndim == 0; i++) {
        const stria_view *const a = &g->node[cone->node[i]]->is.view;
        alike = alike && (a->ndim > 0 || a->flags & STRIA_WEAK);
    }
    return alike;
}

/* Makes the view that a map gives of a node that is no operation. */
static stria_status map_leaf(stria_graph *g, int *out, int leaf, const struct index_map *map)
{
    const stria_view *const a = &g->node[leaf]->is.view;
    stria_view view;
    *out = leaf;
    if (a->flags & STRIA_WEAK || (a->ndim == 0 && map->base > 0)) return STRIA_OK;
    stria__index_map_apply(&view, map, a);
    return stria__graph_add_view(g, out, leaf, &view);
}

/* Repeats the operations of the cone on views of what they read, operands first. */
static stria_status map_cone(stria_graph *g, int *out, struct cone *cone,
                             const struct index_map *map)
{
    for (int done = 0, before = -1; done < cone->count; done++) {
        int next = -1, operands[STRIA_USER_INPUTS];
        for (int i = 0; i < cone->count; i++)
            if (cone->node[i] > before && (next < 0 || cone->node[i] < cone->node[next])) next = i;
        before = cone->node[next];
        const struct graph_node *const node = g->node[before];
        if (!node_is_element(node)) {
            STRIA_TRY(map_leaf(g, &cone->made[next], before, map));
            continue;
        }
        for (int k = 0; k < node->count; k++)
            operands[k] = cone->made[find_node(cone, node->operand[k])];
        STRIA_TRY(stria_graph_op(g, &cone->made[next], (stria_op)node->op, node->count, operands));
    }
    *out = cone->made[0];
    return STRIA_OK;
}

stria_status stria_graph_view(stria_graph *g, int *out, int operand, const stria_view *base,
                              const stria_view *view)
{
    struct index_map map;
    struct cone cone;
    STRIA_TRY(check_operands(g, 1, &operand));
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "graph: node is NULL");
    const stria_view *const own = &g->node[operand]->is.view;
    if (!base) base = own;
    STRIA_TRY(refuse_node(g, stria__check_view(view, "view", "the view")));
    STRIA_TRY(refuse_node(g, stria__check_view(base, "view", "the base")));
    if (view->buffer != base->buffer || !view_same_shape(base, own) ||
        !stria_dtype_equal(base->dtype, own->dtype))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "graph: node %d: the view is none of what has the geometry of node %d",
                           g->count, operand);
    const bool mapped = stria__index_map(&map, base, view), is_own = base->buffer == own->buffer;
    const struct geometry geometry = view_geometry(view);
    const struct extent room = {0, is_own ? stria_buffer_size(own->buffer) : 0};
    if (is_own)
        STRIA_TRY(refuse_node(g, stria__check_bounds(&geometry, stria_offset(view), room, "view")));
    const int64_t bytes = stria_nbytes(own);
    const bool pays = bytes <= PUSHED_NEAR || bytes >= PUSHED_FAR;
    if (mapped && pays && node_is_element(g->node[operand]) && list_cone(g, &cone, operand) &&
        promotes_alike(g, &cone, &map)) {
        const int before = g->count;
        const stria_status status = map_cone(g, out, &cone, &map);
        if (status != STRIA_OK) stria__graph_truncate(g, before);
        return status;
    }
    if (is_own) return stria__graph_add_view(g, out, operand, view);
    if (!mapped)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "graph: node %d: the view does not step over dims of node %d", g->count,
                           operand);
    stria_view made;
    stria__index_map_apply(&made, &map, own);
    return stria__graph_add_view(g, out, operand, &made);
}
