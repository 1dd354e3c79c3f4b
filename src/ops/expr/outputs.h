/* SPDX-License-Identifier: BSD-3-Clause */
/* Several results of one expression, for functions that are expressions inside. */
#ifndef STRIA_OPS_EXPR_OUTPUTS_H
#define STRIA_OPS_EXPR_OUTPUTS_H

#include "ops/expr/expr.h"

/* Does stria_expr_evaluate_several; messages call the outputs by `names`, "out 0" where it is NULL.
 */
stria_status stria__expr_several(const stria_expr *expr, const char *const *names, int count,
                                 const int *nodes, const stria_view *const *outs, int n,
                                 const stria_view *const *inputs, const stria_exec *exec);

#endif
