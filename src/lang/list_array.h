/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays written out in an EXPR: [0, 2] among indices, 1.5 as a value to fill with. */
#ifndef STRIA_LANG_LIST_ARRAY_H
#define STRIA_LANG_LIST_ARRAY_H

#include "tagged_value.h"

/*
 * The value as an array: an array is itself, a number is 0-d, nested tuples and lists have the
 * shape of their nesting. bool, i64, f64 or c128, the first that holds every item; an empty list is
 * i64. ARGUMENT for other values, SHAPE for ragged lists, OVERFLOW beyond 64 bits.
 */
stria_status stria__list_array(const stria_view **out, const struct value *value, struct pool *pool,
                               struct failure *failure);

#endif
