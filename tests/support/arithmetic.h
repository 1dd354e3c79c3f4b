/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of elementwise operations for one element, in C's own arithmetic: by the rules of docs/
 * elementwise.md, one item at a time, and with no line in common with the kernels.
 */
#ifndef STRIA_TESTS_SUPPORT_ARITHMETIC_H
#define STRIA_TESTS_SUPPORT_ARITHMETIC_H

#include "stria/elementwise.h"

/* One item of any numeric kind, at the front. */
union item {
    char bytes[16];
    double alignment;
};

/*
 * The result of op for inputs of the kinds given, in native byte order; `kernel` is the kind in
 * which it is computed, which comparisons do not look at.
 */
union item expected_item(stria_op op, stria_kind kernel, const union item *inputs,
                         const stria_kind *kinds);

/* Whether expected_item has op in that kind: some functions are known to MPFR alone. */
bool op_is_defined(stria_op op, stria_kind kernel);

/* The kind of the result of op computed in `kernel`. */
stria_kind result_kind(stria_op op, stria_kind kernel);

/* Whether op is a comparison of two; of what is true of its inputs. */
bool op_compares(stria_op op);
bool op_is_logic(stria_op op);

/*
 * The same bits, or both NaN, each part of a complex number by itself; of bool the same truth.
 * ulps: how many steps between numbers they may be apart, of f64 and its complex.
 */
bool same_number(stria_kind kind, union item a, union item b, int64_t ulps);

#endif
