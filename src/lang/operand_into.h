/* SPDX-License-Identifier: BSD-3-Clause */
/* An argument that may be an array or a number: .masked_fill(mask, 0.5). */
#ifndef STRIA_LANG_OPERAND_INTO_H
#define STRIA_LANG_OPERAND_INTO_H

#include "function.h"

/*
 * The array itself, or a new 0-d one of a number that is written into items of dtype. *out is to be
 * released. OVERFLOW when the number does not fit there, DTYPE for complex into real items.
 */
stria_status stria__operand_into(stria_array *out, struct invocation *call, const struct arg *arg,
                                 stria_dtype dtype);

#endif
