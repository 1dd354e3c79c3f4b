/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands between the brackets of x[...], or in the indices of index_put, for the library. */
#ifndef STRIA_LANG_INDEX_ITEMS_H
#define STRIA_LANG_INDEX_ITEMS_H

#include "failure.h"
#include "pool.h"
#include "stria/stria.h"
#include "tagged_value.h"

struct index_items {
    stria_index_item *items;
    int count;
    bool arrays; /* some item is an index array: the index copies */
};

/*
 * The items of a tuple or list: ints, slices, None, ..., arrays, and lists of ints or bools, which
 * become index arrays in the pool. ARGUMENT, OVERFLOW, SHAPE (a ragged list).
 */
stria_status stria__index_items_read(struct index_items *out, const struct value *list,
                                     struct pool *pool, struct failure *failure);

/* A bound of a slice, STRIA_NONE for None; numbers beyond 64 bits are clamped as Python does. */
stria_status stria__index_slice_part(const struct value *part, struct pool *pool,
                                     struct failure *failure, int64_t *out);

#endif
