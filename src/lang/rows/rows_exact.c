/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: sums that are exact and rounded once. */
#include "lang/registry.h"

/* Without dims all are reduced, and by PyTorch's rules with an empty tuple of them too. */
static int dims_of(const struct invocation *c)
{
    const struct arg *const dims = &c->args[1];
    const bool all = !dims->given || (dims->count == 0 && !c->numpy);
    return all ? STRIA_ALL_DIMS : (int)dims->count;
}

static stria_status reduce(struct invocation *c, stria_reduction op, double ddof)
{
    const stria_exec exec = stria__call_exec(c);
    return stria_exact_reduce_new(&c->out, op, c->self, dims_of(c), c->args[1].dims, ddof,
                                  c->args[2].truth, &exec);
}

static stria_status sum(struct invocation *c)
{
    return reduce(c, STRIA_SUM, 0);
}

static stria_status mean(struct invocation *c)
{
    return reduce(c, STRIA_MEAN, 0);
}

/* PyTorch's correction is 1 where it is not given, NumPy's ddof is 0. */
static stria_status spread(struct invocation *c, stria_reduction op)
{
    const struct arg *const ddof = &c->args[3];
    return reduce(c, op, ddof->given ? (double)ddof->integer : c->numpy ? 0 : 1);
}

static stria_status var(struct invocation *c)
{
    return spread(c, STRIA_VAR);
}

static stria_status std(struct invocation *c)
{
    return spread(c, STRIA_STD);
}

static stria_status moment(struct invocation *c, stria_exact_moment_kind what)
{
    const stria_exec exec = stria__call_exec(c);
    return stria_exact_moment_new(&c->out, what, c->self, dims_of(c), c->args[1].dims,
                                  c->args[2].truth, &exec);
}

static stria_status skew(struct invocation *c)
{
    return moment(c, STRIA_MOMENT_SKEWNESS);
}

static stria_status kurtosis(struct invocation *c)
{
    return moment(c, STRIA_MOMENT_KURTOSIS);
}

static stria_status dot(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    return stria_exact_dot_new(&c->out, c->self, c->args[1].view, &exec);
}

#define OVER_DIMS "self|input|a, dim|axis:dims?=None, keepdim|keepdims:bool=False"

static const struct function ops[] = {
    {"exact_sum|fsum(" OVER_DIMS ")", sum, WORLD_ANY, "stria_exact_reduce",
     "Adds up the elements exactly and rounds once; the same for every order."},
    {"exact_mean(" OVER_DIMS ")", mean, WORLD_ANY, "stria_exact_reduce",
     "Computes the mean exactly and rounds once."},
    {"exact_var(" OVER_DIMS ", correction|ddof:int?=None)", var, WORLD_ANY, "stria_exact_reduce",
     "Computes the variance exactly and rounds once."},
    {"exact_std(" OVER_DIMS ", correction|ddof:int?=None)", std, WORLD_ANY, "stria_exact_reduce",
     "Computes the standard deviation of exact sums."},
    {"exact_skew(" OVER_DIMS ")", skew, WORLD_ANY, "stria_exact_moment",
     "Computes the skewness of exact sums, without a correction."},
    {"exact_kurtosis(" OVER_DIMS ")", kurtosis, WORLD_ANY, "stria_exact_moment",
     "Computes the kurtosis of exact sums less 3, without a correction."},
    {"exact_dot(self|input|a, other|b:array)", dot, WORLD_ANY, "stria_exact_dot",
     "Adds up the products of two arrays exactly and rounds once."},
};

const struct function_group stria__rows_exact = {ops, sizeof ops / sizeof *ops};
