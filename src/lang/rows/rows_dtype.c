/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: the same bytes as items of another dtype, or another class of array.
 */
#include "lang/rows/rows.h"

/* A record in the other byte order is another dtype. */
stria_status stria__row_newbyteorder(struct invocation *c)
{
    stria_dtype swapped;
    if (c->self->dtype.kind != STRIA_RECORD) return stria_newbyteorder(&c->out.view, c->self);
    STRIA_TRY(stria_record_swap(&swapped, c->self->dtype));
    STRIA_TRY(stria__pool_keep_dtype(c->pool, swapped));
    return stria_view_dtype(&c->out.view, c->self, swapped);
}
