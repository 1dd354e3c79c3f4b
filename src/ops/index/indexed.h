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

#include "ops/index/offsets.h"
#include "stria/indexing.h"

struct indexed {
    stria_view base;    /* the shape of the result; element 0 is a's element 0 */
    stria_view offsets; /* i64, of the same shape */
    /* What stands there is multiplied by scale; before that, wrap is added to what is negative. */
    int64_t scale, wrap;
    bool locates;   /* indices stand there, from which `counted` makes offsets first */
    bool unchecked; /* and they are checked when they are used, which `mode` says how */
    stria_index_mode mode;
    struct counted counted;    /* of the last index */
    stria_array storage;       /* what offsets lies in; meta when there are no values */
    int order[STRIA_MAX_NDIM]; /* the dims of a new result from the slowest to the fastest */
};

/* The arrays of one index and the dims of `a` that they address, in rising order. */
struct index_arrays {
    int count;
    int dims[STRIA_MAX_NDIM];
    const stria_view *arrays[STRIA_MAX_NDIM];
    int at; /* place of their dims among those of `a` that are left */
};

/* What an index means, of whatever array of the shape that it is made for. */
struct place {
    enum {
        PLACE_ARRAYS, /* [..., arrays, ...] */
        PLACE_DIM,    /* the same with one array, index, for `dim` */
        PLACE_ALONG, /* element [i...] has its index for `dim` in index[i...]; others are its own */
        PLACE_FLAT   /* elements by number */
    } way;
    const struct index_arrays *arrays;
    const stria_view *index;
    int dim; /* 0 .. ndim-1; of a view of 0 dims 0 */
    stria_index_mode mode;
};

/*
 * To be given back with stria__indexed_release. For reading alone: indices may be left to be
 * checked as they are used.
 */
stria_status stria__indexed(struct indexed *out, const stria_view *a, const struct place *place,
                            bool reading, const char *op);
void stria__indexed_release(struct indexed *indexed);

/* A new array of what is at a place of a. */
stria_status stria__take_at(stria_array *out, const stria_view *a, const struct place *place,
                            const char *op);
/*
 * values, broadcast and converted, into what is indexed; `a` is the view that was indexed. To
 * combine, its items must have a loop of stria__combine_loop, native byte order and no lazy bits.
 */
stria_status stria__indexed_write(const struct indexed *to, const stria_view *a,
                                  const stria_view *values, stria_reduce reduce, const char *op);

/*
 * Values as items of dst's own dtype that share no byte with it: a copy where they are not, or
 * where flat is asked for and they do not lie side by side in C order.
 */
stria_status stria__values_for(stria_array *out, const stria_view *values, const stria_view *dst,
                               bool flat);

/* How values meet what is there. */
struct meeting {
    stria_reduce reduce;
    bool without_self; /* what is there gives way to the first value */
    bool round_once;   /* floats of 1 and 2 bytes are summed and multiplied in f32 */
};
/* stria__indexed_write of any dtype, at a place of dst: reduce.c. */
stria_status stria__put_at(const stria_view *dst, const struct place *place,
                           const stria_view *values, struct meeting how, const char *op);

/* A dense native i64 array of the values of an integer view. DTYPE. */
stria_status stria__index_values(stria_array *out, const stria_view *index, const char *op);

#endif
