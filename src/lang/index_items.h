/* SPDX-License-Identifier: BSD-3-Clause */
/* Indices of x[...] and of index_put, converted for the library. */
#pragma once

#include "function.h"

struct index_items {
    stria_index_item *items;
    int count;
    bool arrays; /* Some item is an index array, so that indexing copies. */
};

/*
 * Reads the items of a tuple or list: ints, slices, None, ..., arrays, and lists of ints or bools,
 * which become index arrays in the pool. ARGUMENT, OVERFLOW, SHAPE (a ragged list).
 */
stria_status stria__index_items_read(struct index_items *out, const struct value *list,
                                     struct pool *pool, struct failure *failure);

/* Tells whether a list of items consists of one field name, or of a list of names: x['a']. */
bool stria__index_is_field(const struct value *list);
/* Views those fields of a. */
stria_status stria__index_fields(stria_view *out, struct invocation *call, const stria_view *a,
                                 const struct value *list);

/* Indexes call->args[0].view by the items, as x[items] does; the result is call's. */
stria_status stria__index_run(struct invocation *call, const struct value *list);

/* Reads a bound of a slice, STRIA_NONE for None; numbers beyond 64 bits are clamped as Python
 * does. */
stria_status stria__index_slice_part(const struct value *part, struct pool *pool,
                                     struct failure *failure, int64_t *out);

/* Returns the items of x[key]: those of a tuple, or the key alone, which is borrowed. */
struct value stria__index_key(struct value *key);
