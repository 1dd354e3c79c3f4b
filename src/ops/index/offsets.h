/* SPDX-License-Identifier: BSD-3-Clause */
/* From indices to byte offsets. */
#ifndef STRIA_OPS_INDEX_OFFSETS_H
#define STRIA_OPS_INDEX_OFFSETS_H

#include <stdatomic.h>

#include "ops/index/move.h"
#include "simd/kernels.h"
#include "stria/indexing.h"
#include "stria/plan.h"

/* What an index counts: the elements of one dim, or of all dims as if they were flat. */
struct counted {
    stria_plan nest; /* one operand, in C order: from the number of an element to its bytes */
    int64_t size;
    int dim; /* for messages; -1: flat */
    /* By stria__count_by: */
    enum beyond beyond;
    struct located_dim dims[STRIA_MAX_NDIM];
};
/* How they are counted, once the rest is known. */
void stria__count_by(struct counted *counted, stria_index_mode mode);

/*
 * The loops of move.h for indices instead of offsets, which are found for a few at a time; of what
 * has one dim, the numbers of elements.
 */
struct located {
    const struct counted *counted;
    stria_index_mode mode;
    stria_loop *loop;
    const struct move *how; /* of the loop; wrap is 0 */
    atomic_bool *refused;   /* where indices are checked when they are used, else NULL */
};
/* arg: located. Does nothing more once an index was refused. */
stria_status stria__locate_rows(char *const *ptr, const stria_dim *d, const void *arg);

/*
 * offsets[i...] += (first: =) the byte offset of element index[i...], for all i; index is i64,
 * dense in C order, not empty, and is broadcast to offsets. INDEX, naming the first value that is
 * out of range.
 */
stria_status stria__add_offsets(const stria_view *offsets, bool first, const stria_view *index,
                                const struct counted *counted, stria_index_mode mode,
                                const char *op);

/*
 * Whether n indices, i64 side by side at any address, are in range; *plain: they all lie in
 * 0 .. size-1. INDEX.
 */
stria_status stria__check_indices(bool *plain, const char *indices, int64_t n,
                                  const struct counted *counted, stria_index_mode mode,
                                  const char *op);
/* Whether n indices that were u64, now i64 side by side, are below 2^63. INDEX. */
stria_status stria__check_huge(const char *indices, int64_t n, const struct counted *counted,
                               const char *op);

#endif
