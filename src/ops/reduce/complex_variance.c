/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variances of complex numbers, which are those of the real and of the imaginary parts together.
 * Elements that an expression gives are made first: the parts of them have to lie somewhere.
 */
#include "array.h"
#include "ops/reduce/derived.h"
#include "status.h"
#include "stria/complex.h"
#include "view/view.h"

/* Finds the mask of what counts, without what is NaN in either part; NULL: all. */
static stria_status find_mask(struct derived *d, const stria_view *z, bool skip_nan,
                              const stria_view **mask)
{
    const stria_view *const where = d->request->options.where;
    struct formula f;
    *mask = where;
    if (!skip_nan) return STRIA_OK;
    stria__formula_begin(&f, NULL, 0, NULL);
    const int x = stria__formula_input(&f, z),
              number = apply1(&f, STRIA_LOGICAL_NOT, apply1(&f, STRIA_ISNAN, x));
    if (where) apply2(&f, STRIA_LOGICAL_AND, number, stria__formula_input(&f, where));
    STRIA_TRY(stria__derived_keep(d, &f));
    *mask = &d->part[d->parts - 1].view;
    return STRIA_OK;
}

/* The variance of one part, in f64. */
static stria_status part_of(struct derived *d, const stria_view *part, const stria_view *mask)
{
    struct request r = *d->request;
    struct formula f;
    STRIA_TRY(
        stria_empty(&d->part[d->parts], stria_dtype_of(STRIA_F64), d->out.ndim, d->out.shape));
    const stria_view *const to = &d->part[d->parts++].view;
    stria__formula_begin(&f, NULL, 0, NULL);
    (void)stria__formula_input(&f, part);
    r.op = STRIA_VAR;
    r.expr = f.expr;
    r.n = f.n;
    r.inputs = f.input;
    r.options =
        (stria_reduce_options){.keepdims = true, .ddof = d->request->options.ddof, .where = mask};
    const stria_status status = f.status == STRIA_OK ? stria__reduce_request(&r, to) : f.status;
    stria__formula_end(&f);
    return status;
}

/* Finds the parts of all elements, and which of these count. */
__attribute__((noinline)) static stria_status find_halves(struct derived *d, bool skip_nan,
                                                          const stria_view **mask)
{
    stria_view z;
    STRIA_TRY(stria__derived_elements(d, &z));
    STRIA_TRY(find_mask(d, &z, skip_nan, mask));
    STRIA_TRY(stria_real(&d->half[0], &z));
    return stria_imag(&d->half[1], &z);
}

stria_status stria__derived_complex_spread(struct derived *d)
{
    const stria_reduction op = d->request->op;
    const bool skip_nan = op == STRIA_NANVAR || op == STRIA_NANSTD;
    const stria_view *mask;
    struct formula f;
    STRIA_TRY(find_halves(d, skip_nan, &mask));
    const int first = d->parts;
    STRIA_TRY(part_of(d, &d->half[0], mask));
    STRIA_TRY(part_of(d, &d->half[1], mask));
    stria__formula_begin(&f, NULL, 0, NULL);
    const int a = stria__formula_input(&f, &d->part[first].view),
              b = stria__formula_input(&f, &d->part[first + 1].view),
              sum = apply2(&f, STRIA_ADD, a, b);
    if (op == STRIA_STD || op == STRIA_NANSTD) apply1(&f, STRIA_SQRT, sum);
    return stria__derived_finish(d, &f);
}
