/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reduction as it is asked for, of what an expression gives. Options and derived reductions are
 * requests of others: a mask is an expression that gives what changes nothing where it is false, a
 * norm the root of a sum of squares.
 */
#ifndef STRIA_OPS_REDUCE_DERIVED_H
#define STRIA_OPS_REDUCE_DERIVED_H

#include "ops/expr/expr.h"
#include "ops/expr/formula.h"
#include "ops/reduce/reduction.h"

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

/* ---- makes derived reductions: requests over the same dims, and what comes of them ---------- */

/* A derived reduction on its way. Its parts keep the reduced dims, with size 1, and so does out. */
struct derived {
    const struct request *request;
    const struct requested *found;
    stria_view out;
    int parts;
    stria_array part[5];
    stria_view half[2]; /* the real and the imaginary parts of complex elements */
};

/* Begins a formula with what the request is about; 8-bit floats become f32. */
void stria__derived_begin(struct formula *f, const struct derived *d);

/*
 * Reduces the formula by op, under the mask of the request, into a new part; ends the formula.
 * none: a part of no elements where a mask may leave none; NULL: op has one.
 */
stria_status stria__derived_part(struct derived *d, stria_reduction op, struct formula *f,
                                 const double *none);

/* Returns the node of the last part, with which a formula begins. */
int stria__derived_last(struct formula *f, const struct derived *d);

/* Evaluates a formula into out, or a new part; ends the formula. */
stria_status stria__derived_finish(struct derived *d, struct formula *f);
stria_status stria__derived_keep(struct derived *d, struct formula *f);

/*
 * The elements as a view of all of them: an input itself or, where an expression gives them, a new
 * part.
 */
stria_status stria__derived_elements(struct derived *d, stria_view *all);

/* Means, variances and standard deviations of what a mask leaves, or of what is no NaN. */
stria_status stria__derived_spread(struct derived *d, bool skip_nan);
/* Variances and standard deviations of complex numbers. */
stria_status stria__derived_complex_spread(struct derived *d);
stria_status stria__derived_norm(struct derived *d);
stria_status stria__derived_logsumexp(struct derived *d);

/* ---- requests with an option as requests without it ----------------------------------------- */

/* A fold with a mask: what the mask leaves out becomes what changes nothing. */
stria_status stria__reduce_masked(struct derived *d);
/* Reduces in the widest dtype, then combines the result with the initial value. */
stria_status stria__reduce_initial(struct derived *d);
/* Casts the elements to the dtype that was asked for, and reduces those. */
stria_status stria__reduce_cast(struct derived *d);

#endif
