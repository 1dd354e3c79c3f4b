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
 * offsets[i...] += the byte offset of element index[i...], for all i; index is i64 and is broadcast
 * to offsets. INDEX, naming the first value that is out of range; some offsets are changed then.
 */
stria_status stria__add_offsets(const stria_view *offsets, const stria_view *index,
                                const struct counted *counted, stria_index_mode mode,
                                const char *op);

#endif
