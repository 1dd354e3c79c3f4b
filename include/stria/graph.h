/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs: calls that are written down first, looked at together, and then run often. Operations by
 * element that follow each other run in one pass over memory, a reduction reads what it reduces
 * without an array in between, a view of what was computed by element is computed from views of its
 * operands, and each temporary array is given back after its last use.
 *
 *     stria_graph *g;
 *     int x, y, twice, sum, total;
 *     stria_status s = stria_graph_make(&g, STRIA_PROMOTE_TORCH);
 *     if (!s) s = stria_graph_input(g, &x, &a.view);
 *     if (!s) s = stria_graph_input(g, &y, &b.view);
 *     if (!s) s = stria_graph_op(g, &twice, STRIA_ADD, 2, (int[]){x, x});
 *     if (!s) s = stria_graph_op(g, &sum, STRIA_ADD, 2, (int[]){twice, y});
 *     if (!s) s = stria_graph_reduce(g, &total, STRIA_SUM, sum, 1, (int[]){0}, NULL);
 *     if (!s) s = stria_graph_prepare(g, 1, &total);
 *     if (!s) s = stria_graph_run_new(&made, g, 2, (const stria_view *[]){&a.view, &b.view}, NULL);
 *     stria_graph_release(g);
 *
 * A graph is made for inputs of certain shapes, strides and dtypes, and runs over any memory that
 * has these: shapes, dtypes and what a call refuses are found once, when its node is made.
 * Geometries are views without memory (stria_buffer_meta), on which functions of views work, too.
 * stria_graph_text (eval.h) makes nodes of text.
 *
 * Results have the bits of the same calls one after the other, but for the sign and payload of NaN.
 * A view of what was computed by element may lie in another order than that of the calls, for which
 * products of floats have other bits, unless exec->hints has STRIA_REPRODUCIBLE.
 *
 * Ownership and threads. stria_graph_release releases a graph. Making nodes and preparing is not
 * thread-safe; a prepared graph does not change, so any number of threads may run one at once.
 */
#ifndef STRIA_GRAPH_H
#define STRIA_GRAPH_H

#include "array.h"
#include "elementwise.h"
#include "reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_GRAPH_NODES = 65536 }; /* of a graph, at most */

typedef struct stria_graph stria_graph;

/* Makes a graph without nodes, whose calls promote by a rule. *out is owned. ARGUMENT, MEMORY. */
STRIA_API STRIA_MUST_USE stria_status stria_graph_make(stria_graph **out, stria_promotion rule);

/* Releases a graph. NULL is fine. */
STRIA_API void stria_graph_release(stria_graph *graph);

/*
 * Each of these makes a node and stores its number in *out; operands are numbers of earlier nodes.
 * On failure the graph is what it was. ARGUMENT: NULL, no such node, a graph that is prepared, too
 * many nodes; else what the function that is called refuses. Messages name the node. MEMORY.
 */

/* The next input of a run, counted from 0, which has this geometry. A weak scalar stays a number:
 * each run has its own, of the same kind. */
STRIA_API STRIA_MUST_USE stria_status stria_graph_input(stria_graph *graph, int *out,
                                                        const stria_view *like);
/* A weak scalar as stria_weak makes them, of the same kinds; *value is copied. */
STRIA_API STRIA_MUST_USE stria_status stria_graph_scalar(stria_graph *graph, int *out,
                                                         stria_kind kind, const void *value);
/* Applies an operation by element, as stria_elementwise_new does. */
STRIA_API STRIA_MUST_USE stria_status stria_graph_op(stria_graph *graph, int *out, stria_op op,
                                                     int n, const int *operands);
/*
 * Reduces `count` dims of an operand, as stria_reduce_dims_new does; of the options keepdims, ddof,
 * p and dtype are there. UNSUPPORTED: others.
 */
STRIA_API STRIA_MUST_USE stria_status stria_graph_reduce(stria_graph *graph, int *out,
                                                         stria_reduction op, int operand, int count,
                                                         const int *dims,
                                                         const stria_reduce_options *options);
/*
 * A product of matrices or vectors, as stria_matmul_new makes it. Where the library's own kernels
 * multiply (f32 and f64 by dense vectors, "Bits" in contract.h), several products of one matrix
 * with vectors, also where one is of the result of another, read the matrix once, and a matrix that
 * is computed by element for a product with a vector is never there as a whole.
 */
STRIA_API STRIA_MUST_USE stria_status stria_graph_matmul(stria_graph *graph, int *out, int a,
                                                         int b);
/*
 * Makes a view of an operand: what functions of views gave of its geometry (base NULL), or of
 * `base`, any view of the same shape and dtype, of which no element is looked at. BOUNDS: what does
 * not lie in it. UNSUPPORTED: what does not step over dims of a base, as a reshape that merges
 * them.
 */
STRIA_API STRIA_MUST_USE stria_status stria_graph_view(stria_graph *graph, int *out, int operand,
                                                       const stria_view *base,
                                                       const stria_view *view);

/*
 * A function of the user's, which stores `count` arrays that it makes, with the geometries that it
 * promised, and returns a status; what it stored is released where that is not OK. Any thread that
 * runs the graph calls it.
 */
typedef stria_status stria_graph_function(void *context, int count, stria_array *made, int n,
                                          const stria_view *const *operands,
                                          const stria_exec *exec);
typedef struct stria_graph_call {
    const char *name; /* for messages, copied; at most 63 bytes of it */
    stria_graph_function *function;
    void *context;
    void (*release)(void *context); /* NULL: nothing; called when the graph goes */
    int count;                      /* of results, 1 or more */
    const stria_view *const *likes; /* their geometries */
    uint64_t reserved[2];           /* must be zero */
} stria_graph_call;
/* Calls a function; its results are the nodes *out, *out + 1, ... Releases nothing on failure. */
STRIA_API STRIA_MUST_USE stria_status stria_graph_call_function(stria_graph *graph, int *out,
                                                                const stria_graph_call *call, int n,
                                                                const int *operands);

/* Returns the geometry of a node, which lives as long as the graph; NULL where there is none. */
STRIA_API const stria_view *stria_graph_geometry(const stria_graph *graph, int node);

/*
 * Decides what is computed together: passes of about 60 instructions, cut where the fewest arrays
 * are needed later. results: `count` nodes, 1 or more. ARGUMENT: it was prepared before. MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_graph_prepare(stria_graph *graph, int count,
                                                          const int *results);

/*
 * Runs a prepared graph over n inputs into arrays that exist, one for each result, with its shape
 * and of a dtype to which its own casts. All that can be refused is so before anything is written:
 * ARGUMENT: NULL, a graph that is not prepared, another number of inputs, an input of another
 * geometry or without memory; SHAPE, DTYPE, READONLY; OVERLAP: outputs that share bytes with each
 * other, or with an input that is read after the output was written; with STRIA_NO_OVERLAP also
 * with one that is read as it is written, unless in place. exec may be NULL; its mask is refused,
 * and its rule is not looked at. A step that finds no memory (MEMORY), a negative power of an
 * integer or an error of a function ends the run, when earlier steps may have written their
 * results; stria_graph_run_new gives all results or none.
 */
STRIA_API STRIA_MUST_USE stria_status stria_graph_run(const stria_view *const *out,
                                                      const stria_graph *graph, int n,
                                                      const stria_view *const *inputs,
                                                      const stria_exec *exec);
/* Runs it into new arrays, one for each result; all of them, or none. Views of inputs are shared.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_graph_run_new(stria_array *out, const stria_graph *graph, int n,
                    const stria_view *const *inputs, const stria_exec *exec);

/*
 * Tells which steps a prepared graph takes, a line for each, for people to read. Stores the bytes
 * that all of it has in *length where that is not NULL; text receives at most size, terminated.
 */
STRIA_API STRIA_MUST_USE stria_status stria_graph_explain(char *text, size_t size, size_t *length,
                                                          const stria_graph *graph);

#ifdef __cplusplus
}
#endif

#endif
