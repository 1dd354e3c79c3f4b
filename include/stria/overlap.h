/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells whether views share bytes. Deciding it exactly is a bounded linear Diophantine problem,
 * which is hard in general and quick in almost all cases that occur. max_work bounds the search, in
 * steps of some ten nanoseconds each, after which the answer is TOO_HARD; a negative max_work is no
 * bound.
 */
#ifndef STRIA_OVERLAP_H
#define STRIA_OVERLAP_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Tells whether some byte belongs to an element of both; numpy.shares_memory. Item sizes and
 * strides may be any. SAME says nothing about elements of one view that overlap each other.
 */
STRIA_API stria_overlap stria_shares_memory(const stria_view *a, const stria_view *b,
                                            int64_t max_work);
/* Tells whether the ranges from first to last byte overlap; numpy.may_share_memory. */
STRIA_API bool stria_may_share_memory(const stria_view *a, const stria_view *b);
/* Tells whether two different elements of a share a byte: NO, YES or TOO_HARD. */
STRIA_API stria_overlap stria_overlaps_itself(const stria_view *a, int64_t max_work);

#ifdef __cplusplus
}
#endif

#endif
