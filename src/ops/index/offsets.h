/* SPDX-License-Identifier: BSD-3-Clause */
/* Byte offsets of indices. */
#ifndef STRIA_OPS_INDEX_OFFSETS_H
#define STRIA_OPS_INDEX_OFFSETS_H

#include <stdatomic.h>

#include "ops/index/indexed_loops.h"
#include "simd/kernels.h"
#include "stria/indexing.h"
#include "stria/plan.h"

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
 * Runs the loops of indexed_loops.h over indices instead of offsets. Offsets are computed for a few
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

#endif
