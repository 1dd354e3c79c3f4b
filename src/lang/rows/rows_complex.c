/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of functions.def: complex numbers as reals, conjugates and negatives that are only marked.
 */
#include "lang/rows/rows.h"

/* A copy when the bit is there to be resolved, otherwise the array itself. */
stria_status stria__row_resolve(struct invocation *c, uint32_t flag)
{
    if (c->self->flags & flag) return stria_clone_ordered(&c->out, c->self, STRIA_ORDER_PRESERVE);
    c->out.view = *c->self;
    return STRIA_OK;
}
