/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kept evaluations. Checking and lowering a small expression takes several times as long as
 * computing it, and depends on dtypes and layouts alone. So an expression keeps, from its second
 * evaluation on, the programs of the first layouts that come, and runs them at other addresses. Any
 * thread may publish one; a published program never changes until the expression is freed.
 */
#pragma once

#include "ops/expr/evaluation.h"

/*
 * Runs a kept program if out and inputs have its layouts, and returns true with the status.
 * Otherwise returns false, with nothing done.
 */
bool stria__ready_run(stria_status *status, const stria_expr *expr, const stria_view *out, int n,
                      const stria_view *const *inputs, const stria_exec *exec);
/* Does the same into a new array, in *made. */
bool stria__ready_run_new(stria_status *status, stria_array *made, const stria_expr *expr, int n,
                          const stria_view *const *inputs, const stria_exec *exec);

/* Tells whether the expression has run before, and has room to keep another layout. */
bool stria__ready_is_next(const stria_expr *expr);

/*
 * Keeps an evaluation that was checked, lowered and run, if it was one pass over inputs that are
 * arrays. made tells that e->out has the layout of new results.
 */
void stria__ready_keep(const stria_expr *expr, const struct expr_evaluation *e,
                       const stria_view *const *inputs, bool made);

/* Releases the kept programs. Adding nodes to an expression releases them, too. */
void stria__ready_free(stria_expr *expr);
