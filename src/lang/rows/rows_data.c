/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: arrays of lists and numbers, as arguments are written in Python
 * (.index_select(0, torch.tensor([0, 2]))), and PyTorch's short names of conversions.
 */
#include "lang/registry.h"

/*
 * Of the data's own dtype, or of another; PyTorch takes Python's floats for f32. The very same
 * array where the row allows that and nothing changes.
 */
static stria_status from_data(struct invocation *c)
{
    const struct arg *const data = &c->args[0], *const dtype = &c->args[1];
    const bool array = data->value && data->value->kind == VALUE_ARRAY;
    const stria_dtype own = c->row->world == WORLD_TORCH && !array
                                ? stria__torch_dtype(data->view->dtype)
                                : data->view->dtype;
    if (dtype->given) STRIA_TRY(stria__call_holds(dtype->dtype, data));
    return stria_astype(&c->out, data->view, stria__dtype_or(dtype, own), STRIA_CAST_UNSAFE,
                        array ? (stria_copy_policy)c->row->what : STRIA_COPY_ALWAYS, NULL, NULL);
}

/* ---- conversions by name --------------------------------------------------------------------- */

/* Laid out as the array is, as torch.Tensor.to. */
static stria_status to_kind(struct invocation *c)
{
    const stria_dtype dtype = stria_dtype_of((stria_kind)c->row->what);
    if (stria_dtype_equal(dtype, c->self->dtype)) return stria__call_wrote(c, c->self, STRIA_OK);
    STRIA_TRY(stria_empty_like(&c->out, c->self, dtype, STRIA_ORDER_PRESERVE));
    return stria_copy(&c->out.view, c->self);
}

#define TO(name, kind, dtype)                                                                      \
    ROW_AS(TORCH, #name "(self)", to_kind, kind, astype,                                           \
           "Converts to " dtype "; the array itself where it has that dtype.")

static const struct function ops[] = {
    ROW_AS(TORCH, "tensor(data:data, dtype:dtype?=None, device:any?=None, requires_grad:any?=None)",
           from_data, STRIA_COPY_ALWAYS, astype,
           "Makes a new array of numbers, of lists of them, or of an array."),
    ROW_AS(TORCH, "as_tensor|asarray(data|obj:data, dtype:dtype?=None, device:any?=None)",
           from_data, STRIA_COPY_IF_NEEDED, astype,
           "Makes an array of numbers or lists; an array stays itself where it has the dtype."),
    ROW_AS(NUMPY, "array(object:data, dtype:dtype?=None)", from_data, STRIA_COPY_ALWAYS, astype,
           "Makes a new array of numbers, of lists of them, or of an array."),
    ROW_AS(NUMPY, "asarray|asanyarray(a:data, dtype:dtype?=None)", from_data, STRIA_COPY_IF_NEEDED,
           astype,
           "Makes an array of numbers or lists; an array stays itself where it has the dtype."),
    TO(half, STRIA_F16, "f16"),
    TO(bfloat16, STRIA_BF16, "bf16"),
    TO(float, STRIA_F32, "f32"),
    TO(double, STRIA_F64, "f64"),
    TO(bool, STRIA_BOOL, "bool"),
    TO(byte, STRIA_U8, "u8"),
    TO(char, STRIA_I8, "i8"),
    TO(short, STRIA_I16, "i16"),
    TO(int, STRIA_I32, "i32"),
    TO(long, STRIA_I64, "i64"),
};

const struct function_group stria__rows_data = {ops, sizeof ops / sizeof *ops};
