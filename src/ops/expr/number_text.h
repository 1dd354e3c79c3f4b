/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's numbers in the text of an expression. */
#ifndef STRIA_OPS_EXPR_NUMBER_TEXT_H
#define STRIA_OPS_EXPR_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "stria/dtype.h"

/* A number as stria_expr_scalar takes it: BOOL, I64, U64, F64 or C128. */
struct number {
    stria_kind kind;
    _Alignas(16) char item[16];
};

/*
 * Reads what begins with a digit or a point: 3, 0x1F, 2.5e-3, 1j. Returns its length; 0: no number,
 * or an integer above 2^64 - 1.
 */
size_t stria__number_read(struct number *out, const char *text);

/* True, False, inf, nan, pi and e. */
bool stria__number_named(struct number *out, const char *name, size_t length);

/* Applies a '-' or a '+'; false where the result is no i64. */
bool stria__number_sign(struct number *x, char sign);

#endif
