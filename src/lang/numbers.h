/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's operators on plain numbers: True, 3, 1.5, 2j. Integers have 64 bits. */
#ifndef STRIA_LANG_NUMBERS_H
#define STRIA_LANG_NUMBERS_H

#include "syntax.h"
#include "tagged_value.h"

/* Tells whether Python takes a value for true, which must not be an array. */
bool stria__value_truth(const struct value *value);

/*
 * The operation on one number (b NULL) or on two. ARGUMENT for operands that are no numbers or that
 * the operation does not take, OVERFLOW beyond 64 bits and for a division by zero; at `at`.
 */
stria_status stria__number_operation(struct value *out, const struct operation *operation,
                                     const struct value *a, const struct value *b, size_t at,
                                     struct failure *failure);

#endif
