/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text as a graph (graph.h): it is evaluated once over the geometries of its inputs, without
 * memory, and what is called becomes nodes. Operations by element and reductions are nodes of their
 * own, views are found by the memory that they lie in, and every other function is called again
 * with the arguments that were bound. Text whose steps depend on elements or addresses, or that
 * writes to its inputs, has no graph.
 */
#pragma once

#include "graph/graph.h"
#include "registry.h"

/* Finds the node that a view is, or makes it a node if it is a view of one. UNSUPPORTED if it is
 * neither. */
stria_status stria__record_operand(stria_graph *graph, int *node, const stria_view *view);

/* Returns the geometry of a node. It is frozen, since text that writes to it has no graph. */
const stria_view *stria__recorded_view(const stria_graph *graph, int node);

/*
 * Copies a call that is about to run, and freezes its arrays: if it wrote to a literal, the next
 * run would find other elements. MEMORY.
 */
stria_status stria__record_bound(struct invocation **out, const struct invocation *call, int count);

/*
 * Records a call that ran; `before` is its copy from before it ran. New memory among its results is
 * replaced by the nodes' geometries. UNSUPPORTED if it cannot be called again.
 */
stria_status stria__record_call(stria_graph *graph, const struct form *form,
                                struct invocation *call, const struct invocation *before,
                                const char *name);

/* The graph of a text, for inputs of one geometry. It lies in the pool of its graph. */
struct recorded_text {
    struct recorded_text *next;
    stria_graph *graph;
    bool many; /* The text stands for a tuple. */
};

struct node;
/* Records text whose tree was read; *out is NULL if it has no graph. */
void stria__record_text(struct recorded_text **out, const char *text, const struct node *tree,
                        int count, const char *const *names, const stria_view *const *views,
                        const stria_exec *exec);

/* Runs the graph; false, with nothing done, if these views have another geometry. */
bool stria__recorded_run(stria_status *status, stria_results *results,
                         const struct recorded_text *text, int count,
                         const stria_view *const *views, const stria_exec *exec);
