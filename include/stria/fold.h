/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds, scans and group results by any operation of two inputs, the library's (op.h) or one that a
 * user has registered (user_function.h); numpy's ufunc.reduce, accumulate, reduceat, outer and at.
 *
 * Order. A fold of x0, x1, x2, ... is op(op(x0, x1), x2) and so on, in C order of the folded dims;
 * with an initial value, or else the identity of op, a fold over dims begins with op(initial, x0).
 * Operations with a reduction or a scan of their own are that: add is stria_sum and stria_cumsum,
 * multiply prod, maximum and minimum max and min, logical_and and logical_or all and any,
 * bitwise_and, _or and _xor bits_and, _or and _xor, logaddexp logsumexp, fmax and fmin nanmax and
 * nanmin, in the order and with the bits of those.
 *
 * Dtypes. Elements are converted to the dtype of their results, which has to be one that op gives
 * of two of its own: integers of a division become floats, those of gcd stay, sums and products of
 * integers are as those of stria_sum, and logic converts to bool. Comparisons of numbers give no
 * numbers (DTYPE). Results are rounded to it in every step. `dtype` of the options is what elements
 * are converted to instead. out may have any dtype to which that casts under same_kind rules.
 *
 * No elements give `initial`, or else the identity of op: 0 of add, gcd, hypot and bitwise_or, 1
 * of multiply, and so on; stria_op_identity tells. Where there is neither that is refused (SHAPE).
 *
 * out has any strides, either byte order and lazy bits, and may overlap the inputs: the result is
 * as if they had been copied first. With STRIA_NO_OVERLAP that is refused (OVERLAP).
 *
 * Errors. Everything is checked before anything is written. ARGUMENT: NULL, what is no view, an
 * operation that there is not or that has not two inputs, options that a function does not take, a
 * bad exec. DIM. SHAPE, READONLY, OVERLAP, DTYPE: out. INDEX: offsets, labels and indices. MEMORY.
 */
#ifndef STRIA_FOLD_H
#define STRIA_FOLD_H

#include "array.h"
#include "indexing.h"
#include "op.h"
#include "reduce.h"
#include "scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Tells whether there is a number that changes no other operand of op, as a left one at least, and
 * which; numpy's ufunc.identity. -1 of integers has all bits set. ARGUMENT: there is no such op.
 */
STRIA_API STRIA_MUST_USE stria_status stria_op_identity(double *out, bool *out_exists, stria_op op);

/*
 * Folds a over dims; as of reductions the shape of out tells whether they stay, with size 1. Of the
 * options initial, mask and dtype; a mask leaves elements out, for operations that have an
 * identity, and maximum and minimum with an initial value. numpy's
 * reduce takes several dims of operations that are commutative alone.
 */
STRIA_API STRIA_MUST_USE stria_status stria_fold_op(const stria_view *out, stria_op op,
                                                    const stria_view *a, int count, const int *dims,
                                                    const stria_reduce_options *options,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_fold_op_new(stria_array *out, stria_op op, const stria_view *a, int count, const int *dims,
                  const stria_reduce_options *options, const stria_exec *exec);

/*
 * Writes the folds of the first, of the first two, ... elements along dim; out has the shape of a,
 * and may be a itself. include_initial is for add and multiply alone.
 */
STRIA_API STRIA_MUST_USE stria_status stria_scan_op(const stria_view *out, stria_op op,
                                                    const stria_view *a, int dim,
                                                    const stria_scan_options *options,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_scan_op_new(stria_array *out, stria_op op, const stria_view *a, int dim,
                  const stria_scan_options *options, const stria_exec *exec);

/*
 * Folds parts of a along dim: result k is that of elements offsets[k] to before offsets[k + 1].
 * offsets is 1-d, of integers that never decrease, from 0 or more to at most the size of dim; out
 * has one element less than it along dim. torch.segment_reduce, and numpy's reduceat where indices
 * increase. Sums and products of floats are computed in f64 or c128, in order, and rounded once. Of
 * the options initial and dtype.
 */
STRIA_API STRIA_MUST_USE stria_status stria_segment_op(const stria_view *out, stria_op op,
                                                       const stria_view *a,
                                                       const stria_view *offsets, int dim,
                                                       const stria_reduce_options *options,
                                                       const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_segment_op_new(stria_array *out, stria_op op, const stria_view *a, const stria_view *offsets,
                     int dim, const stria_reduce_options *options, const stria_exec *exec);

/*
 * Does the same for elements of one label, in their order: labels is 1-d, of as many integers as a
 * has elements along dim, each 0 or more and below the size of out there, which is `bins` of a new
 * array. They need not be sorted. jax.ops.segment_sum; a group-by of all values of one key.
 */
STRIA_API STRIA_MUST_USE stria_status stria_label_op(const stria_view *out, stria_op op,
                                                     const stria_view *a, const stria_view *labels,
                                                     int dim, const stria_reduce_options *options,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_label_op_new(
    stria_array *out, stria_op op, const stria_view *a, const stria_view *labels, int dim,
    int64_t bins, const stria_reduce_options *options, const stria_exec *exec);

/*
 * Computes op of every element of a with every one of b, as stria_elementwise does: out has the
 * dims of a, then those of b. numpy's outer; stria_outer is that of multiply.
 */
STRIA_API STRIA_MUST_USE stria_status stria_outer_op(const stria_view *out, stria_op op,
                                                     const stria_view *a, const stria_view *b,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_outer_op_new(stria_array *out, stria_op op,
                                                                     const stria_view *a,
                                                                     const stria_view *b,
                                                                     const stria_exec *exec);

/*
 * Folds with f what g gives of the last dim of a and the first of b: out has the other dims of a,
 * then those of b. APL's f.g; add and multiply are a matrix product, in the order of stria_fold_op,
 * minimum and add its shortest paths.
 */
STRIA_API STRIA_MUST_USE stria_status stria_inner_op(const stria_view *out, stria_op f, stria_op g,
                                                     const stria_view *a, const stria_view *b,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_inner_op_new(stria_array *out, stria_op f,
                                                                     stria_op g,
                                                                     const stria_view *a,
                                                                     const stria_view *b,
                                                                     const stria_exec *exec);

/*
 * Computes out[items...] = op(out[items...], values), as often as an element is named, one after
 * another in C order of the indices; the items are those of stria_index_put. values is NULL for an
 * operation of one input. Values are converted to the dtype of out, if op gives that of two of its
 * own; else elements are computed in a copy of the dtype of the results, which have to cast to that
 * of out under same_kind rules. numpy's ufunc.at.
 */
STRIA_API STRIA_MUST_USE stria_status stria_op_at(const stria_view *out, stria_op op, int count,
                                                  const stria_index_item *items,
                                                  const stria_view *values,
                                                  stria_placement placement,
                                                  const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
