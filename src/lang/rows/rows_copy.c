/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: conversions and copies, of data as it is written, too. */
#include <string.h>

#include "lang/rows/rows.h"

/* Laid out as asked and converted; the array itself where it may be and nothing is to be done. */
stria_status stria__row_convert(struct invocation *c, stria_dtype dtype, stria_order order,
                                stria_cast_policy policy, bool copies)
{
    const bool fits = order > STRIA_ORDER_CHANNELS_LAST_3D || stria_is_contiguous(c->self, order);
    if (!copies && fits && stria_dtype_equal(dtype, c->self->dtype))
        return stria__call_wrote(c, c->self, STRIA_OK);
    STRIA_TRY(stria_empty_like(&c->out, c->self, dtype, order));
    return stria_copy_cast(&c->out.view, c->self, policy, NULL);
}

stria_status stria__row_astype(struct invocation *c)
{
    const stria_dtype dtype = c->args[1].dtype;
    const stria_order order = c->args[2].format;
    const bool copies = c->args[5].truth;
    STRIA_TRY(stria__call_policy(c, 3));
    const stria_cast_policy policy = (stria_cast_policy)c->args[3].integer;
    if (order != STRIA_ORDER_K) return stria__row_convert(c, dtype, order, policy, copies);
    return stria_astype(&c->out, c->self, dtype, policy,
                        copies ? STRIA_COPY_ALWAYS : STRIA_COPY_IF_NEEDED, NULL, NULL);
}

/* The ratio is 1 where it is not given: an array that uses less than all of its memory is copied.
 */
stria_status stria__row_compact(struct invocation *c)
{
    const struct value *ratio = c->args[1].value;
    const bool whole = ratio->kind == VALUE_INT;
    if (!whole && ratio->kind != VALUE_FLOAT)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "compact: the ratio must be a number, 0 .. 1");
    return stria_compact(&c->out, c->self, whole ? (double)ratio->integer : ratio->number.real,
                         NULL);
}

/* Dims start..end as one: a view where there is one, as reshape. */
stria_status stria__row_flatten(struct invocation *c)
{
    const int start = c->args[1].dim, end = c->args[2].dim;
    const stria_status status = stria_flatten(&c->out.view, c->self, start, end);
    if (status != STRIA_ERR_STRIDE) return status;
    STRIA_TRY(stria_clone(&c->out, c->self));
    return stria_flatten(&c->out.view, &c->out.view, start, end);
}

/*
 * Makes an array of the data's own dtype, or of another; PyTorch takes Python's floats for f32. The
 * very same array where the row allows that and nothing changes.
 */
stria_status stria__row_from_data(struct invocation *c, stria_copy_policy policy)
{
    const struct arg *const data = &c->args[0], *const dtype = &c->args[1];
    const bool array = data->value && data->value->kind == VALUE_ARRAY;
    const stria_dtype own = c->row->world == WORLD_TORCH && !array
                                ? stria__torch_dtype(data->view->dtype)
                                : data->view->dtype;
    if (dtype->given) STRIA_TRY(stria__call_holds(dtype->dtype, data));
    return stria_astype(&c->out, data->view, stria__dtype_or(dtype, own), STRIA_CAST_UNSAFE,
                        array ? policy : STRIA_COPY_ALWAYS, NULL, NULL);
}
