/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reduction as it is asked for, of what an expression gives. Options and derived reductions are
 * requests of others: a mask is an expression that gives what changes nothing where it is false, a
 * norm the root of a sum of squares.
 */
#ifndef STRIA_OPS_REDUCE_DERIVED_H
#define STRIA_OPS_REDUCE_DERIVED_H

#include "base/text_writer.h"
#include "ops/expr/expr.h"
#include "ops/expr/formula.h"
#include "ops/reduce/reduction.h"

struct request {
    stria_reduction op;
    int fold;         /* fold that takes the place of that of op; FOLD_SUM, 0: none does */
    const char *name; /* name of it in messages; NULL: its own */
    const stria_expr *expr;
    int n; /* inputs */
    const stria_view *const *inputs;
    int count; /* dims, as stria_reduce_dims takes them */
    const int *dims;
    stria_reduce_options options;
    const stria_dtype *gives; /* dtype of a new result; NULL: that of the reduction */
    bool unsigned_stay;       /* sums and products of unsigned integers are u64 under either rule */
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

/* Runs a request, whatever it is: into a new array where `made` is not NULL, else into out; or
 * explains how, where there is a text. */
stria_status stria__reduce_request(const struct request *request, const stria_view *out,
                                   stria_array *made, struct written *text);

/* Runs it over what the formula gives instead, into out or, where that is NULL, into a new array.
 * Ends the formula. */
stria_status stria__reduce_formula(struct request *request, struct formula *f,
                                   const stria_view *out, stria_array *made);

/* Runs a request with a mask, an initial value or a dtype, or of a derived reduction; out and the
 * request have been checked, and have memory. */
stria_status stria__reduce_derived(const struct request *request, const struct requested *found,
                                   const stria_view *out);

/* A reduction of elements of dtype that is none of a fold alone; options may be NULL. */
bool stria__is_derived(stria_reduction op, const stria_reduce_options *options, stria_dtype dtype);

/* Checks what options say beside dims. */
stria_status stria__check_reduce_options(const struct request *request,
                                         const struct requested *found);

/* ---- requests with an option as requests without it; out has the reduced dims, of size 1 ------
 */

/* A fold with a mask: what the mask leaves out becomes what changes nothing. */
stria_status stria__reduce_masked(const struct request *request, const struct requested *found,
                                  const stria_view *out);
/* Reduces in the widest dtype, then combines the result with the initial value. */
stria_status stria__reduce_initial(const struct request *request, const struct requested *found,
                                   const stria_view *out);
/* Casts the elements to the dtype that was asked for, and reduces those. */
stria_status stria__reduce_cast(const struct request *request, const stria_view *out);

#endif
