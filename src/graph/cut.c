/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides what a graph keeps as arrays, and in which steps these are computed. Operations by
 * element are parts of a pass, of which a program has room for about 60 instructions: where there
 * are more, they are cut where the fewest arrays are needed later. Within a part an array is kept
 * where something else than an operation reads it, or where several steps do and it is dear.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "stria/user_function.h"

enum {
    PASS = 60,   /* instructions of a program */
    SMALL = 2048 /* elements, up to which a pass and a reduction take less than one of both */
};

/* Cycles of an element, from which on it is kept where it is used twice. */
#define DEAR 2.0

enum { NOBODY = -1, SEVERAL = -2 };

/* Facts that are found about a node. */
struct mark {
    bool needed, kept;
    bool ends;    /* an operation that a pass writes: a result, or one that a later part reads */
    bool done;    /* a step before this one computes it */
    int place;    /* in the list of needed nodes */
    int readers;  /* operands that it is */
    int last;     /* the place of the last reader */
    int together; /* the place where its part begins */
    int leaves;   /* of the part that begins at this place: arrays that it reads */
    int user;     /* what reads it, as a number; NOBODY, SEVERAL */
    int level, stamp, number;
    double cycles;
};

struct cutting {
    stria_graph *g;
    struct mark *mark;
    int count, *list; /* the needed nodes that are computed */
    int *alive;       /* how many arrays of before a place are read from there on */
};

static struct mark *mark_of(const struct cutting *c, int place)
{
    return &c->mark[c->list[place]];
}

static const struct graph_node *node_at(const struct cutting *c, int place)
{
    return c->g->node[c->list[place]];
}

/* Lists what the results are computed from. */
static void list_needed(struct cutting *c)
{
    stria_graph *const g = c->g;
    for (int j = 0; j < g->results; j++)
        c->mark[g->result[j]].needed = true;
    for (int i = g->count - 1; i >= 0; i--)
        for (int k = 0; c->mark[i].needed && k < g->node[i]->count; k++)
            c->mark[g->node[i]->operand[k]].needed = true;
    for (int i = 0; i < g->count; i++) {
        struct mark *const m = &c->mark[i];
        const struct graph_node *const node = g->node[i];
        if (node->kind == GRAPH_ITEM) m->needed = c->mark[node->operand[0]].needed;
        m->user = NOBODY;
        m->last = m->together = -1;
        if (!m->needed || node_is_given(node)) continue;
        m->place = c->count;
        c->list[c->count++] = i;
        for (int k = 0; k < node->count; k++) {
            c->mark[node->operand[k]].readers++;
            c->mark[node->operand[k]].last = m->place;
        }
    }
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void count_alive(struct cutting *c)
{
    for (int i = 0; i < c->count; i++) {
        const int last = mark_of(c, i)->last;
        c->alive[i + 1]++;
        c->alive[(last < i ? i : last) + 1]--;
    }
    for (int i = 0; i < c->count; i++)
        c->alive[i + 1] += c->alive[i];
}

/* Tells whether a node adds a product that nothing else reads, which takes no instruction more. */
static bool adds_product(const struct cutting *c, const struct graph_node *node)
{
    for (int k = 0; k < node->count && node->op == STRIA_ADD; k++) {
        const struct graph_node *const a = c->g->node[node->operand[k]];
        if (node_is_element(a) && a->op == STRIA_MULTIPLY && c->mark[node->operand[k]].readers == 1)
            return true;
    }
    return false;
}

/* About how many instructions a node takes: casts of operands beside its own. */
static int instructions(const struct cutting *c, const struct graph_node *node)
{
    int dtypes = 0;
    if (!node_is_element(node)) return 0;
    for (int k = node->op == STRIA_WHERE; k < node->count; k++) {
        const stria_view *const a = &c->g->node[node->operand[k]]->is.view;
        bool again = (a->flags & STRIA_WEAK) != 0;
        for (int i = node->op == STRIA_WHERE; i < k && !again; i++) {
            const stria_view *const b = &c->g->node[node->operand[i]]->is.view;
            again = !(b->flags & STRIA_WEAK) && b->dtype.kind == a->dtype.kind;
        }
        dtypes += !again;
    }
    return (dtypes ? dtypes : 1) - adds_product(c, node);
}

/* Counts the arrays that a node reads of outside its part, each once for the part. */
static int new_leaves(const struct cutting *c, const struct graph_node *node, int start)
{
    int count = 0;
    for (int k = 0; k < node->count && node_is_element(node); k++) {
        struct mark *const m = &c->mark[node->operand[k]];
        const struct graph_node *const a = c->g->node[node->operand[k]];
        if (a->kind == GRAPH_NUMBER || (node_is_element(a) && m->place >= start)) continue;
        count += m->stamp != start + 1;
        m->stamp = start + 1;
    }
    return count;
}

/* Ends the part from start on where the fewest arrays are alive, in its second half. */
static int end_of_part(struct cutting *c, int start)
{
    int end = start, room = 0, leaves = 0, more = 0;
    for (; end < c->count; end++) {
        room += instructions(c, node_at(c, end));
        more += new_leaves(c, node_at(c, end), start);
        if (end > start && (room > PASS || more > STRIA_EXPR_INPUTS)) break;
        leaves = more;
    }
    mark_of(c, start)->leaves = leaves;
    int best = end;
    for (int at = end; at > start + (end - start) / 2 && end < c->count; at--)
        if (c->alive[at] < c->alive[best]) best = at;
    return best;
}

static void cut_parts(struct cutting *c)
{
    count_alive(c);
    for (int start = 0, end; start < c->count; start = end) {
        end = end_of_part(c, start);
        for (int i = start; i < end; i++) {
            struct mark *const m = mark_of(c, i);
            m->together = start;
            if (node_is_element(node_at(c, i)) && m->last >= end) m->ends = true;
        }
    }
}

/* ---- arrays that are kept -------------------------------------------------------------------- */

static void add_user(struct mark *m, int user)
{
    m->user = m->user == NOBODY || m->user == user ? user : SEVERAL;
}

/* Tells whether the operand of a reduction may be computed where it is reduced. */
static bool may_fold(const struct cutting *c, const struct graph_node *node)
{
    const struct graph_node *const a = c->g->node[node->operand[0]];
    return node->kind == GRAPH_REDUCE && node_is_element(a) && stria_numel(&a->is.view) > SMALL;
}

static void sum_cycles(struct cutting *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct graph_node *const node = node_at(c, i);
        struct mark *const m = mark_of(c, i);
        m->kept = m->kept || m->ends;
        m->cycles = node_is_element(node) ? stria__graph_cycles(node->op) : 0;
        for (int k = 0; k < node->count; k++) {
            const struct mark *const o = &c->mark[node->operand[k]];
            bool again = o->kept || !node_is_element(c->g->node[node->operand[k]]);
            for (int j = 0; j < k && !again; j++)
                again = node->operand[j] == node->operand[k];
            if (!again) m->cycles += o->cycles;
        }
    }
}

/* Keeps what several steps need and is dear, and what is read as an array. */
static void keep_arrays(struct cutting *c)
{
    sum_cycles(c);
    for (int i = c->count - 1; i >= 0; i--) {
        const struct graph_node *const node = node_at(c, i);
        struct mark *const m = mark_of(c, i);
        const bool element = node_is_element(node), folds = may_fold(c, node);
        if (!element || (m->user == SEVERAL && m->cycles > DEAR)) m->kept = true;
        /* Results of one part are one user: a pass may compute them together. */
        const int user = !m->kept ? m->user : m->ends ? c->count + m->together : i;
        for (int k = 0; k < node->count; k++) {
            struct mark *const o = &c->mark[node->operand[k]];
            add_user(o, user);
            if (!element && !folds) o->kept = true;
        }
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The step that computes another result of the same shape in the same pass, with room; NULL. */
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

static stria_status put_in_step(struct cutting *c, int i)
{
    stria_graph *const g = c->g;
    struct graph_node *const node = g->node[i];
    const struct mark *const m = &c->mark[i];
    if (node->kind != GRAPH_CALL) node->slot = g->slots++;
    if (node->kind == GRAPH_ITEM) return STRIA_OK;
    struct graph_step *step = find_step(c, m, node);
    if (!step) {
        STRIA_TRY(
            stria__graph_grow(g, (void **)&g->step, &g->step_room, g->steps + 1, sizeof *g->step));
        step = &g->step[g->steps++];
        step->what = node->kind == GRAPH_ELEMENT  ? STEP_PASS
                     : node->kind == GRAPH_REDUCE ? STEP_FOLD
                     : node->kind == GRAPH_VIEW   ? STEP_VIEW
                                                  : STEP_CALL;
        step->together = m->ends ? m->together : -1;
        step->level = m->level;
    }
    step->node[step->count++] = i;
    return STRIA_OK;
}

/* Puts steps into the order of their levels; those of one level stay as they were made. */
static stria_status sort_steps(struct cutting *c)
{
    stria_graph *const g = c->g;
    int levels = 1, to = 0;
    for (int s = 0; s < g->steps; s++)
        if (g->step[s].level >= levels) levels = g->step[s].level + 1;
    struct graph_step *const sorted = stria__graph_take(g, (size_t)g->step_room, sizeof *sorted);
    int *const first = stria__graph_take(g, (size_t)levels + 1, sizeof *first);
    if (!sorted || !first) return STRIA_ERR_MEMORY;
    for (int s = 0; s < g->steps; s++)
        first[g->step[s].level + 1]++;
    for (int level = 0; level < levels; level++)
        first[level + 1] += first[level];
    for (int s = 0; s < g->steps; s++) {
        to = first[g->step[s].level]++;
        sorted[to] = g->step[s];
    }
    g->step = sorted;
    return STRIA_OK;
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
    return sort_steps(c);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* An expression of a step that is made. */
struct making {
    struct cutting *c;
    struct graph_step *step;
    int stamp; /* of nodes that are part of it */
    int extra; /* arrays of the same part that it may read beside those of outside */
    int input[STRIA_EXPR_INPUTS];
};

/* Tells whether the step computes the operand itself, and not reads it. */
static bool is_inside(struct making *m, int node)
{
    struct mark *const o = &m->c->mark[node];
    if (!node_is_element(m->c->g->node[node])) return false;
    if (!o->done) return true;
    if (o->together != m->c->mark[m->step->node[0]].together) return false;
    return m->extra-- <= 0;
}

/* Marks what is computed, from a root down to the beginning of its part; returns that. */
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

/* Makes the expression of roots in one part, the last root at last. */
static stria_status make_expression(struct making *m, int count, const int *roots)
{
    struct cutting *const c = m->c;
    const int first = c->mark[roots[0]].together, last = c->mark[roots[count - 1]].place;
    m->extra = STRIA_EXPR_INPUTS - mark_of(c, first)->leaves;
    STRIA_TRY(stria_expr_new(&m->step->expr));
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
    step->inputs = 0; /* as long as there is no memory for them */
    step->input = stria__graph_take(m->c->g, (size_t)count, sizeof *step->input);
    if (!step->input) return STRIA_ERR_MEMORY;
    step->inputs = count;
    if (count) memcpy(step->input, nodes, (size_t)count * sizeof *nodes);
    return STRIA_OK;
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
    STRIA_TRY(step->expr ? take_inputs(&m, step->inputs, m.input)
                         : take_inputs(&m, node->count, node->operand));
    for (int j = 0; j < step->count; j++)
        c->mark[step->node[j]].done = true;
    return STRIA_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Notes in `number` the last step that reads each node's array. */
static void find_last_reads(struct cutting *c)
{
    stria_graph *const g = c->g;
    for (int i = 0; i < g->count; i++)
        c->mark[i].number = -1;
    for (int s = 0; s < g->steps; s++) {
        for (int k = 0; k < g->step[s].inputs; k++)
            c->mark[g->step[s].input[k]].number = s;
        if (g->step[s].what != STEP_CALL) continue;
        for (int i = 1; i <= g->node[g->step[s].node[0]]->call->count; i++)
            if (c->mark[g->step[s].node[0] + i].number < s)
                c->mark[g->step[s].node[0] + i].number = s;
    }
}

/* Operations and reductions that are one result, which no step reads, are written where it belongs.
 */
static void place_results(struct cutting *c)
{
    stria_graph *const g = c->g;
    for (int i = 0; i < g->count; i++)
        c->mark[i].stamp = 0; /* how many results the node is */
    for (int j = 0; j < g->results; j++)
        c->mark[g->result[j]].stamp++;
    for (int j = 0; j < g->results; j++) {
        struct graph_node *const node = g->node[g->result[j]];
        const struct mark *const m = &c->mark[g->result[j]];
        const bool computed = node_is_element(node) || node->kind == GRAPH_REDUCE;
        g->written[j] = g->steps + j;
        if (computed && m->number < 0 && m->stamp == 1) node->result = j;
    }
    for (int s = 0; s < g->steps; s++)
        for (int j = 0; j < g->step[s].count; j++) {
            const int result = g->node[g->step[s].node[j]]->result;
            if (result >= 0) g->written[result] = s;
        }
    for (int j = 0; j < g->results; j++)
        if (g->written[j] >= g->steps) c->mark[g->result[j]].number = g->steps + j;
}

static stria_status list_frees(struct cutting *c)
{
    stria_graph *const g = c->g;
    for (int i = 0; i < g->count; i++)
        if (g->node[i]->slot >= 0 && c->mark[i].number >= 0 && c->mark[i].number < g->steps)
            g->step[c->mark[i].number].frees++;
    for (int s = 0; s < g->steps; s++) {
        struct graph_step *const step = &g->step[s];
        const int count = step->frees;
        step->frees = 0;
        step->free = stria__graph_take(g, (size_t)count, sizeof *step->free);
        if (!step->free) return STRIA_ERR_MEMORY;
    }
    for (int i = 0; i < g->count; i++) {
        const int last = c->mark[i].number;
        if (g->node[i]->slot < 0 || last < 0 || last >= g->steps) continue;
        g->step[last].free[g->step[last].frees++] = i;
    }
    return STRIA_OK;
}

/* A view shares the memory of its operand, and so may what a function gives. */
static void find_last_reads_of_inputs(struct cutting *c)
{
    stria_graph *const g = c->g;
    for (int i = g->count - 1; i >= 0; i--) {
        const struct graph_node *const node = g->node[i];
        if (!c->mark[i].needed) continue;
        for (int k = 0; k < node->count && !node_is_element(node) && node->kind != GRAPH_REDUCE;
             k++) {
            struct mark *const o = &c->mark[node->operand[k]];
            if (o->number < c->mark[i].number) o->number = c->mark[i].number;
        }
    }
    for (int i = 0; i < g->count; i++)
        if (g->node[i]->kind == GRAPH_INPUT) {
            g->input[g->node[i]->op] = i;
            g->read[g->node[i]->op] = c->mark[i].number;
        }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static stria_status cut(struct cutting *c)
{
    stria_graph *const g = c->g;
    list_needed(c);
    for (int j = 0; j < g->results; j++) {
        c->mark[g->result[j]].kept = true;
        c->mark[g->result[j]].ends = node_is_element(g->node[g->result[j]]);
    }
    cut_parts(c);
    keep_arrays(c);
    for (int i = 0; i < g->count; i++)
        c->mark[i].stamp = 0;
    STRIA_TRY(list_steps(c));
    for (int s = 0; s < g->steps; s++)
        STRIA_TRY(fill_step(c, s));
    find_last_reads(c);
    place_results(c);
    STRIA_TRY(list_frees(c));
    find_last_reads_of_inputs(c);
    return STRIA_OK;
}

stria_status stria__graph_cut(stria_graph *g, const int *results)
{
    const size_t n = (size_t)g->count, marks = n * sizeof(struct mark), ints = n * sizeof(int);
    OWNED_MEMORY(room, marks + 2 * ints + 2 * sizeof(int));
    if (!room.at) return stria__fail(STRIA_ERR_MEMORY, "graph: no memory for %zu nodes", n);
    memset(room.at, 0, room.size);
    int *const kept =
        stria__graph_take(g, 2 * ((size_t)g->results + (size_t)g->inputs), sizeof *kept);
    if (!kept) return STRIA_ERR_MEMORY;
    memcpy(kept, results, (size_t)g->results * sizeof *kept);
    g->result = kept;
    g->written = kept + g->results;
    g->read = g->written + g->results;
    g->input = g->read + g->inputs;
    struct cutting c = {.g = g, .mark = room.at};
    c.list = (int *)((char *)room.at + marks);
    c.alive = c.list + n;
    return cut(&c);
}

void stria__graph_forget(stria_graph *g)
{
    for (int s = 0; s < g->steps; s++)
        stria_expr_free(g->step[s].expr);
    for (int i = 0; i < g->count; i++) {
        g->node[i]->slot = g->node[i]->result = -1;
        g->node[i]->shared = false;
    }
    g->step = NULL;
    g->steps = g->step_room = g->slots = 0;
    g->prepared = false;
}
