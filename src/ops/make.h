/* SPDX-License-Identifier: BSD-3-Clause */
/* What all functions that return new arrays share: make, fill, then deliver or give back. */
#ifndef STRIA_OPS_MAKE_H
#define STRIA_OPS_MAKE_H

#include "stria/array.h"

/*
 * A new C-order array of the dtype that n >= 1 views have in common, which is in native byte order,
 * in memory like theirs.
 */
stria_status stria__make_for(stria_array *out, int n, const stria_view *const *views, int ndim,
                             const int64_t *shape);
/* The same of the very dtype of one view. */
stria_status stria__make_of(stria_array *out, const stria_view *a, int ndim, const int64_t *shape);
/* As make_for, in the channels-last order when all views lie in it. */
stria_status stria__make_alike(stria_array *out, int n, const stria_view *const *views, int ndim,
                               const int64_t *shape);

/* Hands `made` to the caller when status is OK, otherwise releases it; returns status. */
stria_status stria__deliver(stria_array *out, stria_array *made, stria_status status);

/* Carries out, in place, what the flags of a view say of the items that were moved to `made`. */
stria_status stria__apply_bits(const stria_view *made, uint32_t flags);

/* Zero bytes in every element: the zero of every dtype. */
stria_status stria__fill_zero(const stria_view *dst);

#endif
