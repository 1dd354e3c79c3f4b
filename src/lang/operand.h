/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers, and lists of them, as arrays: [0, 2] among indices, .masked_fill(mask, 0.5). */
#ifndef STRIA_LANG_OPERAND_H
#define STRIA_LANG_OPERAND_H

#include "function.h"
#include "tagged_value.h"

/*
 * The value as an array: an array is itself, a number is 0-d, nested tuples and lists have the
 * shape of their nesting. bool, i64, f64 or c128, the first that holds every item; an empty list is
 * i64. ARGUMENT for other values, SHAPE for ragged lists, OVERFLOW beyond 64 bits.
 */
stria_status stria__list_array(const stria_view **out, const struct value *value, struct pool *pool,
                               struct failure *failure);

/* What an elementwise op takes: an array, or a number that gives way in promotion. */

/*
 * An array is itself, a number a weak scalar, a list what literal_array makes of it; in the pool.
 * ARGUMENT for other values, OVERFLOW for integers beyond 64 bits.
 */
stria_status stria__weak_operand(const stria_view **out, const struct value *value,
                                 struct pool *pool, struct failure *failure);

/* Of a number that fits in 64 bits: what stria_weak takes. */
stria_kind stria__weak_kind(const struct value *value);
const void *stria__weak_item(const struct value *value);

#endif
