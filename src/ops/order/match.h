/* SPDX-License-Identifier: BSD-3-Clause */
/* Which elements of two arrays are equal, and in which order they come, of any dtype. */
#ifndef STRIA_OPS_ORDER_MATCH_H
#define STRIA_OPS_ORDER_MATCH_H

#include "stria/array.h"

/*
 * Gives each element of a and then of b, in C order, the number of its value among the different
 * ones of both, which rise: an i64 of one dim. Both are promoted as by NumPy's rule. equal_nan: all
 * NaN have one number, else each its own. DTYPE, UNSUPPORTED (no memory), MEMORY.
 */
STRIA_FILLS stria_status stria__match(stria_array *out, const stria_view *a, const stria_view *b,
                                      bool equal_nan);

#endif
