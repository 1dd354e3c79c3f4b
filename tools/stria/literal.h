/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays written out in an EXPR: [0, 2] among indices, 1.5 as a value to fill with. */
#ifndef STRIA_TOOL_LITERAL_H
#define STRIA_TOOL_LITERAL_H

#include "value.h"

/*
 * The value as an array: an array is itself, a number is 0-d, nested tuples and lists have the
 * shape of their nesting. bool, i64, f64 or c128, the first that holds every item; an empty list is
 * i64. ARGUMENT for other values, SHAPE for ragged lists, OVERFLOW beyond 64 bits.
 */
stria_status literal_array(const stria_view **out, const struct value *value, struct arena *arena,
                           struct failure *failure);

/* Takes over the array until the arena goes. */
const stria_view *arena_keep(struct arena *arena, stria_array array);

#endif
