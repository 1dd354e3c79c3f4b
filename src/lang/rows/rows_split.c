/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: one array as several views. */
#include "lang/eval.h"
#include "lang/rows/rows.h"

stria_status stria__row_count_pieces(struct invocation *c)
{
    if (c->count > EVAL_MAX_ARRAYS)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED,
                                  "%lld pieces are too many; one EXPR makes at most %d arrays",
                                  (long long)c->count, EVAL_MAX_ARRAYS);
    return stria__call_pieces(c, c->count);
}
