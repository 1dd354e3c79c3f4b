/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kept evaluation. Checking and lowering a small expression takes several times as long as
 * computing it, and depends on dtypes and layouts alone. So an expression keeps the program of the
 * first layout that comes twice, and runs it at other addresses. Any thread may publish it, once;
 * what is published never changes until the expression goes.
 */
#ifndef STRIA_OPS_EXPR_READY_H
#define STRIA_OPS_EXPR_READY_H

#include "ops/expr/evaluation.h"

/*
 * Runs the kept program if out and inputs are of its layouts, and returns true with the status.
 * Returns false where it is not, and has done nothing.
 */
bool stria__ready_run(stria_status *status, const stria_expr *expr, const stria_view *out, int n,
                      const stria_view *const *inputs, const stria_exec *exec);
/* The same into a new array, in *made. */
bool stria__ready_run_new(stria_status *status, stria_array *made, const stria_expr *expr, int n,
                          const stria_view *const *inputs, const stria_exec *exec);

/* Tells whether the expression has run before, and keeps nothing yet. */
bool stria__ready_is_next(const stria_expr *expr);

/*
 * Keeps an evaluation that was checked, lowered and run, if it was one pass over inputs that are
 * arrays. made: e->out has the layout of new results.
 */
void stria__ready_keep(const stria_expr *expr, const struct expr_evaluation *e,
                       const stria_view *const *inputs, bool made);

/* Releases what the expression keeps. Nodes that are added to an expression end it, too. */
void stria__ready_free(stria_expr *expr);

#endif
