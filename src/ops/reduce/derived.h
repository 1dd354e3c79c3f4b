/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A requested reduction of an expression's value. Options and derived reductions become requests of
 * other reductions: for a mask, an expression that gives a neutral value where the mask is false;
 * for a norm, the root of a sum of squares.
 */
#pragma once

#include "base/text_writer.h"
#include "ops/expr/expr.h"
#include "ops/expr/formula.h"
#include "ops/reduce/reduction.h"

struct request {
    stria_reduction op;
    int fold;         /* The fold that replaces that of op; FOLD_SUM, 0: none does. */
    const char *name; /* Its name in messages; NULL: its own. */
    const stria_expr *expr;
    int n; /* Number of inputs. */
    const stria_view *const *inputs;
    int count; /* Number of dims, as stria_reduce_dims takes it. */
    const int *dims;
    stria_reduce_options options;
    const stria_dtype *gives; /* Dtype of a new result; NULL: that of the reduction. */
    bool unsigned_stay; /* Sums and products of unsigned integers are u64 under either rule. */
    const stria_exec *exec;
};

/* A prepared request: its call, whose elements have no memory, and the views that it reads. */
struct requested {
    struct reduce_call call;
    struct reduction_info row; /* Row of the call, if it has another name. */
    stria_view whole;
    int count;
    const stria_view *views[STRIA_EXPR_INPUTS];
};

/* Runs any request: into a new array if `made` is not NULL, else into out; or explains how, if
 * there is a text. */
stria_status stria__reduce_request(const struct request *request, const stria_view *out,
                                   stria_array *made, struct written *text);

/* Runs the request over the value of the formula instead, into out or, if that is NULL, into a new
 * array. Ends the formula. */
stria_status stria__reduce_formula(struct request *request, struct formula *f,
                                   const stria_view *out, stria_array *made);

/* Runs a request with a mask, an initial value or a dtype, or of a derived reduction; out and the
 * request have been checked, and have memory. */
stria_status stria__reduce_derived(const struct request *request, const struct requested *found,
                                   const stria_view *out);

/* Tells whether a reduction of elements of dtype is not a fold alone; options may be NULL. */
bool stria__is_derived(stria_reduction op, const stria_reduce_options *options, stria_dtype dtype);

/* Checks the options except dims. */
stria_status stria__check_reduce_options(const struct request *request,
                                         const struct requested *found);

/* ---- requests with an option as requests without it; out has the reduced dims, of size 1 ------
 */

/* Folds with a mask: elements that it leaves out are replaced by a neutral value. */
stria_status stria__reduce_masked(const struct request *request, const struct requested *found,
                                  const stria_view *out);
/* Reduces in the widest dtype, then combines the result with the initial value. */
stria_status stria__reduce_initial(const struct request *request, const struct requested *found,
                                   const stria_view *out);
/* Casts the elements to the requested dtype, and reduces those. */
stria_status stria__reduce_cast(const struct request *request, const stria_view *out);
