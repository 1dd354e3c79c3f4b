/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the row loops of mathematics on operands of any layout. */
#pragma once

#include "level.h"
#include "map.h"

enum { MATH_ITEMS = 256 }; /* items per block */

/* Computes a dense row. Functions of one argument do not read b. out may be a or b. */
typedef void math_row(void *out, const void *a, const void *b, int64_t n);

/*
 * The row loops of a function. `nearest` computes the results; for f16 and bf16 `nearest` is one of
 * f32, and where that is half way between two results `odd` computes it again, rounded to odd, or
 * without that `f64` does, from which it is rounded. Neither is there if `nearest` is right for
 * them.
 */
struct math_rows {
    math_row *nearest, *odd, *f64;
};

struct math_driver {
    /* Runs a function of one or two inputs on operands of a float dtype. */
    void (*rows)(struct math_rows rows, int inputs, stria_kind kind, char *const *ptr,
                 const stria_dim *d);
};

extern const struct math_driver TABLE(stria__math_drive_);
