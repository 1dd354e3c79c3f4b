/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of ops of a few instructions for one element, in C's own arithmetic and by the C
 * library, one dtype at a time: by the rules of docs/elementwise.md, and with no line in common
 * with the kernels. Comparisons of two dtypes and choices are not among them.
 */
#pragma once

#include "support/arithmetic.h"

/* Returns the result for inputs of the dtype `kind`. */
union item defined_item(stria_op op, stria_kind kind, const union item in[3]);

/* Returns the kind of the result. */
stria_kind defined_kind(stria_op op, stria_kind kind);
