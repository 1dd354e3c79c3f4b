/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements repeated without being copied: a stride of 0. The rules of view.h hold. */
#ifndef STRIA_BROADCAST_H
#define STRIA_BROADCAST_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes of 1 repeated (stride 0), new leading dims added, -1 keeps a size; torch.expand. */
STRIA_API STRIA_MUST_USE stria_status stria_expand(stria_view *out, const stria_view *a, int ndim,
                                                   const int64_t *shape);
/* To the shape of b; torch.Tensor.expand_as. out may be b. */
STRIA_API STRIA_MUST_USE stria_status stria_expand_as(stria_view *out, const stria_view *a,
                                                      const stria_view *b);
/* As expand, without -1, and read-only when elements repeat; numpy.broadcast_to. */
STRIA_API STRIA_MUST_USE stria_status stria_broadcast_to(stria_view *out, const stria_view *a,
                                                         int ndim, const int64_t *shape);

/*
 * The shape that n >= 0 views broadcast to, aligned on the right: *ndim sizes, for which shape has
 * room for 64. numpy.broadcast_shapes. BROADCAST names the two views that disagree.
 */
STRIA_API STRIA_MUST_USE stria_status stria_broadcast_shape(int *ndim, int64_t *shape, int n,
                                                            const stria_view *const *views);
/* out[i] is views[i] expanded to the shape of all; out[i] may be views[i]. torch.broadcast_tensors.
 */
STRIA_API STRIA_MUST_USE stria_status stria_broadcast_tensors(stria_view *out, int n,
                                                              const stria_view *const *views);

enum {
    STRIA_MESH_XY = 1,    /* the first two dims swapped, indexing='xy'; otherwise 'ij' */
    STRIA_MESH_SPARSE = 2 /* sizes of 1 instead of repeated elements, numpy.meshgrid(sparse=True) */
};
/*
 * A grid over n coordinate vectors (1-d, or 0-d for one point), 1 <= n <= 64: out[i] has n dims and
 * varies with views[i] along dim i. torch.meshgrid, numpy.meshgrid(copy=False). out[i] may be
 * views[i]. SHAPE for views of more dims, OVERFLOW.
 */
STRIA_API STRIA_MUST_USE stria_status stria_meshgrid(stria_view *out, int n,
                                                     const stria_view *const *views,
                                                     uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
