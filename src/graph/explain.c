/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which steps a prepared graph takes. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "graph/graph.h"

enum { LINES = 4096 /* Bytes of the explanation of one pass. */ };

stria_status stria__graph_explain_step(char *text, size_t size, const stria_graph *g, int s,
                                       const stria_exec *exec)
{
    const struct graph_step *const step = &g->step[s];
    const struct graph_node *const node = g->node[step->node[step->count - 1]];
    const struct graph_reduction *const what = node->reduction;
    const stria_view *views[STRIA_EXPR_INPUTS], *const out = &node->is.view;
    const stria_exec how = graph_exec(g, exec);
    for (int k = 0; k < step->inputs && step->what <= STEP_FOLD; k++)
        views[k] = &g->node[step->input[k]]->is.view;
    if (step->what == STEP_PASS)
        return stria_expr_explain(text, size, NULL, out, step->expr, step->inputs, views, &how);
    if (step->what != STEP_FOLD) return STRIA_OK;
    if (step->expr)
        return stria_expr_reduce_explain(text, size, NULL, out, step->expr,
                                         (stria_reduction)node->op, step->inputs, views,
                                         what->count, what->dims, &what->options, &how);
    return stria_reduce_dims_explain(text, size, NULL, out, (stria_reduction)node->op, views[0],
                                     what->count, what->dims, &what->options, &how);
}

/* Writes the explanation of an expression, one line for each of its passes. */
static stria_status say_expression(struct written *text, const stria_graph *g, int s)
{
    OWNED_MEMORY(room, LINES);
    if (!room.at) return stria__fail(STRIA_ERR_MEMORY, "graph: no memory for an explanation");
    STRIA_TRY(stria__graph_explain_step(room.at, LINES, g, s, NULL));
    stria__print(text, ":\n   %s", (const char *)room.at);
    return STRIA_OK;
}

static stria_status say_step(struct written *text, const stria_graph *g, int s)
{
    const struct graph_step *const step = &g->step[s];
    const struct graph_node *const node = g->node[step->node[0]];
    stria__print(text, "%s%d. ", s ? "\n" : "", s + 1);
    if (step->what == STEP_PASS) {
        stria__print(text, "%d result(s) of shape ", step->count);
        stria__print_dims(text, node->is.view.ndim, node->is.view.shape);
        stria__print(text, " in one expression of %d arrays", step->inputs);
        return say_expression(text, g, s);
    }
    if (step->what == STEP_FOLD && step->expr) {
        stria__print(text, "a reduction of an expression of %d arrays to ", step->inputs);
        stria__print_dims(text, node->is.view.ndim, node->is.view.shape);
        return STRIA_OK;
    }
    if (step->what == STEP_PRODUCT && (step->expr || step->scaled || step->count > 1)) {
        stria__print(text, "%d product(s) with vectors of a matrix that is %s", step->count,
                     step->expr     ? "computed block by block"
                     : step->scaled ? "scaled as it is read"
                                    : "read once");
        return STRIA_OK;
    }
    stria__print(text, "%s, by itself",
                 step->what == STEP_VIEW      ? "a view"
                 : step->what == STEP_CALL    ? node->call->name
                 : step->what == STEP_PRODUCT ? "matmul"
                                              : stria_reduction_name((stria_reduction)node->op));
    return STRIA_OK;
}

stria_status stria_graph_explain(char *text, size_t size, size_t *used, const stria_graph *g)
{
    if (!text || !size || !g || !g->prepared)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "graph: explain wants room for text and a graph that is prepared");
    struct written to = {text, size, 0};
    *text = '\0';
    for (int s = 0; s < g->steps; s++)
        STRIA_TRY(say_step(&to, g, s));
    if (!g->steps) stria__print(&to, "an array: nothing is left to compute");
    if (used) *used = to.used;
    return STRIA_OK;
}
