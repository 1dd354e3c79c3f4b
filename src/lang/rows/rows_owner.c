/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: the array itself under another name, and arrays put elsewhere in
 * memory.
 */
#include "lang/rows/rows.h"

stria_status stria__row_check_sign(struct invocation *c)
{
    return c->self->dtype.kind == STRIA_BOOL
               ? stria__call_refuse(c, STRIA_ERR_DTYPE, "positive: a bool has no sign")
               : STRIA_OK;
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
