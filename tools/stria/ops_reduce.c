/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: reductions. The first name of a row is the library's. Without dims all are
 * reduced, and by PyTorch's rules with an empty tuple of them too.
 */
#include "fuse.h"
#include "registry.h"

static stria_reduction op_of(const struct call *c)
{
    int op = 0;
    while (op < STRIA_REDUCTIONS && !span_has(c->name, stria_reduction_name((stria_reduction)op)))
        op++;
    return (stria_reduction)op;
}

static stria_status run(struct call *c, stria_reduction op, const struct arg *out, double ddof)
{
    enum { HOW = 400 };
    const stria_reduce_options options = {.keepdims = c->args[2].truth, .ddof = ddof};
    const stria_exec exec = {.hints = c->numpy ? STRIA_PROMOTE_AS_NUMPY : 0};
    const struct arg *const dims = &c->args[1];
    const bool all = !dims->given || (dims->count == 0 && !c->numpy);
    const int count = all ? STRIA_ALL_DIMS : (int)dims->count;
    char *const how = arena_take(c->arena, HOW);
    const struct fused_reduction what = {.op = op,
                                         .self = c->self,
                                         .count = count,
                                         .dims = dims->dims,
                                         .options = &options,
                                         .rule =
                                             c->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH,
                                         .how = how,
                                         .size = HOW};
    bool done = false;
    c->how = how;
    if (c->fusion && out->given) TRY(fuse_force_all(c->fusion));
    if (c->fusion && !out->given) TRY(fuse_reduce(c->fusion, &done, &c->out, &what));
    if (done) return STRIA_OK;
    if (out->given)
        TRY(stria_reduce_dims(op, out->view, c->self, count, dims->dims, &options, &exec));
    else
        TRY(stria_reduce_dims_new(&c->out, op, c->self, count, dims->dims, &options, &exec));
    if (out->given) c->out = stria_array_share(out->view);
    return stria_reduce_dims_explain(how, HOW, op, &c->out.view, c->self, count, dims->dims,
                                     &options, &exec);
}

static stria_status reduce(struct call *c)
{
    return run(c, op_of(c), &c->args[3], 0);
}

/* PyTorch's correction is 1 where it is not given, NumPy's ddof is 0. */
static stria_status spread(struct call *c)
{
    const struct arg *const ddof = &c->args[4];
    return run(c, op_of(c), &c->args[3], ddof->given ? (double)ddof->integer : c->numpy ? 0 : 1);
}

/* One dim, or all of them. */
static stria_status place(struct call *c)
{
    if (c->args[1].given && c->args[1].count != 1)
        return call_refuse(c, STRIA_ERR_DIM, "%s: %lld dims, takes one, or none for all",
                           stria_reduction_name(op_of(c)), (long long)c->args[1].count);
    return run(c, op_of(c), &c->args[3], 0);
}

#define OVER_DIMS                                                                                  \
    "(self|input|a, dim|axis:dims?=None, keepdim|keepdims:bool=False, out:array?=None)"

static const struct op ops[] = {
    {"sum" OVER_DIMS, reduce, WORLD_ANY},
    {"prod" OVER_DIMS, reduce, WORLD_ANY},
    {"mean" OVER_DIMS, reduce, WORLD_ANY},
    {"var(self|input|a, dim|axis:dims?=None, keepdim|keepdims:bool=False, out:array?=None, "
     "correction|ddof:int?=None)",
     spread, WORLD_ANY},
    {"std(self|input|a, dim|axis:dims?=None, keepdim|keepdims:bool=False, out:array?=None, "
     "correction|ddof:int?=None)",
     spread, WORLD_ANY},
    {"argmax" OVER_DIMS, place, WORLD_ANY},
    {"argmin" OVER_DIMS, place, WORLD_ANY},
    {"max|amax" OVER_DIMS, reduce, WORLD_ANY},
    {"min|amin" OVER_DIMS, reduce, WORLD_ANY},
    {"all" OVER_DIMS, reduce, WORLD_ANY},
    {"any" OVER_DIMS, reduce, WORLD_ANY},
    {"count_nonzero" OVER_DIMS, reduce, WORLD_ANY},
};

bool reduction_may_wait(const struct op *op)
{
    return op->run == reduce || op->run == spread || op->run == place;
}

const struct op_group reduce_ops = {ops, sizeof ops / sizeof *ops};
