/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mechanism of all functions that index by arrays. The array `a` becomes a base view that has
 * stride 0 along the dims of the indices, and an i64 view of byte offsets tells where each element
 * lies:
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
    /* An offset is (its value in the view, plus wrap if that is negative) times scale. */
    int64_t scale, wrap;
    bool locates;   /* the view holds indices, from which `counted` computes offsets */
    bool unchecked; /* the indices are checked when they are used, by the rule of `mode` */
    stria_index_mode mode;
    struct counted counted;    /* the items that the last index counts */
    stria_array storage;       /* owns the memory of offsets; meta when there are no values */
    int order[STRIA_MAX_NDIM]; /* the dims of a new result, from the slowest to the fastest */
};

/* The arrays of one index and the dims of `a` that they index, in rising order. */
struct index_arrays {
    int count;
    int dims[STRIA_MAX_NDIM];
    const stria_view *arrays[STRIA_MAX_NDIM];
    int at; /* place of the indexed dims among the other dims of `a` */
};

/* The meaning of an index, for any array of the shape that it is made for. */
struct place {
    enum {
        PLACE_ARRAYS, /* [..., arrays, ...] */
        PLACE_DIM,    /* the same with one array, `index`, for `dim` */
        PLACE_ALONG,  /* element [i...] has index index[i...] in `dim`, and its own in other dims */
        PLACE_FLAT    /* elements are named by their number in C order */
    } way;
    const struct index_arrays *arrays;
    const stria_view *index;
    int dim; /* 0 .. ndim-1; 0 for a view of 0 dims */
    stria_index_mode mode;
};

/*
 * Makes *out, to be released with stria__indexed_release. For reading, indices may be left to be
 * checked when they are used.
 */
stria_status stria__indexed(struct indexed *out, const stria_view *a, const struct place *place,
                            bool reading, const char *op);
void stria__indexed_release(struct indexed *indexed);

/* Makes a new array of the elements of a at a place. */
STRIA_FILLS stria_status stria__take_at(stria_array *out, const stria_view *a,
                                        const struct place *place, const char *op);
/*
 * Writes values, broadcast and converted, to what is indexed; `a` is the indexed view. To combine
 * values, its items must have a kernel of stria__combine_kernel, native byte order and no lazy
 * bits.
 */
stria_status stria__indexed_write(const struct indexed *to, const stria_view *a,
                                  const stria_view *values, stria_reduce reduce, const char *op);

/*
 * Returns values as items of dst's dtype that share no byte with dst: a copy where they are not, or
 * where `flat` asks for dense C order and they are not in it.
 */
STRIA_FILLS stria_status stria__values_for(stria_array *out, const stria_view *values,
                                           const stria_view *dst, bool flat);

/* Ways to combine values with the elements. */
struct combining {
    stria_reduce reduce;
    bool without_self; /* the first value replaces the element */
    bool round_once;   /* floats of 1 and 2 bytes are summed and multiplied in f32 */
};
/* Does stria__indexed_write for any dtype, at a place of dst: reduce.c. */
stria_status stria__put_at(const stria_view *dst, const struct place *place,
                           const stria_view *values, struct combining how, const char *op);

/* Makes a dense native i64 array of the values of an integer view. DTYPE. */
STRIA_FILLS stria_status stria__index_values(stria_array *out, const stria_view *index,
                                             const char *op);

#endif
