/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the steps that compute the arrays which are kept, and makes their expressions. */
#include <string.h>

#include "base/alloc.h"
#include "base/heap_sort.h"
#include "base/status.h"
#include "graph/cut.h"
#include "stria/user_function.h"

/* ---- steps ----------------------------------------------------------------------------------- */

/* Returns a step of the same pass that computes results of the same shape and has room for one
 * more, or NULL. */
static struct graph_step *find_step(const struct cutting *c, const struct mark *m,
                                    const struct graph_node *node)
{
    stria_graph *const g = c->g;
    for (int s = g->steps - 1; s >= 0 && m->ends; s--) {
        struct graph_step *const step = &g->step[s];
        if (c->mark[step->node[0]].place < m->together) break;
        if (step->what == STEP_PASS && step->together == m->together && step->level == m->level &&
            step->count < GRAPH_TOGETHER &&
            view_same_shape(&g->node[step->node[0]]->is.view, &node->is.view))
            return step;
    }
    return NULL;
}

/*
 * Returns the step that already multiplies the matrix of the node i with a vector, if it has room
 * and is taken when the vector of i is there, or computes that: then they read the matrix together.
 */
static struct graph_step *find_product(const struct cutting *c, int i)
{
    stria_graph *const g = c->g;
    const struct graph_node *const node = g->node[i];
    const int which = graph_matrix_of(g, node);
    for (int s = g->steps - 1; s >= 0 && which >= 0; s--) {
        struct graph_step *const step = &g->step[s];
        if (step->what != STEP_PRODUCT || step->count == GRAPH_TOGETHER) continue;
        const struct graph_node *const other = g->node[step->node[0]];
        const int its = graph_matrix_of(g, other);
        if (its < 0 || other->operand[its] != node->operand[which] ||
            !c->mark[node->operand[which]].kept)
            continue;
        bool ready = c->mark[i].level <= step->level;
        for (int j = 0; j < step->count && which == 1; j++)
            ready = ready || node->operand[0] == step->node[j];
        if (ready) return step;
    }
    return NULL;
}

static stria_status put_in_step(struct cutting *c, int i)
{
    stria_graph *const g = c->g;
    struct graph_node *const node = g->node[i];
    struct mark *const m = &c->mark[i];
    if (node->kind != GRAPH_CALL) node->slot = g->slots++;
    if (node->kind == GRAPH_ITEM) return STRIA_OK;
    struct graph_step *step =
        node->kind == GRAPH_PRODUCT ? find_product(c, i) : find_step(c, m, node);
    if (step) m->level = step->level;
    if (!step) {
        STRIA_TRY(
            stria__graph_grow(g, (void **)&g->step, &g->step_room, g->steps + 1, sizeof *g->step));
        step = &g->step[g->steps++];
        step->what = node->kind == GRAPH_ELEMENT  ? STEP_PASS
                     : node->kind == GRAPH_REDUCE ? STEP_FOLD
                     : node->kind == GRAPH_VIEW   ? STEP_VIEW
                     : node->kind == GRAPH_CALL   ? STEP_CALL
                                                  : STEP_PRODUCT;
        step->together = m->ends ? m->together : -1;
        step->level = m->level;
    }
    step->node[step->count++] = i;
    return STRIA_OK;
}

/* Orders steps by their level, and those of one level by the nodes that they compute. */
static bool comes_first(const void *left, const void *right)
{
    const struct graph_step *const a = left, *const b = right;
    return a->level != b->level ? a->level < b->level : a->node[0] < b->node[0];
}

static stria_status list_steps(struct cutting *c)
{
    for (int p = 0; p < c->count; p++) {
        const struct graph_node *const node = node_at(c, p);
        struct mark *const m = mark_of(c, p);
        for (int k = 0; k < node->count; k++) {
            const struct mark *const o = &c->mark[node->operand[k]];
            const bool same = o->ends && o->together == m->together && node_is_element(node);
            const int level =
                o->level + (o->kept && !same && !node_is_given(c->g->node[node->operand[k]]) &&
                            node->kind != GRAPH_ITEM);
            if (level > m->level) m->level = level;
        }
        if (m->kept) STRIA_TRY(put_in_step(c, c->list[p]));
    }
    stria__heap_sort(c->g->step, c->g->steps, sizeof *c->g->step, comes_first);
    return STRIA_OK;
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* The expression of a step while it is made. */
struct making {
    struct cutting *c;
    struct graph_step *step;
    int stamp; /* Marks the nodes that the expression computes. */
    int extra; /* How many arrays of the same part it may still read beside those from outside. */
    int input[STRIA_EXPR_INPUTS];
};

/* Tells whether the step computes the operand itself instead of reading its array. */
static bool is_inside(struct making *m, int node)
{
    struct mark *const o = &m->c->mark[node];
    if (!node_is_element(m->c->g->node[node])) return false;
    if (!o->done) return true;
    if (o->together != m->c->mark[m->step->node[0]].together) return false;
    return m->extra-- <= 0;
}

/* Marks what the expression computes, from the root back to the node `first`, where its part
 * begins. */
static void mark_inside(struct making *m, int root, int first)
{
    m->c->mark[root].stamp = m->stamp;
    for (int p = m->c->mark[root].place; p >= first; p--) {
        const struct graph_node *const node = node_at(m->c, p);
        if (mark_of(m->c, p)->stamp != m->stamp) continue;
        for (int k = 0; k < node->count; k++) {
            struct mark *const o = &m->c->mark[node->operand[k]];
            if (o->stamp != m->stamp && o->stamp != -m->stamp)
                o->stamp = is_inside(m, node->operand[k]) ? m->stamp : -m->stamp;
        }
    }
}

static stria_status add_leaf(struct making *m, int *number, int i)
{
    const struct graph_node *const node = m->c->g->node[i];
    struct graph_step *const step = m->step;
    if (node->kind == GRAPH_NUMBER)
        return stria_expr_scalar(step->expr, number, (stria_kind)node->is.view.dtype.kind,
                                 node->value);
    int k = 0;
    while (k < step->inputs && m->input[k] != i)
        k++;
    if (k == step->inputs) {
        STRIA_TRY(stria_expr_input(step->expr, &m->c->mark[i].number, k));
        m->input[step->inputs++] = i;
    }
    *number = m->c->mark[i].number;
    return STRIA_OK;
}

static stria_status add_operation(struct making *m, int p)
{
    const struct graph_node *const node = node_at(m->c, p);
    int operands[STRIA_USER_INPUTS];
    for (int k = 0; k < node->count; k++) {
        const struct mark *const o = &m->c->mark[node->operand[k]];
        operands[k] = o->number;
        if (o->stamp != m->stamp) STRIA_TRY(add_leaf(m, &operands[k], node->operand[k]));
    }
    return stria_expr_op(m->step->expr, &mark_of(m->c, p)->number, (stria_op)node->op, node->count,
                         operands);
}

/* Makes the expression of roots of one part, which are in the order of the graph. */
static stria_status make_expression(struct making *m, int count, const int *roots)
{
    struct cutting *const c = m->c;
    const int first = c->mark[roots[0]].together, last = c->mark[roots[count - 1]].place;
    m->extra = STRIA_EXPR_INPUTS - mark_of(c, first)->leaves;
    STRIA_TRY(stria_expr_make(&m->step->expr));
    for (int j = count - 1; j >= 0; j--)
        mark_inside(m, roots[j], first);
    for (int p = first; p <= last; p++)
        if (mark_of(c, p)->stamp == m->stamp) STRIA_TRY(add_operation(m, p));
    for (int j = 0; j < count; j++)
        m->step->number[j] = c->mark[roots[j]].number;
    return STRIA_OK;
}

static stria_status take_inputs(struct making *m, int count, const int *nodes)
{
    struct graph_step *const step = m->step;
    step->inputs = 0; /* There are no inputs until there is memory for their list. */
    step->input = stria__graph_take(m->c->g, (size_t)count, sizeof *step->input);
    if (!step->input) return STRIA_ERR_MEMORY;
    step->inputs = count;
    if (count) memcpy(step->input, nodes, (size_t)count * sizeof *nodes);
    return STRIA_OK;
}

/* Tells whether a view is one f64, which is rounded to the dtype of what it is multiplied with. */
static bool is_number(const stria_view *b, stria_dtype dtype)
{
    const uint32_t lazy = STRIA_CONJ | STRIA_NEG;
    return b->dtype.kind == STRIA_F64 && !b->dtype.swapped && b->ndim == 0 && !(b->flags & lazy) &&
           (b->flags & STRIA_WEAK || dtype.kind == STRIA_F64);
}

/*
 * Tells whether a matrix that is computed is an array times a number, which kernels do as they read
 * it; stores the nodes of both.
 */
static bool is_scaled(const struct cutting *c, int *array, int *number, int matrix)
{
    const struct graph_node *const node = c->g->node[matrix];
    for (int k = 0; k < 2 && node->op == STRIA_MULTIPLY; k++) {
        const struct graph_node *const a = c->g->node[node->operand[k]],
                                       *const b = c->g->node[node->operand[1 - k]];
        *array = node->operand[k];
        *number = node->operand[1 - k];
        if (is_number(&b->is.view, a->is.view.dtype) && node_is_given(b) &&
            (!node_is_element(a) || c->mark[*array].kept) &&
            view_same_shape(&a->is.view, &node->is.view) &&
            stria_dtype_equal(a->is.view.dtype, node->is.view.dtype) &&
            stria_is_contiguous(&a->is.view, STRIA_ORDER_C))
            return true;
    }
    return false;
}

/* Lists the matrix, or what its expression reads, and then the vectors. */
static stria_status fill_product(struct making *m)
{
    struct graph_step *const step = m->step;
    const stria_graph *const g = m->c->g;
    const struct graph_node *const node = g->node[step->node[0]];
    const int which = graph_matrix_of(g, node);
    int inputs[STRIA_EXPR_INPUTS + GRAPH_TOGETHER], count = 1, number = 0;
    if (which < 0) return take_inputs(m, 2, node->operand);
    inputs[0] = node->operand[which];
    const bool computed = !m->c->mark[inputs[0]].kept && node_is_element(g->node[inputs[0]]);
    step->scaled = computed && is_scaled(m->c, inputs, &number, inputs[0]);
    if (!step->scaled) inputs[0] = node->operand[which];
    if (computed && !step->scaled) {
        STRIA_TRY(make_expression(m, 1, inputs));
        count = step->inputs;
        memcpy(inputs, m->input, (size_t)count * sizeof *inputs);
    }
    for (int j = 0; j < step->count; j++) {
        const struct graph_node *const one = g->node[step->node[j]];
        inputs[count++] = one->operand[1 - graph_matrix_of(g, one)];
    }
    if (step->scaled) inputs[count++] = number;
    return take_inputs(m, count, inputs);
}

static stria_status fill_step(struct cutting *c, int s)
{
    struct graph_step *const step = &c->g->step[s];
    const struct graph_node *const node = c->g->node[step->node[0]];
    struct making m = {.c = c, .step = step, .stamp = c->count + 2 + s};
    if (step->what == STEP_PASS)
        STRIA_TRY(make_expression(&m, step->count, step->node));
    else if (step->what == STEP_FOLD && !c->mark[node->operand[0]].kept)
        STRIA_TRY(make_expression(&m, 1, node->operand));
    if (step->what == STEP_PRODUCT)
        STRIA_TRY(fill_product(&m));
    else
        STRIA_TRY(step->expr ? take_inputs(&m, step->inputs, m.input)
                             : take_inputs(&m, node->count, node->operand));
    for (int j = 0; j < step->count; j++) {
        c->mark[step->node[j]].done = true;
        c->mark[step->node[j]].aside =
            step->what == STEP_PRODUCT && (step->count > 1 || step->expr || step->scaled);
    }
    return STRIA_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static stria_status make_steps(struct cutting *c)
{
    stria__graph_choose(c);
    STRIA_TRY(list_steps(c));
    for (int s = 0; s < c->g->steps; s++)
        STRIA_TRY(fill_step(c, s));
    stria__graph_find_lives(c);
    return STRIA_OK;
}

stria_status stria__graph_cut(stria_graph *g, const int *results)
{
    const size_t n = (size_t)g->count, marks = n * sizeof(struct mark), ints = n * sizeof(int);
    OWNED_MEMORY(room, marks + 2 * ints + 2 * sizeof(int));
    if (!room.at) return stria__fail(STRIA_ERR_MEMORY, "graph: no memory for %zu nodes", n);
    memset(room.at, 0, room.size);
    int *const kept =
        stria__graph_take(g, 2 * (size_t)g->results + (size_t)g->inputs, sizeof *kept);
    if (!kept) return STRIA_ERR_MEMORY;
    memcpy(kept, results, (size_t)g->results * sizeof *kept);
    g->result = kept;
    g->written = kept + g->results;
    g->input = g->written + g->results;
    for (int i = 0; i < g->count; i++)
        if (g->node[i]->kind == GRAPH_INPUT) g->input[g->node[i]->op] = i;
    struct cutting c = {.g = g, .mark = room.at};
    c.list = (int *)((char *)room.at + marks);
    c.alive = c.list + n;
    return make_steps(&c);
}

void stria__graph_forget(stria_graph *g)
{
    for (int s = 0; s < g->steps; s++)
        stria_expr_release(g->step[s].expr);
    for (int i = 0; i < g->count; i++) {
        g->node[i]->slot = g->node[i]->result = g->node[i]->last = -1;
        g->node[i]->shared = false;
    }
    g->step = NULL;
    g->steps = g->step_room = g->slots = 0;
    g->prepared = false;
}
