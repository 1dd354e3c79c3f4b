/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of a result that several operands of one shape have a say in. */
#ifndef STRIA_OPS_RESULT_LAYOUT_H
#define STRIA_OPS_RESULT_LAYOUT_H

#include "stria/array.h"

/*
 * A new dense array of the n >= 1 views' shape and the dtype given, in memory like `near`, its dims
 * in the memory order that the views have. All vote: between two dims the one with the larger
 * strides goes outside; strides of 0 abstain, and where views disagree the dims stay as in C order.
 * So the layout does not depend on the order of the operands; numpy's order 'K'.
 */
stria_status stria__make_voted(stria_array *out, int n, const stria_view *const *views,
                               const stria_view *near, stria_dtype dtype);

/* A new dense array with the dims listed from the slowest to the fastest, in memory like `near`. */
stria_status stria__make_ordered(stria_array *out, const stria_view *near, stria_dtype dtype,
                                 int ndim, const int64_t *shape, const int *order);

/* The stride of operand i along dim d of the result, 0 where it has none of its own. */
typedef int64_t stria__stride_of(const void *operands, int i, int d);
/*
 * The dims of a result in an order for stria__make_ordered. Between two dims the first operand
 * decides that has strides for both: the larger one, or of equal ones the larger size, goes
 * outside. Where none can tell the dims stay as in C order. PyTorch's TensorIterator.
 */
void stria__first_decides(int *order, int ndim, const int64_t *shape, int n,
                          stria__stride_of *stride, const void *operands);

#endif
