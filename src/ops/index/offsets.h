/* SPDX-License-Identifier: BSD-3-Clause */
/* From indices to byte offsets. */
#ifndef STRIA_OPS_INDEX_OFFSETS_H
#define STRIA_OPS_INDEX_OFFSETS_H

#include "stria/indexing.h"
#include "stria/plan.h"

/* What an index counts: the elements of one dim, or of all dims as if they were flat. */
struct counted {
    stria_plan nest; /* one operand, in C order: from the number of an element to its bytes */
    int64_t size;
    int dim; /* for messages; -1: flat */
};

/*
 * offsets[i...] += (first: =) the byte offset of element index[i...], for all i; index is i64 and
 * is broadcast to offsets. INDEX, naming the first value that is out of range; some offsets are
 * changed then.
 */
stria_status stria__add_offsets(const stria_view *offsets, bool first, const stria_view *index,
                                const struct counted *counted, stria_index_mode mode,
                                const char *op);

/*
 * Every offset is the index, and the size more where it is negative, times the one stride of what
 * is counted: nothing has to be added up.
 */
bool stria__is_scaled(const struct counted *counted, stria_index_mode mode);
/* Then: whether n of them, i64 side by side at any address, are in range. INDEX. */
stria_status stria__check_indices(const char *indices, int64_t n, const struct counted *counted,
                                  stria_index_mode mode, const char *op);

#endif
