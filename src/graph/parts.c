/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of a graph, and what is kept of them. Operations by element are parts of a pass, of which a
 * program has room for about 60 instructions: where there are more, they are cut where the fewest
 * arrays are needed later. Within a part an array is kept where something else than an operation
 * reads it, or where several steps do and it is dear.
 */
#include "graph/cut.h"
#include "stria/user_function.h"

enum {
    PASS = 60, /* Most instructions of a program. */
    /* Most elements for which one pass and one reduction cost less than a fused one. */
    SMALL = 2048
};

/* Cycles per element from which on an array is kept that is used twice. */
#define DEAR 2.0

/* Cycles that it takes to compute a small array alone, rather than for each element that it is
 * broadcast to. */
#define ALONE 4000.0

enum { NOBODY = -1, SEVERAL = -2 };

/* Lists the nodes that the results are computed from. */
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

/* Tells whether the node adds a product that nothing else reads, which costs no further
 * instruction. */
static bool adds_product(const struct cutting *c, const struct graph_node *node)
{
    for (int k = 0; k < node->count && node->op == STRIA_ADD; k++) {
        const struct graph_node *const a = c->g->node[node->operand[k]];
        if (node_is_element(a) && a->op == STRIA_MULTIPLY && c->mark[node->operand[k]].readers == 1)
            return true;
    }
    return false;
}

/* Estimates how many instructions a node takes, casts of operands included. */
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

/* Counts the arrays from outside its part that a node reads, each once for the part. */
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

/* Ends the part that begins at `start` at the place in its second half where the fewest arrays are
 * alive. */
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

/* Tells whether operand k of a reduction, or a matrix that a vector is multiplied with, may be
 * computed where it is read. */
static bool may_fold(const struct cutting *c, const struct graph_node *node, int k)
{
    const struct graph_node *const a = c->g->node[node->operand[k]];
    if (!node_is_element(a) || stria_numel(&a->is.view) <= SMALL) return false;
    return node->kind == GRAPH_REDUCE ||
           (graph_matrix_of(c->g, node) == k && stria_is_contiguous(&a->is.view, STRIA_ORDER_C) &&
            node->operand[0] != node->operand[1]);
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

/* Tells whether an operand has few elements that a pass would compute again for each of many. */
static bool is_repeated(const struct cutting *c, int operand, const struct graph_node *by)
{
    const struct graph_node *const node = c->g->node[operand];
    if (!node_is_element(node)) return false;
    const double more = (double)(stria_numel(&by->is.view) - stria_numel(&node->is.view));
    return c->mark[operand].cycles * more > ALONE;
}

/* Keeps expensive values that several steps need, or that would be computed again for each element
 * that they are broadcast to, and everything that is read as an array. */
static void keep_arrays(struct cutting *c)
{
    sum_cycles(c);
    for (int i = c->count - 1; i >= 0; i--) {
        const struct graph_node *const node = node_at(c, i);
        struct mark *const m = mark_of(c, i);
        const bool element = node_is_element(node);
        if (!element || (m->user == SEVERAL && m->cycles > DEAR)) m->kept = true;
        /* Results of one part count as one user, because a pass may compute them together. */
        const int user = !m->kept ? m->user : m->ends ? c->count + m->together : i;
        for (int k = 0; k < node->count; k++) {
            struct mark *const o = &c->mark[node->operand[k]];
            add_user(o, user);
            if (element ? is_repeated(c, node->operand[k], node) : !may_fold(c, node, k))
                o->kept = true;
        }
    }
}

void stria__graph_choose(struct cutting *c)
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
}
