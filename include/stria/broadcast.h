/* SPDX-License-Identifier: BSD-3-Clause */
/* Views that repeat elements by strides of 0 instead of copying them. The rules of view.h hold. */
#ifndef STRIA_BROADCAST_H
#define STRIA_BROADCAST_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Repeats sizes of 1 (stride 0) and adds leading dims; -1 keeps a size. torch.expand. */
STRIA_API STRIA_MUST_USE stria_status stria_expand(stria_view *out, const stria_view *a, int ndim,
                                                   const int64_t *shape);
/* Expands a to the shape of b; torch.Tensor.expand_as. out may be b. */
STRIA_API STRIA_MUST_USE stria_status stria_expand_as(stria_view *out, const stria_view *a,
                                                      const stria_view *b);
/*
 * Does as stria_expand without -1; the result is read-only where elements repeat.
 * numpy.broadcast_to.
 */
STRIA_API STRIA_MUST_USE stria_status stria_broadcast_to(stria_view *out, const stria_view *a,
                                                         int ndim, const int64_t *shape);

/*
 * Computes the shape that n >= 0 views broadcast to, aligned on the right: *ndim sizes, for which
 * shape has room for 64. BROADCAST names the two views that disagree.
 */
STRIA_API STRIA_MUST_USE stria_status stria_broadcast_shape(int *out_ndim, int64_t *out_shape,
                                                            int n, const stria_view *const *views);
/*
 * Does the same of shapes alone, shapes[i] of ndims[i] sizes. numpy.broadcast_shapes,
 * torch.broadcast_shapes. SHAPE for negative sizes and more than 64 dims.
 */
STRIA_API STRIA_MUST_USE stria_status stria_broadcast_shapes(int *out_ndim, int64_t *out_shape,
                                                             int n, const int *ndims,
                                                             const int64_t *const *shapes);
/*
 * Expands every views[i] to their common shape, as out[i], which may be views[i].
 * torch.broadcast_tensors.
 */
STRIA_API STRIA_MUST_USE stria_status stria_broadcast_tensors(stria_view *out, int n,
                                                              const stria_view *const *views);

enum {
    STRIA_MESH_XY = 1,    /* swap the first two dims, indexing='xy'; otherwise 'ij' */
    STRIA_MESH_SPARSE = 2 /* sizes of 1 instead of repeated elements, numpy.meshgrid(sparse=True) */
};
/*
 * Makes a grid over n coordinate vectors (1-d, or 0-d for one point), 1 <= n <= 64: out[i] has n
 * dims and varies with views[i] along dim i. torch.meshgrid, numpy.meshgrid(copy=False). out[i] may
 * be views[i]. SHAPE for views of more dims, OVERFLOW.
 */
STRIA_API STRIA_MUST_USE stria_status stria_meshgrid(stria_view *out, int n,
                                                     const stria_view *const *views,
                                                     uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
