/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that an evaluation makes before anything is written, beside the dtypes of nodes. */
#ifndef STRIA_OPS_EXPR_EXPR_CHECK_H
#define STRIA_OPS_EXPR_EXPR_CHECK_H

#include "ops/expr/expr.h"

/* The expression has a value, and the views that it names are views; exec is one, or NULL. */
stria_status stria__expr_check_inputs(const stria_expr *expr, int n,
                                      const stria_view *const *inputs, const stria_exec *exec);

/*
 * out, which messages call `name`, can be written, with the inputs broadcast to its shape and the
 * result cast to its dtype.
 */
stria_status stria__expr_check_output(const stria_expr *expr, const char *name,
                                      const stria_view *out, const stria_view *const *inputs,
                                      stria_dtype result, const stria_exec *exec);

/* Stores the views that expr names, each once, with their numbers; returns how many. */
int stria__expr_inputs(const stria_expr *expr, const stria_view *const *inputs,
                       const stria_view **views, int *numbers);

#endif
