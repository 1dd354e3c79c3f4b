/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs, as stria/graph.h has them: nodes in the order in which they were made, so that operands
 * come first, and the steps that a prepared graph takes.
 *
 *     0 INPUT x   1 NUMBER 2   2 ELEMENT multiply 0 1   3 INPUT y   4 ELEMENT add 2 3
 *     5 REDUCE sum 4     is one step: FOLD of an expression of x and y
 */
#pragma once

#include "stria/expr.h"
#include "stria/graph.h"
#include "view/array.h"
#include "view/pool.h"

enum graph_kind {
    GRAPH_INPUT,
    GRAPH_NUMBER,
    GRAPH_ELEMENT,
    GRAPH_REDUCE,
    GRAPH_PRODUCT, /* A product of two matrices or vectors. */
    GRAPH_VIEW,
    GRAPH_CALL, /* It has no array itself; the GRAPH_ITEM nodes behind it have. */
    GRAPH_ITEM  /* One of the results of the call before it. */
};

struct graph_reduction {
    int count, dims[STRIA_MAX_NDIM];
    stria_reduce_options options; /* Its dtype is NULL or points to the member below. */
    stria_dtype dtype;
};

struct graph_call {
    char name[64];
    stria_graph_function *function;
    void *context;
    void (*release)(void *context);
    int count; /* Number of GRAPH_ITEM nodes that follow. */
};

struct graph_node {
    enum graph_kind kind;
    /* The stria_op of an ELEMENT, the stria_reduction of a REDUCE, the number of an INPUT. */
    int op;
    /* Number of the array in a run, or -1. Preparing the graph sets it and the next three
     * members. */
    int slot;
    int result; /* Number of the result that this node is if no step reads it, else -1. */
    int last; /* The last step that needs its array; behind all steps for a result, -1 for none. */
    bool shared;    /* Views of it, functions or the caller may refer to its memory. */
    stria_array is; /* Its geometry, which owns a buffer; only that of a number has memory. */
    _Alignas(16) char value[16]; /* The value of a NUMBER. */
    struct graph_reduction *reduction;
    struct graph_call *call;
    int count; /* Number of operands. */
    int operand[];
};

enum { GRAPH_TOGETHER = 4 /* Most results of one pass. */ };

/*
 * A step of a run: PASS writes what an expression computes, FOLD reduces it, PRODUCT multiplies it
 * with a vector, or one matrix with several.
 */
struct graph_step {
    enum { STEP_PASS, STEP_FOLD, STEP_VIEW, STEP_CALL, STEP_PRODUCT } what;
    int level;    /* Steps of one level do not need each other. */
    int together; /* The part of the graph that the results of a PASS are in. */
    /* The nodes that it computes; only a PASS and a PRODUCT have several. */
    int count, node[GRAPH_TOGETHER];
    stria_expr *expr; /* The expression that it computes; NULL if it reads arrays. */
    bool scaled; /* The last node that a PRODUCT reads is a number that its matrix is multiplied by.
                  */
    int number[GRAPH_TOGETHER]; /* the numbers of the results in the expression */
    int inputs, *input; /* The nodes that it reads, in the order of the expression's inputs. */
};

struct stria_graph {
    struct pool own;
    struct pool *pool; /* Holds everything of the graph: its own pool, or that of an evaluation. */
    stria_promotion rule;
    bool unnamed; /* Refusals do not name nodes, because the caller does not know them. */
    int count, room;
    struct graph_node **node;
    int inputs;
    /* The members below belong to a prepared graph. */
    bool prepared;
    int results, *result; /* The nodes of the results. */
    /* Step that writes each result; the number of steps if the result is copied at the end. */
    int *written;
    int *input; /* The nodes of the inputs. */
    int steps, step_room;
    struct graph_step *step;
    int slots;
    int shared; /* Number of results that no step writes to their places. */
};

/* Makes a graph in a pool. stria__graph_end releases what it refers to, the pool its memory.
 * MEMORY. */
stria_status stria__graph_in(stria_graph **out, struct pool *pool, stria_promotion rule);
void stria__graph_end(stria_graph *graph);

/* Returns zeroed memory of the graph, or NULL with the message set. */
void *stria__graph_take(const stria_graph *graph, size_t count, size_t size);

/* Makes *room larger until it is at least `count`, and keeps the items of the list. MEMORY. */
stria_status stria__graph_grow(const stria_graph *graph, void **list, int *room, int count,
                               size_t size);

/* Returns the exec of a call of the graph: the caller's, which may be NULL, with the graph's
 * promotion rule. */
static inline stria_exec graph_exec(const stria_graph *graph, const stria_exec *exec)
{
    stria_exec how = exec ? *exec : (stria_exec){0};
    how.hints &= ~(uint32_t)STRIA_PROMOTE_AS_NUMPY;
    if (graph->rule == STRIA_PROMOTE_NUMPY) how.hints |= STRIA_PROMOTE_AS_NUMPY;
    return how;
}

/* Returns the last step that reads input i or a view of it; -1: none. */
static inline int graph_last_read(const stria_graph *g, int i)
{
    return g->node[g->input[i]]->last;
}

static inline bool node_is_element(const struct graph_node *node)
{
    return node->kind == GRAPH_ELEMENT;
}

/* Tells whether it is another node than an operation by element that writes an array of its own. */
static inline bool node_is_new(const struct graph_node *node)
{
    return node->kind == GRAPH_REDUCE || node->kind == GRAPH_PRODUCT;
}

/* Returns which operand of a product of a matrix with a vector the matrix is, or -1. */
static inline int graph_matrix_of(const stria_graph *graph, const struct graph_node *node)
{
    if (node->kind != GRAPH_PRODUCT) return -1;
    const int a = graph->node[node->operand[0]]->is.view.ndim,
              b = graph->node[node->operand[1]]->is.view.ndim;
    return a == 2 && b == 1 ? 0 : a == 1 && b == 2 ? 1 : -1;
}

/* Tells whether the node has its array before any step runs. */
static inline bool node_is_given(const struct graph_node *node)
{
    return node->kind == GRAPH_INPUT || node->kind == GRAPH_NUMBER;
}

/* Releases the nodes from number `count` on, to which no other node refers. */
void stria__graph_truncate(stria_graph *graph, int count);

/* The library's guess of the cycles that an element of an operation takes. */
double stria__graph_cycles(int op);

/* Decides which arrays are kept and lists the steps that compute the results. MEMORY. */
stria_status stria__graph_cut(stria_graph *graph, const int *results);

/* Releases the steps, after which the graph is not prepared any more. */
void stria__graph_forget(stria_graph *graph);

/*
 * Runs a prepared graph of one result, into `out` or, if that is NULL, into *made. The inputs have
 * the geometries of their nodes; one that a reduction reads may have any strides; one that no step
 * reads may be NULL.
 */
stria_status stria__graph_run_bound(const stria_graph *graph, stria_array *made,
                                    const stria_view *out, const stria_view *const *inputs,
                                    const stria_exec *exec);

/* Runs a graph that has only passes, for as many elements as out has; the inputs are the matching
 * parts of the whole inputs. */
stria_status stria__graph_run_block(const stria_graph *graph, const stria_view *out,
                                    const stria_view *const *inputs, const stria_exec *exec);

/* Writes how a step runs, for passes and reductions; steps that make views or call functions have
 * no text. */
stria_status stria__graph_explain_step(char *text, size_t size, const stria_graph *graph, int step,
                                       const stria_exec *exec);

/* Runs a PRODUCT into the places of its nodes (products.c). */
stria_status stria__graph_multiply(const stria_graph *graph, const struct graph_step *step,
                                   const stria_view *const *outs, const stria_view *const *inputs,
                                   const stria_exec *exec);

/* Tells whether a view has the geometry that input i of the graph was made with. */
bool stria__graph_takes(const stria_graph *graph, int i, const stria_view *view);

/* Makes a view of the memory that an operand has, in its own geometry. */
stria_status stria__graph_add_view(stria_graph *graph, int *node, int operand,
                                   const stria_view *view);

/* Describes the indices of a view by those of its base: dim[d] of the base steps by step[d] with
 * dim d of the view. */
struct index_map {
    int ndim, base;
    int dim[STRIA_MAX_NDIM]; /* The dim of the base; -1 if the elements repeat or there is one. */
    int64_t shape[STRIA_MAX_NDIM], step[STRIA_MAX_NDIM];
    int64_t start[STRIA_MAX_NDIM]; /* First index along each dim of the base. */
};

/* Fills in the map of a view; false if the view does not step over dims, such as a reshape that
 * merges them. */
bool stria__index_map(struct index_map *map, const stria_view *base, const stria_view *view);
/* Applies the map to `a`, whose shape broadcasts to that of the base. */
void stria__index_map_apply(stria_view *out, const struct index_map *map, const stria_view *a);
