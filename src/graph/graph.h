/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs, as stria/graph.h has them: nodes in the order in which they were made, so that operands
 * come first, and the steps that a prepared graph takes.
 *
 *     0 INPUT x   1 NUMBER 2   2 ELEMENT multiply 0 1   3 INPUT y   4 ELEMENT add 2 3
 *     5 REDUCE sum 4     is one step: FOLD of an expression of x and y
 */
#ifndef STRIA_GRAPH_GRAPH_H
#define STRIA_GRAPH_GRAPH_H

#include "stria/expr.h"
#include "stria/graph.h"
#include "view/array.h"
#include "view/pool.h"

enum graph_kind {
    GRAPH_INPUT,
    GRAPH_NUMBER,
    GRAPH_ELEMENT,
    GRAPH_REDUCE,
    GRAPH_VIEW,
    GRAPH_CALL, /* it has no array itself: */
    GRAPH_ITEM  /* one of the results of the call before it */
};

struct graph_reduction {
    int count, dims[STRIA_MAX_NDIM];
    stria_reduce_options options; /* dtype points to the member below, or is NULL */
    stria_dtype dtype;
};

struct graph_call {
    char name[64];
    stria_graph_function *function;
    void *context;
    void (*release)(void *context);
    int count; /* of the items that follow */
};

struct graph_node {
    enum graph_kind kind;
    int op;         /* ELEMENT: the stria_op, REDUCE: the stria_reduction, INPUT: its number */
    int slot;       /* where a run keeps its array, -1: nowhere; set when the graph is prepared */
    int result;     /* the result that it is and that no step reads, -1: none; set likewise */
    int last;       /* the last step that needs its array, one behind all: a result; -1: none */
    bool shared;    /* views of it, functions or the caller may refer to its memory; set likewise */
    stria_array is; /* the geometry, which owns a buffer without memory but for numbers */
    _Alignas(16) char value[16]; /* of a number */
    struct graph_reduction *reduction;
    struct graph_call *call;
    int count; /* of the operands */
    int operand[];
};

enum { GRAPH_TOGETHER = 4 /* results of one pass, at most */ };

/* A step of a run. What an expression computes is written by PASS and reduced by FOLD. */
struct graph_step {
    enum { STEP_PASS, STEP_FOLD, STEP_VIEW, STEP_CALL } what;
    int level;                       /* of steps of one level none needs another */
    int together;                    /* of a PASS: the part of the graph that its results are in */
    int count, node[GRAPH_TOGETHER]; /* the nodes that it computes, several only of a PASS */
    stria_expr *expr;                /* of PASS and FOLD; NULL: FOLD of an array */
    int number[GRAPH_TOGETHER];      /* the numbers of the results in the expression */
    int inputs, *input;              /* nodes that it reads, in the order of the expression */
};

struct stria_graph {
    struct pool own;
    struct pool *pool; /* where all of it lies: its own one, or that of an evaluation */
    stria_promotion rule;
    bool unnamed; /* refusals do not name nodes, which nobody knows */
    int count, room;
    struct graph_node **node;
    int inputs;
    /* The members below belong to a prepared graph. */
    bool prepared;
    int results, *result; /* nodes */
    int *written; /* the step that writes a result; one behind all steps: it is copied there */
    int *input;   /* the nodes of the inputs */
    int steps, step_room;
    struct graph_step *step;
    int slots;
};

/* Makes in a pool a graph that goes with it, once stria__graph_end has let go of what it refers to.
 * MEMORY. */
stria_status stria__graph_in(stria_graph **out, struct pool *pool, stria_promotion rule);
void stria__graph_end(stria_graph *graph);

/* Memory of the graph, zeros; NULL where there is none, and the message is set. */
void *stria__graph_take(const stria_graph *graph, size_t count, size_t size);

/* Makes *size larger until it is `count` at least, keeping what the list has. MEMORY. */
stria_status stria__graph_grow(const stria_graph *graph, void **list, int *room, int count,
                               size_t size);

/* How a call of the graph runs: by its rule, else as the caller has it, who may be NULL. */
static inline stria_exec graph_exec(const stria_graph *graph, const stria_exec *exec)
{
    stria_exec how = exec ? *exec : (stria_exec){0};
    how.hints &= ~(uint32_t)STRIA_PROMOTE_AS_NUMPY;
    if (graph->rule == STRIA_PROMOTE_NUMPY) how.hints |= STRIA_PROMOTE_AS_NUMPY;
    return how;
}

/* The last step that reads input i, itself or a view of it; -1: none. */
static inline int graph_last_read(const stria_graph *g, int i)
{
    return g->node[g->input[i]]->last;
}

static inline bool node_is_element(const struct graph_node *node)
{
    return node->kind == GRAPH_ELEMENT;
}

/* Tells whether its array is there before any step. */
static inline bool node_is_given(const struct graph_node *node)
{
    return node->kind == GRAPH_INPUT || node->kind == GRAPH_NUMBER;
}

/* Releases the nodes from that number on, which nothing refers to. */
void stria__graph_truncate(stria_graph *graph, int count);

/* The library's guess of the cycles that an element of an operation takes. */
double stria__graph_cycles(int op);

/* Chooses what is kept as an array, and lists the steps, of so many results. MEMORY. */
stria_status stria__graph_cut(stria_graph *graph, const int *results);

/* Releases steps: the graph is not prepared any more. */
void stria__graph_forget(stria_graph *graph);

/*
 * Runs a prepared graph of one result, into `out` or, where that is NULL, into *made. The inputs
 * have the geometries of their nodes, or, where a reduction reads them, any of the same shape;
 * those that are not read may be NULL.
 */
stria_status stria__graph_run_bound(const stria_graph *graph, stria_array *made,
                                    const stria_view *out, const stria_view *const *inputs,
                                    const stria_exec *exec);

/* Runs a graph of passes alone for as many elements as out has, of which the inputs are parts. */
stria_status stria__graph_run_block(const stria_graph *graph, const stria_view *out,
                                    const stria_view *const *inputs, const stria_exec *exec);

/* Tells how a step runs; nothing of views and functions. */
stria_status stria__graph_explain_step(char *text, size_t size, const stria_graph *graph, int step,
                                       const stria_exec *exec);

/* Tells whether a view has the geometry that input i of the graph was made with. */
bool stria__graph_takes(const stria_graph *graph, int i, const stria_view *view);

/* Makes a view of the memory that an operand has, in its own geometry. */
stria_status stria__graph_add_view(stria_graph *graph, int *node, int operand,
                                   const stria_view *view);

/* The indices of a view in terms of those of its base: dim[d] steps by step[d] over one dim of it.
 */
struct index_map {
    int ndim, base;
    int dim[STRIA_MAX_NDIM]; /* -1: none, the elements repeat or there is one */
    int64_t shape[STRIA_MAX_NDIM], step[STRIA_MAX_NDIM];
    int64_t start[STRIA_MAX_NDIM]; /* of each dim of the base */
};

/* False where the view is none that steps over dims, as of a reshape that merges them. */
bool stria__index_map(struct index_map *map, const stria_view *base, const stria_view *view);
/* Makes the view that the map makes of `a`, whose shape broadcasts to that of the base. */
void stria__index_map_apply(stria_view *out, const struct index_map *map, const stria_view *a);

#endif
