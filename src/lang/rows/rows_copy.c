/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of functions.def: what moves bytes, or would if it had to. */
#include <string.h>

#include "lang/rows/rows.h"

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

stria_status stria__row_astype(struct invocation *c)
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

stria_status stria__row_to(struct invocation *c)
{
    return to_dtype(c, c->args[1].view ? c->args[1].view->dtype : c->args[1].dtype);
}

/* x.to("cpu", dtype): there is no other device, and without a dtype it stays. */
stria_status stria__row_to_device(struct invocation *c)
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
