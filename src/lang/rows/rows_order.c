/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: dims in another order. */
#include "lang/rows/rows.h"

stria_status stria__row_movedim(struct invocation *c)
{
    const struct arg *source = &c->args[1], *destination = &c->args[2];
    if (source->count != destination->count)
        return stria__call_refuse(c, STRIA_ERR_DIM,
                                  "movedim: %lld dims to %lld places; each needs one of its own",
                                  (long long)source->count, (long long)destination->count);
    return stria_movedim(&c->out.view, c->self, (int)source->count, source->dims,
                         destination->dims);
}
