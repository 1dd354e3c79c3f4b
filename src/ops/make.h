/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns new arrays: functions make one, fill it, and then deliver it or release it. */
#ifndef STRIA_OPS_MAKE_H
#define STRIA_OPS_MAKE_H

#include "stria/array.h"

/*
 * Makes an array in C order of the common dtype of n >= 1 views, in native byte order; in a meta
 * buffer if a view lies in one.
 */
STRIA_FILLS stria_status stria__make_for(stria_array *out, int n, const stria_view *const *views,
                                         int ndim, const int64_t *shape);
/* Does the same with exactly the dtype of one view. */
STRIA_FILLS stria_status stria__make_of(stria_array *out, const stria_view *a, int ndim,
                                        const int64_t *shape);
/* Makes an array of a dtype, in channels-last order when all n >= 1 views have it, else in C order.
 */
STRIA_FILLS stria_status stria__make_alike(stria_array *out, int n, const stria_view *const *views,
                                           stria_dtype dtype, int ndim, const int64_t *shape);

/* Moves `made` to *out when status is OK, otherwise releases it; returns status. */
STRIA_FILLS stria_status stria__deliver(stria_array *out, stria_array *made, stria_status status);

/* Applies conj and neg bits in place to items that were moved to `made` as they were stored. */
stria_status stria__apply_bits(const stria_view *made, uint32_t flags);

/* Writes zero bytes to every element, which is the zero of every dtype. */
stria_status stria__fill_zero(const stria_view *dst);

#endif
