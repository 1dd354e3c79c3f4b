/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of a described array, when a request gives them: small index arrays and masks. */
#ifndef STRIA_TOOL_ARRAY_VALUES_H
#define STRIA_TOOL_ARRAY_VALUES_H

#include <jansson.h>

#include "array_spec.h"

enum { VALUES_MAX_BYTES = 64 << 20 };

/*
 * The array of spec in real memory, with the numbers of `values`, a nested or flat list in C order.
 * *out is owned by the caller. SHAPE when their number is wrong, OVERFLOW when one does not fit the
 * dtype, DTYPE when the dtype holds no numbers.
 */
stria_status array_values_make(stria_array *out, const struct array_spec *spec,
                               const json_t *values, struct failure *failure);

#endif
