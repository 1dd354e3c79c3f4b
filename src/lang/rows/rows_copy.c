/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: conversions and copies, of data as it is written, too. */
#include <string.h>

#include "lang/rows/rows.h"

/* Converts an array and lays it out as asked; if nothing changes and no copy is wanted, the result
 * is the array itself. */
stria_status stria__row_convert(struct invocation *c, stria_dtype dtype, stria_order order,
                                stria_cast_policy policy, bool copies)
{
    const bool fits = order > STRIA_ORDER_CHANNELS_LAST_3D || stria_is_contiguous(A, order);
    if (!copies && fits && stria_dtype_equal(dtype, A->dtype))
        return stria__call_wrote(c, A, STRIA_OK);
    STRIA_TRY(stria_empty_like(NEW, A, dtype, order));
    return stria_copy_cast(VIEW, A, policy, NULL);
}

stria_status stria__row_astype(struct invocation *c)
{
    const stria_dtype dtype = DTYPE(1);
    const stria_order order = ORDER(2);
    const bool copies = TRUTH(5);
    STRIA_TRY(stria__call_policy(c, 3));
    const stria_cast_policy policy = (stria_cast_policy)INT(3);
    if (order != STRIA_ORDER_K) return stria__row_convert(c, dtype, order, policy, copies);
    return stria_astype(NEW, A, dtype, policy, copies ? STRIA_COPY_ALWAYS : STRIA_COPY_IF_NEEDED,
                        NULL, NULL);
}

/* Copies an array that uses less than this ratio of its memory; without a ratio, less than all. */
stria_status stria__row_compact(struct invocation *c)
{
    const struct value *ratio = c->args[1].value;
    const bool whole = ratio->kind == VALUE_INT;
    if (!whole && ratio->kind != VALUE_FLOAT)
        return REFUSE(ARGUMENT, "compact: the ratio must be a number, 0 .. 1");
    return stria_compact(NEW, A, whole ? (double)ratio->integer : ratio->number.real, NULL, NULL);
}

/* Makes dims start..end one dim: a view if there is one, as reshape does. */
stria_status stria__row_flatten(struct invocation *c)
{
    const int start = DIM(1), end = DIM(2);
    const stria_status status = stria_flatten(VIEW, A, start, end);
    if (status != STRIA_ERR_STRIDE) return status;
    STRIA_TRY(stria_clone_new(NEW, A, NULL));
    return stria_flatten(VIEW, VIEW, start, end);
}

/*
 * Makes an array of the data's own dtype, or of another; PyTorch makes f32 of Python's floats. The
 * result is the array itself if the row allows that and nothing changes.
 */
stria_status stria__row_from_data(struct invocation *c, stria_copy_policy policy)
{
    const struct arg *const data = &c->args[0], *const dtype = &c->args[1];
    const bool array = data->value && data->value->kind == VALUE_ARRAY;
    const stria_dtype own = c->row->world == WORLD_TORCH && !array
                                ? stria__torch_dtype(data->view->dtype)
                                : data->view->dtype;
    if (dtype->given) STRIA_TRY(stria__call_holds(dtype->dtype, data));
    return stria_astype(NEW, data->view, stria__dtype_or(dtype, own), STRIA_CAST_UNSAFE,
                        array ? policy : STRIA_COPY_ALWAYS, NULL, NULL);
}
