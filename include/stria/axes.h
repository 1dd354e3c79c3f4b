/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that move and add dims, under the names of PyTorch and NumPy. The rules of view.h hold.
 */
#ifndef STRIA_AXES_H
#define STRIA_AXES_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Transposes a matrix; views of 0 and 1 dims stay as they are. torch.t. SHAPE for more than 2 dims.
 */
STRIA_API STRIA_MUST_USE stria_status stria_transpose_2d(stria_view *out, const stria_view *a);
/*
 * Moves dim source[i] to the place destination[i]; the other dims keep their order in the places
 * that are left. Each list names a dim at most once. torch.movedim, numpy.moveaxis.
 */
STRIA_API STRIA_MUST_USE stria_status stria_movedim(stria_view *out, const stria_view *a, int count,
                                                    const int *source, const int *destination);
/* Moves one dim to the place before dim `start`, which is -ndim .. ndim; numpy.rollaxis. */
STRIA_API STRIA_MUST_USE stria_status stria_rollaxis(stria_view *out, const stria_view *a, int dim,
                                                     int start);

/* Adds `count` dims of size 1, which have the listed places in the result; numpy.expand_dims. */
STRIA_API STRIA_MUST_USE stria_status stria_expand_dims(stria_view *out, const stria_view *a,
                                                        int count, const int *dims);
/*
 * Adds dims of size 1 up to 1, 2 or 3 dims: a vector becomes a row (1, n) and then (1, n, 1), a
 * matrix becomes (m, n, 1). torch.atleast_1d, numpy.atleast_1d and so on.
 */
STRIA_API STRIA_MUST_USE stria_status stria_atleast_1d(stria_view *out, const stria_view *a);
STRIA_API STRIA_MUST_USE stria_status stria_atleast_2d(stria_view *out, const stria_view *a);
STRIA_API STRIA_MUST_USE stria_status stria_atleast_3d(stria_view *out, const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
