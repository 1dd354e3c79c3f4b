/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes derived reductions: requests over the same dims, and what comes of them. */
#ifndef STRIA_OPS_REDUCE_DERIVED_H
#define STRIA_OPS_REDUCE_DERIVED_H

#include "ops/expr/formula.h"
#include "ops/reduce/request.h"

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
 * initial: where not NULL, as in options.
 */
stria_status stria__derived_part(struct derived *d, stria_reduction op, struct formula *f,
                                 const stria_view *initial);

/* Evaluates a formula into out, or a new part; ends the formula. */
stria_status stria__derived_finish(struct derived *d, struct formula *f);
stria_status stria__derived_keep(struct derived *d, struct formula *f);

/*
 * The elements as a view of all of them: an input itself or, where an expression gives them, a new
 * part.
 */
stria_status stria__derived_elements(struct derived *d, stria_view *all);

/* An f64 without dims. */
stria_status stria__scalar_view(stria_view *out, const double *value);

/* Means, variances and standard deviations of what a mask leaves, or of what is no NaN. */
stria_status stria__derived_spread(struct derived *d, bool skip_nan);
/* Variances and standard deviations of complex numbers. */
stria_status stria__derived_complex_spread(struct derived *d);
stria_status stria__derived_norm(struct derived *d);
stria_status stria__derived_logsumexp(struct derived *d);

#endif
