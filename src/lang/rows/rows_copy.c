/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: what moves bytes, or would if it had to. */
#include <string.h>

#include "lang/registry.h"

static stria_status contiguous(struct invocation *c)
{
    return stria_contiguous(&c->out, c->self, (stria_order)c->row->what, NULL);
}

static stria_status contiguous_in(struct invocation *c)
{
    return stria_contiguous(&c->out, c->self, c->args[1].format, NULL);
}

/* Laid out as asked and converted; the array itself where it may be and nothing is to be done. */
static stria_status convert(struct invocation *c, stria_dtype dtype, stria_order order,
                            stria_cast_policy policy, bool copies)
{
    const bool fits = order > STRIA_ORDER_CHANNELS_LAST_3D || stria_is_contiguous(c->self, order);
    if (!copies && fits && stria_dtype_equal(dtype, c->self->dtype))
        return stria__call_wrote(c, c->self, STRIA_OK);
    STRIA_TRY(stria_empty_like(&c->out, c->self, dtype, order));
    return stria_copy_cast(&c->out.view, c->self, policy, NULL);
}

static stria_status astype(struct invocation *c)
{
    const stria_dtype dtype = c->args[1].dtype;
    const stria_order order = c->args[2].format;
    const bool copies = c->args[5].truth;
    stria_cast_policy policy = STRIA_CAST_UNSAFE;
    STRIA_TRY(stria__call_policy(c, c->args[3].text, &policy));
    if (order != STRIA_ORDER_K) return convert(c, dtype, order, policy, copies);
    return stria_astype(&c->out, c->self, dtype, policy,
                        copies ? STRIA_COPY_ALWAYS : STRIA_COPY_IF_NEEDED, NULL, NULL);
}

/* torch.Tensor.to: arguments 3 and 4 are copy and memory_format. */
static stria_status to_dtype(struct invocation *c, stria_dtype dtype)
{
    return convert(c, dtype, c->args[4].format, STRIA_CAST_UNSAFE, c->args[3].truth);
}

static stria_status to(struct invocation *c)
{
    return to_dtype(c, c->args[1].view ? c->args[1].view->dtype : c->args[1].dtype);
}

/* x.to("cpu", dtype): there is no other device, and without a dtype it stays. */
static stria_status to_device(struct invocation *c)
{
    const char *device = c->args[1].text;
    if (strcmp(device, "cpu") != 0 && strcmp(device, "cpu:0") != 0)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED,
                                  "to: the only device is 'cpu', not '%.40s'", device);
    const stria_dtype dtype = stria__dtype_or(&c->args[2], c->self->dtype);
    c->args[3] = c->args[4]; /* behind one argument more than in the other forms */
    c->args[4] = c->args[5];
    return to_dtype(c, dtype);
}

/* Without arguments: what takes less than all of its memory gets its own. */
static stria_status compact(struct invocation *c)
{
    const struct value *ratio = c->args[1].value;
    const bool whole = ratio->kind == VALUE_INT;
    if (!whole && ratio->kind != VALUE_FLOAT)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "compact: the ratio must be a number, 0 .. 1");
    return stria_compact(&c->out, c->self, whole ? (double)ratio->integer : ratio->number.real,
                         NULL);
}

/* NumPy's, where no order is given; PyTorch's comes first where both may be meant. */
static stria_status flatten_all(struct invocation *c)
{
    static const int64_t all[] = {-1};
    return stria_reshape(&c->out, c->self, 1, all, STRIA_COPY_ALWAYS, NULL);
}

/* Dims start..end as one: a view where there is one, as reshape. */
static stria_status flatten(struct invocation *c)
{
    const int start = c->args[1].dim, end = c->args[2].dim;
    const stria_status status = stria_flatten(&c->out.view, c->self, start, end);
    if (status != STRIA_ERR_STRIDE) return status;
    STRIA_TRY(stria_clone(&c->out, c->self));
    return stria_flatten(&c->out.view, &c->out.view, start, end);
}

#define TO "non_blocking:bool=False, copy:bool=False, memory_format:format=preserve_format)"

static const struct function ops[] = {
    ROW_BY(ANY, "contiguous(self, memory_format:format=contiguous_format)", contiguous_in,
           contiguous, "Copies into C order, or the format asked for, unless it lies so."),
    ROW_AS(NUMPY, "ascontiguousarray(self)", contiguous, STRIA_ORDER_C, contiguous,
           "Copies into C order unless it lies so."),
    ROW_AS(NUMPY, "asfortranarray(self)", contiguous, STRIA_ORDER_F, contiguous,
           "Copies into Fortran order unless it lies so."),
    ROW(ANY, "clone(self, memory_format:format=preserve_format)", clone_ordered,
        "Copies into new memory."),
    ROW(NUMPY, "copy(a:array, order:format='K', subok:bool=False)", clone_ordered,
        "Copies into new memory."),
    ROW(NUMPY, "copy(self, order:format='C')", clone_ordered, "Copies into new memory."),
    ROW_BY(NUMPY,
           "astype(self, dtype:dtype, order:format='K', casting:text='unsafe', subok:bool=True, "
           "copy:bool=True, device:any?=None)",
           astype, astype,
           "Converts to a dtype, in new memory unless copy=False and nothing is to be done."),
    ROW_BY(TORCH, "to|type(self, dtype:dtype, " TO, to, astype,
           "Converts to a dtype; the array itself where nothing is to be done."),
    ROW_BY(TORCH, "to(self, device:text, dtype:dtype?=None, " TO, to_device, astype,
           "Converts to a dtype on the device 'cpu', the only one."),
    ROW_BY(TORCH, "to|type_as(self, other:array, " TO, to, astype,
           "Converts to the dtype of another array."),
    ROW_BY(ANY, "compact(self, ratio:any=1)", compact, compact,
           "Copies if the array uses less than this part of the memory that it keeps."),
    ROW_BY(TORCH, "flatten(self, start_dim:dim=0, end_dim:dim=-1)", flatten, flatten,
           "Joins neighbouring dims into one, without a copy where that is possible."),
    ROW_BY(NUMPY, "flatten(self)", flatten_all, ravel, "Copies into one dim, in C order."),
};

const struct function_group stria__rows_copy = {ops, sizeof ops / sizeof *ops};
