/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions: several elementwise operations over the same elements that run in one pass over
 * memory. `(x - y)**2 * 0.5` op by op writes and reads two arrays that nobody asked for; as an
 * expression its intermediate results are rows of some kilobytes that never leave the first-level
 * cache. numexpr and torch.compile are relatives.
 *
 *     stria_expr *e;
 *     int x, y, d;
 *     stria_status s = stria_expr_make(&e);
 *     if (!s) s = stria_expr_input(e, &x, 0);
 *     if (!s) s = stria_expr_input(e, &y, 1);
 *     if (!s) s = stria_expr_op(e, &d, STRIA_SUBTRACT, 2, (int[]){x, y});
 *     if (!s) s = stria_expr_op(e, &d, STRIA_MULTIPLY, 2, (int[]){d, d});
 *     if (!s) s = stria_expr_evaluate(&out, e, 2, (const stria_view *[]){&a, &b}, NULL);
 *     stria_expr_release(e);
 *
 * or, of text, stria_expr_parse(&e, "(x - y)**2", 2, (const char *[]){"x", "y"}).
 *
 * An expression is a list of nodes: inputs by number, weak scalars, operations and casts of earlier
 * nodes. Its value is that of the node that was made last. It knows no dtypes and no shapes: they
 * are those of the views that it is evaluated with, so the same expression serves many. Views of
 * inputs (x.T, x[::-1]) are simply made by the caller, and cost nothing.
 *
 * Results are those of the operations one after the other (stria_elementwise_new for each node,
 * stria_astype for casts, the last one into out), bit for bit but for the sign and payload of NaN:
 * the same kernels run, and the dtypes of each node are those of stria_result_dtype, by the rule
 * that exec->hints tell. Nodes that compute the same are computed once, and those without inputs
 * once for all elements. Up to 32 input arrays are read in one pass if their strides and item
 * sizes are of up to 7 kinds, as those of a stencil's views are of one; in a reduction, and for
 * several results, up to 7 arrays. What has more, or more than some 60 operations, takes several
 * passes, with temporary arrays in between.
 *
 * Weak scalars stay Python's numbers until they meet another operand: a node all of whose operands
 * are weak is computed in i64, f64 or c128 (bool where Python has bool), whatever the rule is, and
 * is a weak scalar, too. So -b * t with b = 0.3 and t of f64 is what Python computes. Where no
 * operand is another one, that is the dtype of the result. Integers that 64 bits do not hold, //
 * and % of an integer by 0, and negative powers of integers are refused (ARGUMENT).
 *
 * Ownership and threads. stria_expr_release releases an expression. Building one is not
 * thread-safe; evaluating changes nothing in it, so any number of threads may evaluate one at once.
 * Views are borrowed for the time of the call.
 *
 * Errors name the node, and come before anything is written.
 */
#ifndef STRIA_EXPR_H
#define STRIA_EXPR_H

#include "array.h"
#include "elementwise.h"
#include "reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_EXPR_NODES = 1000 }; /* of an expression, at most */
enum { STRIA_EXPR_INPUTS = 32 };  /* numbers of inputs are below */
enum { STRIA_EXPR_OUTPUTS = 7 };  /* of one evaluation, at most */

typedef struct stria_expr stria_expr;

/* Makes an expression without nodes. *out is owned by the caller. MEMORY. */
STRIA_API STRIA_MUST_USE stria_status stria_expr_make(stria_expr **out);

/* Releases an expression. NULL is fine. */
STRIA_API void stria_expr_release(stria_expr *expr);

/*
 * Each of these makes a node and stores its number, from 0 on, in *out. On failure the expression
 * is what it was. ARGUMENT: NULL, a number of an input or a node that there is not, an unknown
 * operation or a number of operands that it does not take, more than STRIA_EXPR_NODES nodes.
 * MEMORY.
 */

/* Input `index`: the view of that number of an evaluation. */
STRIA_API STRIA_MUST_USE stria_status stria_expr_input(stria_expr *expr, int *out, int index);
/* A weak scalar as stria_weak makes them, of the same kinds; *value is copied. */
STRIA_API STRIA_MUST_USE stria_status stria_expr_scalar(stria_expr *expr, int *out, stria_kind kind,
                                                        const void *value);
/* An operation on n earlier nodes, in the order of its function. */
STRIA_API STRIA_MUST_USE stria_status stria_expr_op(stria_expr *expr, int *out, stria_op op, int n,
                                                    const int *operands);
/* The numbers of an earlier node in another dtype, BOOL .. C128, as stria_copy converts them. */
STRIA_API STRIA_MUST_USE stria_status stria_expr_cast(stria_expr *expr, int *out, int operand,
                                                      stria_kind kind);

/*
 * Makes an expression of text in Python's language: "(x - y)**2 * 0.5", "where(x < y, exp(x), 0)",
 * "x.maximum(y).to(f32)". names: of the n inputs, in the order of an evaluation; NULL where n is 0.
 *
 * It is the language of eval.h without views: operators have its levels, and comparisons do not
 * chain. Operations are called by its names and those of stria_op_name, as functions or as methods
 * of their first operand; .to(DTYPE) and .astype(DTYPE) cast: f32, torch.float32, 'f4'. Numbers are
 * weak scalars: 3, 0x1F, 2.5e-3, 1j, True, False, inf, nan, pi, e, where no input has that name.
 * Views are not made here: they are inputs.
 *
 * *out is owned by the caller and written only on success. Messages begin with the column, which
 * stria_eval_column tells, too. FORMAT: what cannot be read or is none of that, and more than 40
 * brackets, signs and right operands within each other. ARGUMENT: NULL, n out of 0 ..
 * STRIA_EXPR_INPUTS, more than STRIA_EXPR_NODES nodes. DTYPE: a cast to what is no number.
 * OVERFLOW: more than 4 MiB of text. MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_expr_parse(stria_expr **out, const char *text, int n,
                                                       const char *const *names);

/*
 * out = the expression. Inputs have numeric dtypes and broadcast to the shape of out; what is said
 * of shapes, dtypes of out, masks, aliasing and threads in elementwise.h holds. inputs: n views, of
 * which those that the expression names are read; weak scalars are allowed. ARGUMENT: an expression
 * without nodes, or with an input of number n and more. MEMORY: temporaries.
 */
STRIA_API STRIA_MUST_USE stria_status stria_expr_evaluate(const stria_view *out,
                                                          const stria_expr *expr, int n,
                                                          const stria_view *const *inputs,
                                                          const stria_exec *exec);

/*
 * Evaluates into a new array of the shape to which the inputs broadcast and of the dtype that
 * stria_expr_result_dtype tells, dense in the order of dims on which the inputs agree (NumPy's
 * order 'K'). Without memory where an input lies in a meta buffer. *out is owned by the caller and
 * written only on success. MEMORY, OVERFLOW (the size of the result).
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_expr_evaluate_new(stria_array *out, const stria_expr *expr, int n,
                        const stria_view *const *inputs, const stria_exec *exec);

/*
 * Several results in one pass over memory: out[i] = the value of nodes[i], any node, for each of
 * `count`, 1 to STRIA_EXPR_OUTPUTS; what they have in common is computed once. The outputs have one
 * shape, and each its own dtype; what is said of out above and in elementwise.h holds for each. All
 * are checked before any is written. Inputs and the mask may overlap them in any way and are copied
 * where they do; outputs that share bytes with each other are refused (OVERLAP). What does not fit
 * into one pass (8 arrays, outputs counted, and some 60 operations) takes several. ARGUMENT: no
 * such node, or count out of its range. MEMORY: temporaries.
 */
STRIA_API STRIA_MUST_USE stria_status stria_expr_evaluate_several(const stria_view *const *out,
                                                                  const stria_expr *expr, int count,
                                                                  const int *nodes, int n,
                                                                  const stria_view *const *inputs,
                                                                  const stria_exec *exec);

/* The dtype of the result, native, as stria_result_dtype tells it of one operation. */
STRIA_API STRIA_MUST_USE stria_status stria_expr_result_dtype(stria_dtype *out,
                                                              const stria_expr *expr, int n,
                                                              const stria_view *const *inputs,
                                                              stria_promotion rule);

/*
 * Tells how stria_expr_evaluate would run: for each pass its instructions, the items of a block and
 * the operands that are put in order first, as stria_elementwise_explain tells. For people to read.
 * The views may lie in meta buffers; nothing is computed. text receives at most size bytes,
 * terminated. ARGUMENT too where text is NULL or size is 0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_expr_explain(char *text, size_t size, size_t *length,
                                                         const stria_view *out,
                                                         const stria_expr *expr, int n,
                                                         const stria_view *const *inputs,
                                                         const stria_exec *exec);

/*
 * out = a reduction of what the expression gives, over `count` dims of the shape to which its
 * inputs broadcast: sum((x - y)**2) reads x and y once and writes the sum. What is said in reduce.h
 * of dims, out, options and refusals holds; the result is that of stria_expr_evaluate_new and
 * stria_reduce_dims, bit for bit, but no array of more than 2048 elements is made (complex numbers
 * excepted).
 */
STRIA_API STRIA_MUST_USE stria_status stria_expr_reduce(const stria_view *out,
                                                        const stria_expr *expr, stria_reduction op,
                                                        int n, const stria_view *const *inputs,
                                                        int count, const int *dims,
                                                        const stria_reduce_options *options,
                                                        const stria_exec *exec);
/* Reduces into a new array, as stria_reduce_dims_new makes it. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_expr_reduce_new(stria_array *out, const stria_expr *expr, stria_reduction op, int n,
                      const stria_view *const *inputs, int count, const int *dims,
                      const stria_reduce_options *options, const stria_exec *exec);
/* Tells how it would run, for people to read; text as for stria_expr_explain. */
STRIA_API STRIA_MUST_USE stria_status stria_expr_reduce_explain(
    char *text, size_t size, size_t *length, const stria_view *out, const stria_expr *expr,
    stria_reduction op, int n, const stria_view *const *inputs, int count, const int *dims,
    const stria_reduce_options *options, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
