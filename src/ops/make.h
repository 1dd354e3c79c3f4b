/* SPDX-License-Identifier: BSD-3-Clause */
/* New arrays for results: functions make one, fill it, and then deliver it or release it. */
#pragma once

#include "base/status.h"
#include "stria/array.h"
#include "view/array.h"

/* Makes an array in C order of a view's dtype, in a meta buffer if the view lies in one. */
STRIA_FILLS stria_status stria__make_of(stria_array *out, const stria_view *a, int ndim,
                                        const int64_t *shape);
/* Returns channels-last order when all n >= 1 views have it and these dims, else C order. */
stria_order stria__common_order(int n, const stria_view *const *views, int ndim);

/* Moves `made` to *out when status is OK, otherwise releases it; returns status. */
STRIA_FOR_LINALG STRIA_FILLS stria_status stria__deliver(stria_array *out, stria_array *made,
                                                         stria_status status);

/* Refuses a NULL for the result of op, and declares the array that will be delivered there. */
#define MAKES(made, out, op)                                                                       \
    if (!(out)) return stria__fail(STRIA_ERR_ARGUMENT, op ": out is NULL");                        \
    OWNED_ARRAY(made)

/* Applies conj and neg bits in place to items that were moved to `made` as they were stored. */
stria_status stria__apply_bits(const stria_view *made, uint32_t flags);

/* Writes zero bytes to every element, which is the zero of every dtype. */
stria_status stria__fill_zero(const stria_view *dst);

/* ---- the memory order of a result, chosen by the strides of several operands of its shape
 * -------- */

/*
 * Makes a dense array of the n >= 1 views' shape and the given dtype, in a meta buffer when `near`
 * lies in one, with the dims in the memory order of the views. The views vote: of two dims the one
 * with the larger strides goes outside; strides of 0 do not count, and where views disagree the
 * dims stay as in C order. So the layout does not depend on the order of the operands; numpy's
 * order 'K'.
 */
STRIA_FILLS stria_status stria__make_voted(stria_array *out, int n, const stria_view *const *views,
                                           const stria_view *near, stria_dtype dtype);

/*
 * Does so for n >= 0 views that broadcast together, on behalf of op, in a meta buffer when one of
 * them lies in one. BROADCAST, OVERFLOW, MEMORY.
 */
stria_status stria__make_result(stria_array *out, const char *op, int n,
                                const stria_view *const *views, stria_dtype dtype);

/*
 * Makes `count` results of dtypes for n views, 1 to STRIA_USER_INPUTS, that broadcast together, on
 * behalf of op. Where there is a mask, which may be NULL, it takes part in the shape, and the
 * results are zeros: what it leaves out is not written.
 */
stria_status stria__make_results(int count, stria_array *out, const stria_dtype *dtypes,
                                 const char *op, int n, const stria_view *const *views,
                                 const stria_view *mask);

/* Makes a dense array with the dims listed from the slowest to the fastest. */
STRIA_FILLS stria_status stria__make_ordered(stria_array *out, const stria_view *near,
                                             stria_dtype dtype, int ndim, const int64_t *shape,
                                             const int *order);

/* Returns the stride of operand i along dim d of the result; 0 where it has none. */
typedef int64_t stria__stride_of(const void *operands, int i, int d);
/*
 * Orders the dims of a result for stria__make_ordered. The first operand that has strides for both
 * of two dims decides: the dim with the larger stride goes outside, of equal strides that with the
 * larger size. Dims about which no operand decides stay as in C order. This is the rule of
 * PyTorch's TensorIterator.
 */
void stria__order_by_first(int *order, int ndim, const int64_t *shape, int n,
                           stria__stride_of *stride, const void *operands);
