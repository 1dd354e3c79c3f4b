/* SPDX-License-Identifier: BSD-3-Clause */
/* An argument that may be an array or a number: .masked_fill(mask, 0.5). */
#ifndef STRIA_TOOL_OP_OPERAND_H
#define STRIA_TOOL_OP_OPERAND_H

#include "op.h"

/*
 * The array itself, or a new 0-d one of a number that stands beside items of dtype: it takes their
 * dtype unless its own category (bool, int, float, complex) is higher, as scalars do in PyTorch and
 * NumPy 2. *out is to be released. OVERFLOW when the number does not fit there.
 */
stria_status operand_beside(stria_array *out, struct call *call, const struct arg *arg,
                            stria_dtype dtype);
/* The same for a number that is written into items of dtype; DTYPE for complex into real ones. */
stria_status operand_into(stria_array *out, struct call *call, const struct arg *arg,
                          stria_dtype dtype);

#endif
