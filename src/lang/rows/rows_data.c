/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: arrays of lists and numbers, as arguments are written in Python
 * (.index_select(0, torch.tensor([0, 2]))), and PyTorch's short names of conversions.
 */
#include "lang/rows/rows.h"

/*
 * Of the data's own dtype, or of another; PyTorch takes Python's floats for f32. The very same
 * array where the row allows that and nothing changes.
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
