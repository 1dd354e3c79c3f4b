/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: arrays of lists and numbers, as arguments are written in Python
 * (.index_select(0, torch.tensor([0, 2]))), and PyTorch's short names of conversions.
 */
#include "lang/registry.h"

/* Of the data's own dtype, or of another; the very same array where it may be and nothing changes.
 */
static stria_status from_data(struct invocation *c, stria_dtype own, stria_copy_policy copy)
{
    const struct arg *data = &c->args[0], *dtype = &c->args[1];
    if (dtype->given) STRIA_TRY(stria__call_holds(dtype->dtype, data));
    return stria_astype(&c->out, data->view, dtype->given ? dtype->dtype : own, STRIA_CAST_UNSAFE,
                        copy, NULL, NULL);
}

/* PyTorch takes Python's floats for f32. */
static stria_dtype torch_dtype(const struct arg *data)
{
    const stria_kind kind = (stria_kind)data->view->dtype.kind;
    if (data->value && data->value->kind == VALUE_ARRAY) return data->view->dtype;
    return kind == STRIA_F64    ? stria_dtype_of(STRIA_F32)
           : kind == STRIA_C128 ? stria_dtype_of(STRIA_C64)
                                : data->view->dtype;
}

static bool is_array(const struct invocation *c)
{
    return c->args[0].value && c->args[0].value->kind == VALUE_ARRAY;
}

static stria_status tensor(struct invocation *c)
{
    return from_data(c, torch_dtype(&c->args[0]), STRIA_COPY_ALWAYS);
}

static stria_status as_tensor(struct invocation *c)
{
    return from_data(c, torch_dtype(&c->args[0]),
                     is_array(c) ? STRIA_COPY_IF_NEEDED : STRIA_COPY_ALWAYS);
}

static stria_status array(struct invocation *c)
{
    return from_data(c, c->args[0].view->dtype, STRIA_COPY_ALWAYS);
}

static stria_status asarray(struct invocation *c)
{
    return from_data(c, c->args[0].view->dtype,
                     is_array(c) ? STRIA_COPY_IF_NEEDED : STRIA_COPY_ALWAYS);
}

/* ---- conversions by name ----------------------------------------------------------------------
 */

/* Laid out as the array is, as torch.Tensor.to. */
static stria_status to_kind(struct invocation *c)
{
    static const struct {
        const char *name;
        stria_kind kind;
    } kinds[] = {{"half", STRIA_F16},   {"bfloat16", STRIA_BF16}, {"float", STRIA_F32},
                 {"double", STRIA_F64}, {"bool", STRIA_BOOL},     {"byte", STRIA_U8},
                 {"char", STRIA_I8},    {"short", STRIA_I16},     {"int", STRIA_I32},
                 {"long", STRIA_I64}};
    size_t i = 0;
    while (!stria__span_has(c->name, kinds[i].name))
        i++;
    const stria_dtype dtype = stria_dtype_of(kinds[i].kind);
    if (stria_dtype_equal(dtype, c->self->dtype)) {
        c->out = stria_array_share(c->self);
        return STRIA_OK;
    }
    STRIA_TRY(stria_empty_like(&c->out, c->self, dtype, STRIA_ORDER_PRESERVE));
    return stria_copy(&c->out.view, c->self);
}

static const struct function ops[] = {
    {"tensor(data:data, dtype:dtype?=None, device:any?=None, requires_grad:any?=None)", tensor,
     WORLD_TORCH, "stria_astype",
     "Makes a new array of numbers, of lists of them, or of an array."},
    {"as_tensor|asarray(data|obj:data, dtype:dtype?=None, device:any?=None)", as_tensor,
     WORLD_TORCH, "stria_astype",
     "Makes an array of numbers or lists; an array stays itself where it has the dtype."},
    {"array(object:data, dtype:dtype?=None)", array, WORLD_NUMPY, "stria_astype",
     "Makes a new array of numbers, of lists of them, or of an array."},
    {"asarray|asanyarray(a:data, dtype:dtype?=None)", asarray, WORLD_NUMPY, "stria_astype",
     "Makes an array of numbers or lists; an array stays itself where it has the dtype."},
    {"half(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to f16; the array itself where it has that dtype."},
    {"bfloat16(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to bf16; the array itself where it has that dtype."},
    {"float(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to f32; the array itself where it has that dtype."},
    {"double(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to f64; the array itself where it has that dtype."},
    {"bool(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to bool; the array itself where it has that dtype."},
    {"byte(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to u8; the array itself where it has that dtype."},
    {"char(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to i8; the array itself where it has that dtype."},
    {"short(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to i16; the array itself where it has that dtype."},
    {"int(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to i32; the array itself where it has that dtype."},
    {"long(self)", to_kind, WORLD_TORCH, "stria_astype",
     "Converts to i64; the array itself where it has that dtype."},
};

const struct function_group stria__rows_data = {ops, sizeof ops / sizeof *ops};
