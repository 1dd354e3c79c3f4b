/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of elementwise operations for one element, in C's own arithmetic: by the rules of docs/
 * elementwise.md, one item at a time, and with no line in common with the kernels.
 */
#pragma once

#include "stria/elementwise.h"

/* One item of any numeric kind, whose bytes are the first ones. */
union item {
    char bytes[16];
    double alignment;
};

/*
 * Returns the result of op for inputs of the kinds given, in native byte order; `kernel` is the
 * kind in which it is computed, which comparisons do not look at.
 */
union item expected_item(stria_op op, stria_kind kernel, const union item *inputs,
                         const stria_kind *kinds);

/* Whether expected_item has op in that kind: some functions only MPFR can compute. */
bool op_is_defined(stria_op op, stria_kind kernel);

/* Returns the kind of the result of op computed in `kernel`. */
stria_kind result_kind(stria_op op, stria_kind kernel);

/* Whether op compares two operands, so that its result is a bool. */
bool op_compares(stria_op op);
bool op_is_logic(stria_op op);

/*
 * Whether two items have the same bits, or are both NaN, each part of a complex number by itself;
 * bools the same truth. ulps: how many steps between numbers f64 and its complex may be apart.
 */
bool same_number(stria_kind kind, union item a, union item b, int64_t ulps);
