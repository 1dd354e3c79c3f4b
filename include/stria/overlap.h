/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Do two views share bytes? Deciding it exactly is a bounded linear Diophantine problem, hard in
 * general and quick for almost everything that occurs; max_work bounds the search (steps of some
 * ten nanoseconds; negative: no bound), after which the answer is TOO_HARD.
 */
#ifndef STRIA_OVERLAP_H
#define STRIA_OVERLAP_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Whether some byte belongs to an element of both; numpy.shares_memory. Item sizes and strides may
 * be any. SAME promises nothing about elements that overlap within one view.
 */
STRIA_API stria_overlap stria_shares_memory(const stria_view *a, const stria_view *b,
                                            int64_t max_work);
/* Whether the ranges from first to last byte meet; numpy.may_share_memory. */
STRIA_API bool stria_may_share_memory(const stria_view *a, const stria_view *b);
/* Whether two different elements share a byte: NO, YES or TOO_HARD. */
STRIA_API stria_overlap stria_overlaps_itself(const stria_view *a, int64_t max_work);

#ifdef __cplusplus
}
#endif

#endif
