/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: what moves bytes, or would if it had to. */
#include <string.h>

#include "registry.h"

static stria_status contiguous(struct call *c)
{
    return stria_contiguous(&c->out, c->self, c->args[1].format, NULL);
}

static stria_status fortran(struct call *c)
{
    return stria_contiguous(&c->out, c->self, STRIA_ORDER_F, NULL);
}

/* New memory in the order of a's strides, whatever dtype it is to have. */
static stria_status copy_as(struct call *c, stria_dtype dtype, stria_copy_policy policy)
{
    return stria_astype(&c->out, c->self, dtype, STRIA_CAST_UNSAFE, policy, NULL, NULL);
}

/* PyTorch keeps the order of the strides unless a format is named; NumPy's method goes to C. */
static stria_status clone(struct call *c)
{
    return stria_clone_ordered(&c->out, c->self, c->args[1].format);
}

static stria_status read_policy(struct call *c, const char *text, stria_cast_policy *out)
{
    static const char *const names[] = {[STRIA_CAST_UNSAFE] = "unsafe",
                                        [STRIA_CAST_SAME_KIND] = "same_kind",
                                        [STRIA_CAST_SAFE] = "safe",
                                        [STRIA_CAST_EQUIV] = "equiv",
                                        [STRIA_CAST_NO] = "no"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i])) continue;
        *out = (stria_cast_policy)i;
        return STRIA_OK;
    }
    return call_refuse(c, STRIA_ERR_ARGUMENT, "casting '%.40s' is not one of NumPy's", text);
}

static stria_status astype(struct call *c)
{
    stria_cast_policy policy = STRIA_CAST_UNSAFE;
    TRY(read_policy(c, c->args[2].text, &policy));
    return stria_astype(&c->out, c->self, c->args[1].dtype, policy,
                        c->args[3].truth ? STRIA_COPY_ALWAYS : STRIA_COPY_IF_NEEDED, NULL, NULL);
}

static stria_status to(struct call *c)
{
    return copy_as(c, c->args[1].dtype,
                   c->args[2].truth ? STRIA_COPY_ALWAYS : STRIA_COPY_IF_NEEDED);
}

/* dims start..end as one: a view where there is one, as reshape. */
static stria_status flatten(struct call *c)
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

static stria_status flatten_copy(struct call *c)
{
    const int64_t whole = -1;
    if (c->args[1].format != STRIA_ORDER_C)
        return call_refuse(c, STRIA_ERR_UNSUPPORTED, "flatten: order must be 'C'");
    return stria_reshape(&c->out, c->self, 1, &whole, STRIA_COPY_ALWAYS, NULL);
}

static const struct op ops[] = {
    {"contiguous(self, memory_format:format=contiguous_format)", contiguous, WORLD_ANY},
    {"ascontiguousarray(self)", contiguous, WORLD_NUMPY},
    {"asfortranarray(self)", fortran, WORLD_NUMPY},
    {"clone(self, memory_format:format=preserve_format)", clone, WORLD_ANY},
    {"copy(self, order:format='C')", clone, WORLD_NUMPY},
    {"astype(self, dtype:dtype, casting:text='unsafe', copy:bool=True)", astype, WORLD_NUMPY},
    {"to|type(self, dtype:dtype, copy:bool=False)", to, WORLD_TORCH},
    {"flatten(self, start_dim:dim=0, end_dim:dim=-1)", flatten, WORLD_TORCH},
    {"flatten(self, order:format)", flatten_copy, WORLD_NUMPY},
};

const struct op_group copy_ops = {ops, sizeof ops / sizeof *ops};
