/* SPDX-License-Identifier: BSD-3-Clause */
/* What an elementwise op takes: an array, or a number that gives way in promotion. */
#ifndef STRIA_TOOL_OPERAND_H
#define STRIA_TOOL_OPERAND_H

#include "value.h"

/*
 * An array is itself, a number a weak scalar, a list what literal_array makes of it; in the arena.
 * ARGUMENT for other values, OVERFLOW for integers beyond 64 bits.
 */
stria_status operand_of(const stria_view **out, const struct value *value, struct arena *arena,
                        struct failure *failure);

#endif
