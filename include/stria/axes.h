/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dims moved and added, under the names that PyTorch and NumPy have for it. The rules of view.h
 * hold.
 */
#ifndef STRIA_AXES_H
#define STRIA_AXES_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The transpose of a matrix; views of 0 and 1 dims stay. torch.t. SHAPE for more than 2 dims. */
STRIA_API STRIA_MUST_USE stria_status stria_t(stria_view *out, const stria_view *a);
/*
 * Dims source[i] to the places destination[i], the others in their order in the places left;
 * torch.movedim, numpy.moveaxis. Each list names a dim at most once.
 */
STRIA_API STRIA_MUST_USE stria_status stria_movedim(stria_view *out, const stria_view *a, int count,
                                                    const int *source, const int *destination);
/* One dim to the place before dim `start`, -ndim .. ndim; numpy.rollaxis. */
STRIA_API STRIA_MUST_USE stria_status stria_rollaxis(stria_view *out, const stria_view *a, int dim,
                                                     int start);

/*
 * Dims of size 1 that will have the listed places in the result, which has count dims more;
 * numpy.expand_dims.
 */
STRIA_API STRIA_MUST_USE stria_status stria_expand_dims(stria_view *out, const stria_view *a,
                                                        int count, const int *dims);
/*
 * At least 1, 2 or 3 dims: a vector becomes a row (1, n) and then (1, n, 1), a matrix (m, n, 1);
 * torch and NumPy: atleast_1d, atleast_2d, atleast_3d.
 */
STRIA_API STRIA_MUST_USE stria_status stria_atleast_1d(stria_view *out, const stria_view *a);
STRIA_API STRIA_MUST_USE stria_status stria_atleast_2d(stria_view *out, const stria_view *a);
STRIA_API STRIA_MUST_USE stria_status stria_atleast_3d(stria_view *out, const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
