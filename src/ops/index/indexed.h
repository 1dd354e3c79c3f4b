/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One mechanism under every function that indexes by arrays. The array `a` is seen as a base view
 * that stands still (stride 0) along the dims of the indices, and an i64 view of byte offsets says
 * where each element really lies:
 *
 *     element [i...] of the result  <->  *(base address of [i...] + offsets[i...])
 *
 * Base, offsets and the result are three operands of one plan; the iterator orders, merges and
 * threads them like any others, and one loop per item size moves the items.
 */
#ifndef STRIA_OPS_INDEXED_H
#define STRIA_OPS_INDEXED_H

#include "stria/indexing.h"

struct indexed {
    stria_view base;     /* the shape of the result; element 0 is a's element 0 */
    stria_view offsets;  /* i64, of the same shape */
    stria_array storage; /* what offsets lies in; meta when there are no values */
};

/* The arrays of one index and the dims of `a` that they address, in rising order. */
struct index_arrays {
    int count;
    int dims[STRIA_MAX_NDIM];
    const stria_view *arrays[STRIA_MAX_NDIM];
    int at; /* place of their dims among those of `a` that are left */
};

/* a[..., arrays, ...]: to be given back with stria__indexed_release. */
stria_status stria__indexed(struct indexed *out, const stria_view *a,
                            const struct index_arrays *index, stria_index_mode mode,
                            const char *op);
/* Element [i...] of the result has its index for `dim` in index[i...]; the others are its own. */
stria_status stria__indexed_along(struct indexed *out, const stria_view *a, int dim,
                                  const stria_view *index, stria_index_mode mode, const char *op);
/* `a` as if it were flat. */
stria_status stria__indexed_flat(struct indexed *out, const stria_view *a, const stria_view *index,
                                 stria_index_mode mode, const char *op);
void stria__indexed_release(struct indexed *indexed);

/* A new array of what is indexed. */
stria_status stria__indexed_read(stria_array *out, const struct indexed *from);
/* values, broadcast and converted, into what is indexed; `a` is the view that was indexed. */
stria_status stria__indexed_write(const struct indexed *to, const stria_view *a,
                                  const stria_view *values, stria_reduce reduce, const char *op);

/* A dense native i64 array of the values of an integer view. DTYPE. */
stria_status stria__index_values(stria_array *out, const stria_view *index, const char *op);

#endif
