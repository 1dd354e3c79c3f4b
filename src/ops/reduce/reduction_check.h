/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks of a reduction before anything is written, and what they find. */
#ifndef STRIA_OPS_REDUCE_REDUCTION_CHECK_H
#define STRIA_OPS_REDUCE_REDUCTION_CHECK_H

#include "ops/reduce/table.h"
#include "stria/plan.h"

struct program;

/* Elements that a program makes of views that broadcast to a's shape, of the dtype that the kernels
 * take. */
struct computed_elements {
    const struct program *program;
    int count;
    const stria_view *views[STRIA_MAX_OPERANDS - 1];
};

/* A reduction that was asked for. */
struct reduce_call {
    stria_reduction op;
    const stria_view *a;                      /* where they are computed, shape and dtype alone */
    const struct computed_elements *computed; /* NULL: the elements of a */
    bool described;                           /* a is what an expression gives, and has no memory */
    int count;                                /* STRIA_ALL_DIMS, or how many dims there are */
    const int *dims;
    bool none_allowed; /* a maximum of no elements is nothing, and is not refused */
    double ddof;       /* ddof of a variance */
    bool pair;         /* two results in one item: the extremes, or a mean and a variance */
    const stria_exec *exec;
    const struct reduction_info *row; /* NULL: that of op, which the checks fill in */
    /* Results of the checks. */
    uint64_t set;       /* bit d: dim d of a is reduced */
    int64_t n;          /* elements of each output */
    stria_dtype result; /* native */
};

/* Checks everything but the output, and fills in the rest of the call. */
stria_status stria__check_reduction(struct reduce_call *c);

/* Computes the shape of the result; returns its number of dims. */
int stria__reduced_shape(int64_t *shape, const struct reduce_call *c, bool keepdims);

/* Checks an output and gives it the kept dims alone. */
stria_status stria__check_reduced(stria_view *kept, const stria_view *out,
                                  const struct reduce_call *c);

#endif
