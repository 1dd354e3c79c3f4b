/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: sums that are exact and rounded once. */
#include "lang/registry.h"

/* PyTorch's correction of a variance is 1 where it is not given, NumPy's ddof is 0. */
static stria_status reduce(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    const stria_reduction op = (stria_reduction)c->row->what;
    const struct arg *const dims = &c->args[1], *const given = &c->args[3];
    double ddof = 0;
    if (op == STRIA_VAR || op == STRIA_STD)
        ddof = given->given ? (double)given->integer : c->numpy ? 0 : 1;
    return stria_exact_reduce_new(&c->out, op, c->self, stria__call_dims(c, dims), dims->dims, ddof,
                                  c->args[2].truth, &exec);
}

static stria_status moment(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    return stria_exact_moment_new(&c->out, (stria_exact_moment_kind)c->row->what, c->self,
                                  stria__call_dims(c, &c->args[1]), c->args[1].dims,
                                  c->args[2].truth, &exec);
}

static stria_status dot(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    return stria_exact_dot_new(&c->out, c->self, c->args[1].view, &exec);
}

#define OVER_DIMS "self|input|a, dim|axis:dims?=None, keepdim|keepdims:bool=False"

static const struct function ops[] = {
    ROW_AS(ANY, "exact_sum|fsum(" OVER_DIMS ")", reduce, STRIA_SUM, exact_reduce,
           "Adds up the elements exactly and rounds once; the same for every order."),
    ROW_AS(ANY, "exact_mean(" OVER_DIMS ")", reduce, STRIA_MEAN, exact_reduce,
           "Computes the mean exactly and rounds once."),
    ROW_AS(ANY, "exact_var(" OVER_DIMS ", correction|ddof:int?=None)", reduce, STRIA_VAR,
           exact_reduce, "Computes the variance exactly and rounds once."),
    ROW_AS(ANY, "exact_std(" OVER_DIMS ", correction|ddof:int?=None)", reduce, STRIA_STD,
           exact_reduce, "Computes the standard deviation of exact sums."),
    ROW_AS(ANY, "exact_skew(" OVER_DIMS ")", moment, STRIA_MOMENT_SKEWNESS, exact_moment,
           "Computes the skewness of exact sums, without a correction."),
    ROW_AS(ANY, "exact_kurtosis(" OVER_DIMS ")", moment, STRIA_MOMENT_KURTOSIS, exact_moment,
           "Computes the kurtosis of exact sums less 3, without a correction."),
    ROW_BY(ANY, "exact_dot(self|input|a, other|b:array)", dot, exact_dot,
           "Adds up the products of two arrays exactly and rounds once."),
};

const struct function_group stria__rows_exact = {ops, sizeof ops / sizeof *ops};
