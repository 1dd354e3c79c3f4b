/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of functions.def: the array itself under another name, and arrays put elsewhere in memory.
 */
#include "lang/rows/rows.h"

/* ---- the same array ------------------------------------------------------------------------- */

stria_status stria__row_same(struct invocation *c)
{
    return stria__call_wrote(c, c->self, STRIA_OK);
}

/* NumPy's is a copy. */
stria_status stria__row_positive(struct invocation *c)
{
    if (c->self->dtype.kind == STRIA_BOOL)
        return stria__call_refuse(c, STRIA_ERR_DTYPE, "positive: a bool has no sign");
    return c->row->world == WORLD_NUMPY ? stria_clone_ordered(&c->out, c->self, STRIA_ORDER_K)
                                        : stria__row_same(c);
}

/* ---- another place --------------------------------------------------------------------------- */

/* The array gets a shape; what is called x in the EXPR stays as it is. */
stria_status stria__row_resize(struct invocation *c)
{
    const struct arg *size = &c->args[1];
    c->out = stria_array_share(c->self);
    return stria_resize(&c->out, (int)size->count, size->ints, NULL);
}

stria_status stria__row_set(struct invocation *c)
{
    c->out = stria_array_share(c->self);
    return stria_set(&c->out, c->args[1].view);
}

/* Makes a view of the memory of another array; it counts elements from its start. */
stria_status stria__row_set_at(struct invocation *c)
{
    const struct arg *source = &c->args[1], *offset = &c->args[2], *size = &c->args[3];
    const struct arg *stride = &c->args[4];
    const stria_dtype dtype = source->view->dtype;
    int64_t *start, *bytes = NULL;
    stria_view to;
    STRIA_TRY(stria__call_bytes(c, &start, &offset->integer, 1, dtype));
    if (stride->given) STRIA_TRY(stria__call_strides(c, &bytes, size, stride, dtype));
    STRIA_TRY(stria_view_make(&to, source->view->buffer, dtype, (int)size->count, size->ints, bytes,
                              *start));
    to.flags |= source->view->flags;
    c->out = stria_array_share(c->self);
    return stria_set(&c->out, &to);
}

/* ---- the same memory, other bytes in it ----------------------------------------------------- */

stria_status stria__row_byteswap(struct invocation *c)
{
    if (!c->args[1].truth) return stria_byteswapped(&c->out, c->self, NULL);
    STRIA_TRY(stria_byteswap(c->self, NULL));
    return stria__row_same(c);
}
