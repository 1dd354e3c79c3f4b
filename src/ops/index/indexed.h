/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mechanism of all functions that index by arrays. The array `a` becomes a base view that has
 * stride 0 along the dims of the indices, and an i64 view of indices or byte offsets tells where
 * each element lies:
 *
 *     element [i...] of the result  <->  *(base address of [i...] + offset of [i...])
 *
 * Base, offsets and the result are three operands of one plan; the iterator orders, merges and
 * threads them like any others, and one loop per item size moves the items. Indices become offsets
 * while they are walked over, some at a time, in memory that only the call knows.
 */
#pragma once

#include "view/array.h"
#include "plan/threads.h"
#include "simd/combine.h"
#include "simd/kernels.h"
#include "stria/array.h"
#include "stria/indexing.h"
#include "stria/plan.h"

/*
 * The argument of loops that take items by offsets. Operands: 0 destination, 1 source, 2 i64
 * numbers of elements, at any address, which are `scale` bytes apart.
 */
struct move {
    int64_t item; /* Bytes of an item. */
    int64_t scale;
    combine_loop *combine; /* The loop that stria__combine_rows runs. */
    map_loop *apply;       /* The loop that stria__apply_rows runs. */
};

/* Returns the loop that moves items unchanged; the numbers belong to the destination if `scatter`,
 * else to the source. */
stria_loop *stria__index_loop(int64_t item, bool scatter);

/*
 * Returns the kernel of destination = destination op source, for items of a native numeric dtype;
 * NULL when there is none. For a mean it is the sum.
 */
combine_loop *stria__combine_kernel(stria_dtype dtype, stria_reduce reduce);
/* Runs that kernel over a plan. */
stria_status stria__combine_rows(char *const *ptr, const stria_dim *d, const void *arg);

/*
 * Computes destination = apply(destination, source) over a plan, one element after another or,
 * where they have one offset, row by row.
 */
stria_status stria__apply_rows(char *const *ptr, const stria_dim *d, const void *arg);

/* ---- from indices to offsets ----------------------------------------------------------------- */

/* The items that an index counts: the elements of one dim, or of all dims in C order. */
struct counted {
    struct locate located;
    int64_t scale; /* Bytes for each number that stria_kernels.locate makes of an index. */
    int dim;       /* The dim for messages; -1 when elements are numbered in C order. */
    stria_index_mode mode;
};

/* Counts the elements of a dim of `a`, or all of them if dim is -1. */
stria_status stria__count_items(struct counted *out, const stria_view *a, int dim,
                                stria_index_mode mode);

/*
 * The argument of stria__walk_indices, which runs `loop` for some indices at a time: operand 2, of
 * indices, becomes memory of numbers for the loop. INDEX without a message if one is out of range.
 */
struct index_walk {
    const struct counted *counted;
    stria_loop *loop;
    const void *arg;
};
stria_status stria__walk_indices(char *const *ptr, const stria_dim *d, const void *arg);
/* Returns INDEX with a message for indices, i64 in C order, one of which a walk has refused. */
stria_status stria__refuse_walked(const stria_view *indices, const struct counted *counted,
                                  const char *op);

/* Checks that indices, i64 in C order, are in range. INDEX. */
stria_status stria__check_indices(const stria_view *indices, const struct counted *counted,
                                  const char *op);
/* Checks that indices which were u64 and are i64 now are below 2^63. INDEX. */
stria_status stria__check_huge(const stria_view *indices, const struct counted *counted,
                               const char *op);

/* ---- what is indexed ------------------------------------------------------------------------- */

struct indexed {
    stria_view base;    /* A view with the shape of the result; its element 0 is a's element 0. */
    stria_view offsets; /* Offsets of elements, i64, of the same shape. */
    bool counts;        /* The offsets are indices of `counted`, else bytes. */
    bool unchecked;     /* The indices are checked only when they are used. */
    struct counted counted;
    stria_array storage;       /* Owns the memory of offsets; meta when there are no values. */
    int order[STRIA_MAX_NDIM]; /* The dims of a new result, from the slowest to the fastest. */
};

/* The arrays of one index and the dims of `a` that they index, in rising order. */
struct index_arrays {
    int count;
    int dims[STRIA_MAX_NDIM];
    const stria_view *arrays[STRIA_MAX_NDIM];
    int at; /* Place of the indexed dims among the other dims of `a`. */
};

/* The meaning of an index, for any array of the shape that it is made for. */
struct place {
    enum {
        PLACE_ARRAYS, /* Means [..., arrays, ...]. */
        PLACE_DIM,    /* Means the same with one array, `index`, for `dim`. */
        /* Element [i...] has index index[i...] in `dim`, and its own index in other dims. */
        PLACE_ALONG,
        PLACE_FLAT /* Elements are named by their number in C order. */
    } way;
    const struct index_arrays *arrays;
    const stria_view *index;
    int dim; /* The dim is 0 .. ndim-1; 0 for a view of 0 dims. */
    stria_index_mode mode;
};

static inline void indexed_drop(const struct indexed *indexed)
{
    array_drop(&indexed->storage);
}

/* Declares an indexed, which is released at the end of the block. */
#define OWNED_INDEXED(name)                                                                        \
    __attribute__((cleanup(indexed_drop))) struct indexed name;                                    \
    array_none(&(name).storage)

/* Makes *out, an OWNED_INDEXED. unchecked: indices out of range are refused when they are used. */
stria_status stria__indexed(struct indexed *out, const stria_view *a, const struct place *place,
                            bool unchecked, const char *op);

/* Makes a new array of the elements of a at a place. */
STRIA_FILLS stria_status stria__take_at(stria_array *out, const stria_view *a,
                                        const struct place *place, const char *op);
/* Writes the elements of a at a place to out, which has their shape, and to whose dtype they cast
 * under same_kind rules. */
stria_status stria__take_into(const stria_view *out, const stria_view *a, const struct place *place,
                              const char *op);
/* Copies the array as it is stored, in C order. */
STRIA_FILLS stria_status stria__copy_stored(stria_array *out, const stria_view *a);
/*
 * Writes values, broadcast and converted, to the elements of a at a place. To combine values, its
 * items must have a kernel of stria__combine_kernel, native byte order and no lazy bits.
 */
stria_status stria__write_place(const stria_view *a, const struct place *place,
                                const stria_view *values, stria_reduce reduce, const char *op);

/*
 * Applies a loop of native items of a's dtype, without lazy bits, to the elements at a place and to
 * values, broadcast and converted; values is NULL for a loop of one input. alone: in this thread.
 */
stria_status stria__apply_place(const stria_view *a, const struct place *place,
                                const stria_view *values, map_loop *apply, bool alone,
                                const char *op);

/* Writes to the elements of a at a place. */
typedef stria_status write_at(void *arg, const stria_view *a, const struct place *place);

/* Calls it for the place of items, as stria_index_put takes them, in a view of a. */
stria_status stria__at_items(const stria_view *a, int count, const stria_index_item *items,
                             stria_placement placement, write_at *write, void *arg);

/*
 * Returns values as items of dst's dtype that share no byte with dst. They are copied if they are
 * not such items, or if `flat` asks for dense C order.
 */
STRIA_FILLS stria_status stria__values_for(stria_array *out, const stria_view *values,
                                           const stria_view *dst, bool flat);

/* How values are combined with the elements. */
struct combining {
    stria_reduce reduce;
    bool without_self; /* The first value replaces the element. */
    bool round_once;   /* Floats of 1 and 2 bytes are summed and multiplied in f32. */
};
/* Does what stria__write_place does, for any dtype (put_at.c). */
stria_status stria__put_at(const stria_view *dst, const struct place *place,
                           const stria_view *values, struct combining how, const char *op);

/* Makes a dense, aligned, native i64 array of the values of an integer view. DTYPE. */
STRIA_FILLS stria_status stria__index_values(stria_array *out, const stria_view *index,
                                             const char *op);

/*
 * Walks over parts of a plan along a dim, each by one thread of the crew; part i of the loop gets
 * args + i * apart.
 */
stria_status stria__walk_divided(const struct crew *crew, const stria_plan *plan, int dim,
                                 stria_loop *loop, const void *args, int64_t apart);

/* ---- functions on masks that several files use ---------------------------------------------- */

/* Counts the true elements of a mask of dtype bool. UNSUPPORTED without memory. */
stria_status stria__count_true(int64_t *count, const stria_view *mask, const char *op);

/*
 * Checks the arguments of a function that writes values, called `name`, where a mask is true, and
 * broadcasts the mask to dst's shape. A mask that shares memory with dst is copied before dst is
 * written.
 */
STRIA_FILLS stria_status stria__mask_of(stria_array *out, const stria_view *mask,
                                        const stria_view *dst, const stria_view *values,
                                        const char *op, const char *name);
