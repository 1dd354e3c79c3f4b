/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the elementwise ops mean, one element at a time: integers in 64 bits and cut, f16, bf16 and
 * f32 in f64 and rounded by exact.h (twice as many bits and two more make the first rounding
 * harmless), magnitudes of complex numbers in long double. exp is not here: see test_exp.c.
 */
#ifndef STRIA_TESTS_SUPPORT_EXACT_OP_H
#define STRIA_TESTS_SUPPORT_EXACT_OP_H

#include <stdbool.h>

#include "stria/dtype.h"
#include "stria/elementwise.h"

/* The dtype of what op makes of this one. */
stria_kind exact_op_result(stria_op op, stria_kind kind);

/* One element, in native byte order, at any address; what an op does not have may be NULL. */
void exact_op(stria_op op, stria_kind kind, void *out, const void *condition, const void *a,
              const void *b);

/*
 * The same bits, or NaN on both sides: which NaN is not promised. The magnitude of a complex number
 * may be off by 0.5 (c64) or 1.5 (c128) units in the last place.
 */
bool exact_op_agrees(stria_op op, stria_kind kind, const void *got, const void *wanted);

#endif
