/* SPDX-License-Identifier: BSD-3-Clause */
/* What an elementwise op takes: an array, or a number that gives way in promotion. */
#ifndef STRIA_LANG_WEAK_OPERAND_H
#define STRIA_LANG_WEAK_OPERAND_H

#include "tagged_value.h"

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
