/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: the array itself under another name, and arrays put elsewhere in memory. */
#include "lang/registry.h"

/* ---- the same array ------------------------------------------------------------------------- */

static stria_status same(struct invocation *c)
{
    return stria__call_wrote(c, c->self, STRIA_OK);
}

/* NumPy's is a copy. */
static stria_status positive(struct invocation *c)
{
    if (c->self->dtype.kind == STRIA_BOOL)
        return stria__call_refuse(c, STRIA_ERR_DTYPE, "positive: a bool has no sign");
    return c->row->world == WORLD_NUMPY ? stria_clone_ordered(&c->out, c->self, STRIA_ORDER_K)
                                        : same(c);
}

/* ---- another place --------------------------------------------------------------------------- */

/* The array gets a shape; what is called x in the EXPR stays as it is. */
static stria_status resize(struct invocation *c)
{
    const struct arg *size = &c->args[1];
    c->out = stria_array_share(c->self);
    return stria_resize(&c->out, (int)size->count, size->ints, NULL);
}

static stria_status set(struct invocation *c)
{
    c->out = stria_array_share(c->self);
    return stria_set(&c->out, c->args[1].view);
}

/* Makes a view of the memory of another array; it counts elements from its start. */
static stria_status set_at(struct invocation *c)
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

static stria_status byteswap(struct invocation *c)
{
    if (!c->args[1].truth) return stria_byteswapped(&c->out, c->self, NULL);
    STRIA_TRY(stria_byteswap(c->self, NULL));
    return same(c);
}

static const struct function same_rows[] = {
    ROW_BY(TORCH, "alias|detach|lift|lift_fresh|cpu|pin_memory(self)", same, array_share,
           "Returns the array itself."),
    ROW_BY(TORCH, "data", same, array_share, "Returns the array itself."),
    ROW_BY(TORCH, "positive(self)", positive, array_share, "Returns the array itself."),
};

const struct function_group stria__rows_same = {same_rows, sizeof same_rows / sizeof *same_rows};

static const struct function owner_rows[] = {
    ROW_BY(NUMPY, "positive(self|x:array)", positive, clone_ordered, "Returns a copy."),
    ROW_BY(NUMPY, "byteswap(self, inplace:bool=False)", byteswap, byteswapped,
           "Reverses the bytes of each element, in new memory or in place."),
    ROW(ANY, "permute_in_place(self, *dims:dims)", permute_in_place,
        "Moves the elements within their memory so that the dims lie in another order."),
    ROW(ANY, "transpose_in_place(self, dim0:dim, dim1:dim)", transpose_in_place,
        "Moves the elements within their memory so that two dims change places."),
    ROW_BY(TORCH, "resize_(self, *size:ints)", resize, resize,
           "Changes the shape of the array and the size of its memory; elements in front stay."),
    ROW_BY(TORCH, "set_(self, source:array)", set, set,
           "Makes the array one of the memory of another one."),
    ROW_BY(TORCH, "set_(self, source:array, storage_offset:int, size:ints, stride:ints?=None)",
           set_at, set, "Makes the array a view of the memory of another one."),
};

const struct function_group stria__rows_owner = {owner_rows,
                                                 sizeof owner_rows / sizeof *owner_rows};
