/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds how long each array of a graph lives: until the last step that reads it. */
#include "graph/cut.h"

/* A node that is one result and that no step reads is written to the result's place if it is an
 * operation, a reduction or a product that is made alone. Other results live until all steps are
 * done and are copied then. */
static void place_results(struct cutting *c)
{
    stria_graph *const g = c->g;
    for (int j = 0; j < g->results; j++)
        c->mark[g->result[j]].results++;
    for (int j = 0; j < g->results; j++) {
        struct graph_node *const node = g->node[g->result[j]];
        const bool computed = node_is_element(node) || node_is_new(node);
        const struct mark *const m = &c->mark[g->result[j]];
        if (computed && node->last < 0 && m->results == 1 && !m->aside) node->result = j;
    }
    g->shared = 0;
    for (int j = 0; j < g->results; j++) {
        g->written[j] = g->steps + j;
        if (g->node[g->result[j]]->result == j) continue;
        g->node[g->result[j]]->last = g->steps + j;
        g->shared++;
    }
    for (int s = 0; s < g->steps; s++)
        for (int j = 0; j < g->step[s].count; j++) {
            const int result = g->node[g->step[s].node[j]]->result;
            if (result >= 0) g->written[result] = s;
        }
}

void stria__graph_find_lives(struct cutting *c)
{
    stria_graph *const g = c->g;
    for (int s = 0; s < g->steps; s++) {
        const struct graph_step *const step = &g->step[s];
        for (int k = 0; k < step->inputs; k++)
            g->node[step->input[k]]->last = s;
        for (int i = 1; step->what == STEP_CALL && i <= g->node[step->node[0]]->call->count; i++)
            g->node[step->node[0] + i]->last = s;
    }
    place_results(c);
    /* A view shares the memory of its operand, and a function's result may do so. */
    for (int i = g->count - 1; i >= 0; i--) {
        const struct graph_node *const node = g->node[i];
        if (!c->mark[i].needed || node_is_element(node) || node_is_new(node)) continue;
        for (int k = 0; k < node->count; k++) {
            struct graph_node *const o = g->node[node->operand[k]];
            if (o->slot < 0 && o->last < node->last) o->last = node->last;
        }
    }
}
