/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that visit memory in other patterns: backwards, along diagonals, in overlapping windows,
 * with any strides. The rules of view.h hold.
 */
#ifndef STRIA_WINDOW_H
#define STRIA_WINDOW_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- flips -------------------------------------------------------------------------------- */

/* Reverses the listed dims; numpy.flip, as a view. count 0 with dims NULL reverses nothing. */
STRIA_API STRIA_MUST_USE stria_status stria_flip(stria_view *out, const stria_view *a, int count,
                                                 const int *dims);
/* Reverse dim 1 and dim 0; numpy.fliplr, numpy.flipud. DIM when there is no such dim. */
STRIA_API STRIA_MUST_USE stria_status stria_fliplr(stria_view *out, const stria_view *a);
STRIA_API STRIA_MUST_USE stria_status stria_flipud(stria_view *out, const stria_view *a);
/* Rotates by k quarter turns from dim0 towards dim1, k of any sign; numpy.rot90, as a view. */
STRIA_API STRIA_MUST_USE stria_status stria_rot90(stria_view *out, const stria_view *a, int64_t k,
                                                  int dim0, int dim1);

/* ---- diagonals and windows ---------------------------------------------------------------- */

/*
 * Views the diagonal of two distinct dims as a new last dim; torch.diagonal. torch.linalg.diagonal
 * is that of dims -2 and -1.
 */
STRIA_API STRIA_MUST_USE stria_status stria_diagonal(stria_view *out, const stria_view *a,
                                                     int64_t offset, int dim0, int dim1);
/*
 * Views windows of `size`, one every `step` along dim, as a new last dim; torch.Tensor.unfold.
 * SHAPE when the window does not fit, ARGUMENT for a step below 1. A 0-d view counts as one of size
 * 1.
 */
STRIA_API STRIA_MUST_USE stria_status stria_unfold(stria_view *out, const stria_view *a, int dim,
                                                   int64_t size, int64_t step);
/*
 * Views all windows of size window[i] along dims[i] and appends their dims in that order;
 * numpy.lib.stride_tricks.sliding_window_view. dims NULL means one window size for each dim. A dim
 * that is listed again gives windows of windows. The result is read-only unless writable is true.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sliding_window_view(stria_view *out,
                                                                const stria_view *a, int count,
                                                                const int64_t *window,
                                                                const int *dims, bool writable);

/* ---- any strides -------------------------------------------------------------------------- */

/*
 * Gives the view any shape and strides. offset is in bytes from the start of the buffer, as
 * torch.as_strided counts it (in elements), or from a's element [0, ..., 0] in foreign memory. The
 * result is always checked against the buffer, or against what a covers of foreign memory: BOUNDS,
 * OVERFLOW. The offset of an empty view may lie beyond, as in PyTorch; such a view is placed at the
 * end of the memory.
 */
STRIA_API STRIA_MUST_USE stria_status stria_as_strided(stria_view *out, const stria_view *a,
                                                       int ndim, const int64_t *shape,
                                                       const int64_t *strides, int64_t offset);
/*
 * Does the same with the offset counted from a's element [0, ..., 0], as in
 * numpy.lib.stride_tricks.as_strided.
 */
STRIA_API STRIA_MUST_USE stria_status stria_as_strided_from(stria_view *out, const stria_view *a,
                                                            int ndim, const int64_t *shape,
                                                            const int64_t *strides, int64_t offset);

#ifdef __cplusplus
}
#endif

#endif
