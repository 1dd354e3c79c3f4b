/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reduction as it is asked for, of what an expression gives. Options and derived reductions are
 * requests of others: a mask is an expression that gives what changes nothing where it is false, a
 * norm the root of a sum of squares.
 */
#ifndef STRIA_OPS_REDUCE_REQUEST_H
#define STRIA_OPS_REDUCE_REQUEST_H

#include "ops/expr/expr.h"
#include "ops/reduce/reduction_check.h"

struct request {
    stria_reduction op;
    int fold;         /* fold that takes the place of a sum; FOLD_SUM, 0: none does */
    const char *name; /* name of it in messages; NULL: its own */
    const stria_expr *expr;
    int n; /* inputs */
    const stria_view *const *inputs;
    int count; /* dims, as stria_reduce_dims takes them */
    const int *dims;
    stria_reduce_options options;
    bool unsigned_stay; /* sums and products of unsigned integers are u64 under either rule */
    const stria_exec *exec;
};

/* A request that is prepared: its call, of elements without memory, and views that it reads. */
struct requested {
    struct reduce_call call;
    struct reduction_info row; /* row of call, where it has another name */
    stria_view whole;
    int count;
    const stria_view *views[STRIA_EXPR_INPUTS];
};

/* Runs a request, whatever it is, into out. */
stria_status stria__reduce_request(const struct request *request, const stria_view *out);
/* Does the same into a new array. */
stria_status stria__reduce_request_new(stria_array *out, const struct request *request);

/* Runs a request with a mask, an initial value or a dtype, or of a derived reduction; out and the
 * request have been checked, and have memory. */
stria_status stria__reduce_derived(const struct request *request, const struct requested *found,
                                   const stria_view *out);

/* A reduction of elements of dtype that is none of a fold alone; options may be NULL. */
bool stria__is_derived(stria_reduction op, const stria_reduce_options *options, stria_dtype dtype);

/* Checks what options say beside dims. */
stria_status stria__check_reduce_options(const struct request *request,
                                         const struct requested *found);

#endif
