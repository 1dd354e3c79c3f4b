/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One view into several, side by side along a dim. The rules of view.h hold.
 *
 * Each function answers with *count pieces. out NULL only counts. Otherwise out has room for `room`
 * views, and fewer than needed is an error (ARGUMENT) that leaves out untouched. One of the pieces
 * may replace the view that is split.
 */
#ifndef STRIA_SPLIT_H
#define STRIA_SPLIT_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pieces of `size`, the last one shorter; torch.split(size). */
STRIA_API STRIA_MUST_USE stria_status stria_split(stria_view *out, int64_t room, int64_t *count,
                                                  const stria_view *a, int64_t size, int dim);
/* Pieces of the given sizes, which must add up to the dim; torch.split_with_sizes. */
STRIA_API STRIA_MUST_USE stria_status stria_split_sizes(stria_view *out, int64_t room,
                                                        int64_t *count, const stria_view *a,
                                                        int64_t n, const int64_t *sizes, int dim);
/* At most `chunks` pieces of equal size, the last one shorter; torch.chunk. */
STRIA_API STRIA_MUST_USE stria_status stria_chunk(stria_view *out, int64_t room, int64_t *count,
                                                  const stria_view *a, int64_t chunks, int dim);
/* One view for each index of dim, which goes; torch.unbind. */
STRIA_API STRIA_MUST_USE stria_status stria_unbind(stria_view *out, int64_t room, int64_t *count,
                                                   const stria_view *a, int dim);

/*
 * Exactly `sections` pieces, the first ones longer by 1 where it does not divide;
 * torch.tensor_split(n), numpy.array_split(n). SHAPE for less than 1 section.
 */
STRIA_API STRIA_MUST_USE stria_status stria_tensor_split(stria_view *out, int64_t room,
                                                         int64_t *count, const stria_view *a,
                                                         int64_t sections, int dim);
/*
 * n + 1 pieces, cut before each of n indices, which are bounds of slices: negative ones count from
 * the end, all are clamped, decreasing ones leave empty pieces. torch.tensor_split(indices),
 * numpy.split(indices).
 */
STRIA_API STRIA_MUST_USE stria_status stria_tensor_split_at(stria_view *out, int64_t room,
                                                            int64_t *count, const stria_view *a,
                                                            int64_t n, const int64_t *indices,
                                                            int dim);
/* Exactly `sections` pieces of equal size, SHAPE otherwise; numpy.split(n). */
STRIA_API STRIA_MUST_USE stria_status stria_split_equal(stria_view *out, int64_t room,
                                                        int64_t *count, const stria_view *a,
                                                        int64_t sections, int dim);

/*
 * split_equal and tensor_split_at along the dim of columns (1, or 0 of a 1-d view), of rows (0, for
 * 2 dims or more) or of depth (2, for 3 dims or more); torch and NumPy: hsplit, vsplit, dsplit.
 */
STRIA_API STRIA_MUST_USE stria_status stria_hsplit(stria_view *out, int64_t room, int64_t *count,
                                                   const stria_view *a, int64_t sections);
STRIA_API STRIA_MUST_USE stria_status stria_hsplit_at(stria_view *out, int64_t room, int64_t *count,
                                                      const stria_view *a, int64_t n,
                                                      const int64_t *indices);
STRIA_API STRIA_MUST_USE stria_status stria_vsplit(stria_view *out, int64_t room, int64_t *count,
                                                   const stria_view *a, int64_t sections);
STRIA_API STRIA_MUST_USE stria_status stria_vsplit_at(stria_view *out, int64_t room, int64_t *count,
                                                      const stria_view *a, int64_t n,
                                                      const int64_t *indices);
STRIA_API STRIA_MUST_USE stria_status stria_dsplit(stria_view *out, int64_t room, int64_t *count,
                                                   const stria_view *a, int64_t sections);
STRIA_API STRIA_MUST_USE stria_status stria_dsplit_at(stria_view *out, int64_t room, int64_t *count,
                                                      const stria_view *a, int64_t n,
                                                      const int64_t *indices);

#ifdef __cplusplus
}
#endif

#endif
