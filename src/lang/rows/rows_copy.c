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

/* Laid out as asked, then converted. */
static stria_status convert_into(struct invocation *c, stria_dtype dtype, stria_order order,
                                 stria_cast_policy policy)
{
    STRIA_TRY(stria_empty_like(&c->out, c->self, dtype, order));
    return stria_copy_cast(&c->out.view, c->self, policy, NULL);
}

/* Tells whether nothing is to be done: a has the dtype, and the order if one is asked for. */
static bool fits(const stria_view *a, stria_dtype dtype, stria_order order)
{
    return stria_dtype_equal(dtype, a->dtype) &&
           (order > STRIA_ORDER_CHANNELS_LAST_3D || stria_is_contiguous(a, order));
}

static stria_status astype(struct invocation *c)
{
    const stria_dtype dtype = c->args[1].dtype;
    const stria_order order = c->args[2].format;
    const bool same = !c->args[5].truth && fits(c->self, dtype, order);
    stria_cast_policy policy = STRIA_CAST_UNSAFE;
    STRIA_TRY(stria__call_policy(c, c->args[3].text, &policy));
    if (order == STRIA_ORDER_K)
        return stria_astype(&c->out, c->self, dtype, policy,
                            c->args[5].truth ? STRIA_COPY_ALWAYS : STRIA_COPY_IF_NEEDED, NULL,
                            NULL);
    if (!same) return convert_into(c, dtype, order, policy);
    c->out = stria_array_share(c->self);
    return STRIA_OK;
}

/* torch.Tensor.to: arguments 3 and 4 are copy and memory_format. */
static stria_status to_dtype(struct invocation *c, stria_dtype dtype)
{
    const stria_order order = c->args[4].format;
    if (c->args[3].truth || !fits(c->self, dtype, order))
        return convert_into(c, dtype, order, STRIA_CAST_UNSAFE);
    c->out = stria_array_share(c->self);
    return STRIA_OK;
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
    const stria_dtype dtype = c->args[2].given ? c->args[2].dtype : c->self->dtype;
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
    const stria_view *a = c->self;
    stria_status status = stria_flatten(&c->out.view, a, c->args[1].dim, c->args[2].dim);
    if (status != STRIA_ERR_STRIDE) return status;
    const int n = a->ndim;
    const int start = c->args[1].dim < 0 ? c->args[1].dim + n : c->args[1].dim;
    const int end = c->args[2].dim < 0 ? c->args[2].dim + n : c->args[2].dim;
    int64_t shape[STRIA_MAX_NDIM];
    int64_t merged = 1;
    for (int d = start; d <= end; d++)
        merged *= a->shape[d];
    for (int d = 0; d < n; d++)
        if (d <= start)
            shape[d] = d < start ? a->shape[d] : merged;
        else if (d > end)
            shape[d - (end - start)] = a->shape[d];
    return stria_reshape(&c->out, a, n - (end - start), shape, STRIA_COPY_IF_NEEDED, NULL);
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
