/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of indexed.h. Operands: 0 destination, 1 source, 2 the view of offsets or indices (i64,
 * any address).
 */
#ifndef STRIA_OPS_INDEX_INDEXED_H
#define STRIA_OPS_INDEX_INDEXED_H

#include <stdatomic.h>

#include "view/array.h"
#include "simd/combine.h"
#include "simd/kernels.h"
#include "stria/array.h"
#include "stria/indexing.h"
#include "stria/plan.h"

/* arg of the loops below, unless another one is named */
struct move {
    int64_t item;        /* bytes */
    int64_t scale, wrap; /* those of struct indexed, as is the next one */
    uint64_t last;
    combine_loop *combine; /* loop that stria__combine_rows returned */
};

/* Moves rows of items that have one offset each. The loops call this; it is no loop itself. */
void stria__move_rows(char *const *ptr, const stria_dim *d, const struct move *how, int64_t item,
                      bool scatter);

/* The loop that moves items unchanged: the offsets belong to the source, or to the destination. */
stria_loop *stria__index_loop(int64_t item, bool scatter);

/*
 * Returns the kernel of destination = destination op source, for items of a native numeric dtype;
 * NULL when there is none. For a mean it is the sum.
 */
combine_loop *stria__combine_kernel(stria_dtype dtype, stria_reduce reduce);
/* The loop that runs it. */
stria_status stria__combine_rows(char *const *ptr, const stria_dim *d, const void *arg);

/* ---- byte offsets of indices ---------------------------------------------------------------- */

/* The items that an index counts: the elements of one dim, or of all dims in C order. */
struct counted {
    stria_plan nest; /* one operand, in C order: from the number of an element to its bytes */
    int64_t size;
    int dim; /* for messages; -1 when elements are numbered in C order */
    /* Set by stria__count_by. */
    enum beyond beyond;
    struct located_dim dims[STRIA_MAX_NDIM];
};
/* Decides how indices become offsets, once the other fields are set. */
void stria__count_by(struct counted *counted, stria_index_mode mode);

/*
 * Runs the loops above over indices instead of offsets. Offsets are computed for a few
 * indices at a time; of what has one dim, they are the numbers of elements.
 */
struct located {
    const struct counted *counted;
    stria_index_mode mode;
    stria_loop *loop;
    const struct move *how; /* arg of the loop; its wrap is 0 */
    atomic_bool *refused;   /* set when an index is refused during use; NULL where all were checked
                               before */
};
/* arg is a struct located. Does nothing more once an index was refused. */
stria_status stria__locate_rows(char *const *ptr, const stria_dim *d, const void *arg);

/*
 * Computes offsets[i...] += (first: =) the byte offset of element index[i...], for all i. index is
 * i64, dense in C order, not empty, and is broadcast to offsets. INDEX, with the first value that
 * is out of range.
 */
stria_status stria__add_offsets(const stria_view *offsets, bool first, const stria_view *index,
                                const struct counted *counted, stria_index_mode mode,
                                const char *op);

/*
 * Checks that n indices, adjacent i64 at any address, are in range; *plain tells whether all lie in
 * 0 .. size-1. INDEX.
 */
stria_status stria__check_indices(bool *plain, const char *indices, int64_t n,
                                  const struct counted *counted, stria_index_mode mode,
                                  const char *op);
/* Checks that n indices that were u64, now adjacent i64, are below 2^63. INDEX. */
stria_status stria__check_huge(const char *indices, int64_t n, const struct counted *counted,
                               const char *op);

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

struct indexed {
    stria_view base;    /* the shape of the result; element 0 is a's element 0 */
    stria_view offsets; /* i64, of the same shape */
    /*
     * An offset is (its value in the view, plus wrap if that is negative) times scale. Values above
     * `last` count as 0: they were checked before, and have changed since.
     */
    int64_t scale, wrap;
    uint64_t last;
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

static inline void indexed_drop(const struct indexed *indexed)
{
    array_drop(&indexed->storage);
}

/* Declares what stria__indexed makes, which is given back where its block ends. */
#define OWNED_INDEXED(name)                                                                        \
    __attribute__((cleanup(indexed_drop))) struct indexed name;                                    \
    array_none(&(name).storage)

/* Makes *out, which is OWNED. For reading, indices may be left to be checked when they are used. */
stria_status stria__indexed(struct indexed *out, const stria_view *a, const struct place *place,
                            bool reading, const char *op);

/* Makes a new array of the elements of a at a place. */
STRIA_FILLS stria_status stria__take_at(stria_array *out, const stria_view *a,
                                        const struct place *place, const char *op);
/* Writes them to out, of their shape, to whose dtype they cast under same_kind rules. */
stria_status stria__take_into(const stria_view *out, const stria_view *a, const struct place *place,
                              const char *op);
/* Copies the array as it is stored, in C order. */
STRIA_FILLS stria_status stria__copy_stored(stria_array *out, const stria_view *a);
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
/* Does stria__indexed_write for any dtype, at a place of dst (put_at.c). */
stria_status stria__put_at(const stria_view *dst, const struct place *place,
                           const stria_view *values, struct combining how, const char *op);

/* Makes a dense, aligned, native i64 array of the values of an integer view. DTYPE. */
STRIA_FILLS stria_status stria__index_values(stria_array *out, const stria_view *index,
                                             const char *op);

/* ---- functions on masks that several files use ---------------------------------------------- */

/* Counts the true elements of a mask of dtype bool. UNSUPPORTED without memory. */
stria_status stria__count_true(int64_t *count, const stria_view *mask, const char *op);

/*
 * Checks what a function that writes where a mask is true takes, `name` being values, and
 * broadcasts the mask to dst's shape; one that shares memory with dst is copied before dst is
 * written.
 */
STRIA_FILLS stria_status stria__mask_of(stria_array *out, const stria_view *mask,
                                        const stria_view *dst, const stria_view *values,
                                        const char *op, const char *name);
#endif
