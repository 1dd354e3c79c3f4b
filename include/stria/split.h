/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One view split into several along a dim. The rules of view.h hold.
 *
 * Each function sets *out_count to the number of pieces. With out NULL it does nothing else.
 * Otherwise out has room for `room` views; less than needed is an error (ARGUMENT) that leaves out
 * untouched. One of the pieces may replace the view that is split.
 */
#ifndef STRIA_SPLIT_H
#define STRIA_SPLIT_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Splits into pieces of `size`, of which the last one may be shorter; torch.split(size). */
STRIA_API STRIA_MUST_USE stria_status stria_split(stria_view *out, int64_t room, int64_t *out_count,
                                                  const stria_view *a, int64_t size, int dim);
/* Splits into pieces of the given sizes, which must add up to the dim; torch.split_with_sizes. */
STRIA_API STRIA_MUST_USE stria_status stria_split_sizes(stria_view *out, int64_t room,
                                                        int64_t *out_count, const stria_view *a,
                                                        int count, const int64_t *sizes, int dim);
/*
 * Splits into at most `chunks` pieces of one size, of which the last may be shorter; torch.chunk.
 */
STRIA_API STRIA_MUST_USE stria_status stria_chunk(stria_view *out, int64_t room, int64_t *out_count,
                                                  const stria_view *a, int64_t chunks, int dim);
/* Makes one view for each index of dim, which is dropped; torch.unbind. */
STRIA_API STRIA_MUST_USE stria_status stria_unbind(stria_view *out, int64_t room,
                                                   int64_t *out_count, const stria_view *a,
                                                   int dim);

/*
 * Splits into exactly `sections` pieces, the first ones longer by 1 where the size does not divide;
 * torch.tensor_split(n), numpy.array_split(n). SHAPE for less than 1 section.
 */
STRIA_API STRIA_MUST_USE stria_status stria_tensor_split(stria_view *out, int64_t room,
                                                         int64_t *out_count, const stria_view *a,
                                                         int64_t sections, int dim);
/*
 * Splits into n + 1 pieces, cut before each of n indices. These are bounds of slices: negative ones
 * count from the end, all are clamped, and decreasing ones make empty pieces.
 * torch.tensor_split(indices), numpy.split(indices).
 */
STRIA_API STRIA_MUST_USE stria_status stria_tensor_split_at(stria_view *out, int64_t room,
                                                            int64_t *out_count, const stria_view *a,
                                                            int count, const int64_t *indices,
                                                            int dim);
/* Splits into exactly `sections` pieces of one size, SHAPE otherwise; numpy.split(n). */
STRIA_API STRIA_MUST_USE stria_status stria_split_equal(stria_view *out, int64_t room,
                                                        int64_t *out_count, const stria_view *a,
                                                        int64_t sections, int dim);

/*
 * These are split_equal and tensor_split_at along the dim of columns (1, or 0 of a 1-d view), of
 * rows (0, for 2 dims or more) or of depth (2, for 3 dims or more); torch.hsplit, numpy.hsplit and
 * so on.
 */
STRIA_API STRIA_MUST_USE stria_status stria_hsplit(stria_view *out, int64_t room,
                                                   int64_t *out_count, const stria_view *a,
                                                   int64_t sections);
STRIA_API STRIA_MUST_USE stria_status stria_hsplit_at(stria_view *out, int64_t room,
                                                      int64_t *out_count, const stria_view *a,
                                                      int count, const int64_t *indices);
STRIA_API STRIA_MUST_USE stria_status stria_vsplit(stria_view *out, int64_t room,
                                                   int64_t *out_count, const stria_view *a,
                                                   int64_t sections);
STRIA_API STRIA_MUST_USE stria_status stria_vsplit_at(stria_view *out, int64_t room,
                                                      int64_t *out_count, const stria_view *a,
                                                      int count, const int64_t *indices);
STRIA_API STRIA_MUST_USE stria_status stria_dsplit(stria_view *out, int64_t room,
                                                   int64_t *out_count, const stria_view *a,
                                                   int64_t sections);
STRIA_API STRIA_MUST_USE stria_status stria_dsplit_at(stria_view *out, int64_t room,
                                                      int64_t *out_count, const stria_view *a,
                                                      int count, const int64_t *indices);

#ifdef __cplusplus
}
#endif

#endif
