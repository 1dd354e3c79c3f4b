/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: sums that are exact and rounded once. */
#include "lang/rows/rows.h"

/* PyTorch's correction of a variance is 1 where it is not given, NumPy's ddof is 0. */
stria_status stria__row_exact_reduce(struct invocation *c, stria_reduction op)
{
    const struct arg *const dims = &c->args[1], *const given = &c->args[3];
    double ddof = 0;
    if (op == STRIA_VAR || op == STRIA_STD)
        ddof = given->given ? (double)given->integer : c->numpy ? 0 : 1;
    return stria_exact_reduce_new(&c->out, op, c->self, stria__call_dims(c, dims), dims->dims, ddof,
                                  c->args[2].truth, EXEC);
}
