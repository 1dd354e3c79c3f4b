/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Means, variances and standard deviations of some of the elements, in f64: with all of them the
 * bits are those of the folds.
 */
#include "ops/reduce/derived.h"

#include <math.h>

#include "view/array.h"
#include "dtype/dtype.h"
#include "base/status.h"
#include "stria/broadcast.h"
#include "stria/complex.h"
#include "stria/copy.h"
#include "stria/elementwise.h"
#include "view/view.h"

enum { SUMS, COUNTS, MEANS, SHIFTS, SQUARES }; /* parts */

/* A sum over the elements that are no NaN, which become -0. */
static stria_status sum(struct derived *d, struct formula *f, bool skip_nan, int term)
{
    if (skip_nan) {
        const int nan = apply1(f, STRIA_ISNAN, f->e), nothing = formula_real(f, -0.0);
        apply3(f, STRIA_WHERE, nan, nothing, term);
    }
    return stria__derived_part(d, STRIA_SUM, f, NULL);
}

/* Counts the elements: an i64 for each output. */
__attribute__((noinline)) static stria_status count(struct derived *d, bool skip_nan)
{
    static bool yes = true;
    struct formula f;
    stria_view one, all;
    if (skip_nan) {
        stria__derived_begin(&f, d);
        apply2(&f, STRIA_EQUAL, f.e, f.e);
        return stria__derived_part(d, STRIA_COUNT_NONZERO, &f, NULL);
    }
    view_of_item(&one, &yes, STRIA_BOOL);
    STRIA_TRY(stria_broadcast_to(&all, &one, d->found->whole.ndim, d->found->whole.shape));
    (void)formula_of(&f, &all);
    return stria__derived_part(d, STRIA_COUNT_NONZERO, &f, NULL);
}

/* Part by part: a complex quotient would make NaN of an infinity. */
__attribute__((noinline)) static stria_status finish_complex_mean(struct derived *d)
{
    stria_view part[2];
    STRIA_TRY(stria_real(&part[0], &d->part[SUMS].view));
    STRIA_TRY(stria_imag(&part[1], &d->part[SUMS].view));
    for (int i = 0; i < 2; i++) {
        const stria_view *const operands[] = {&part[i], &d->part[COUNTS].view};
        STRIA_TRY(stria_elementwise(STRIA_DIVIDE, &part[i], 2, operands, d->request->exec));
    }
    return stria_copy_with(&d->out, &d->part[SUMS].view, d->request->exec);
}

/* The sum of the deviations from the means, or of their squares. */
static stria_status deviations(struct derived *d, bool skip_nan, bool square)
{
    struct formula f;
    stria__derived_begin(&f, d);
    const int x = stria__formula_cast(&f, f.e, STRIA_F64),
              mean = stria__formula_input(&f, &d->part[MEANS].view);
    int term = apply2(&f, STRIA_SUBTRACT, x, mean);
    if (square) term = apply2(&f, STRIA_MULTIPLY, term, term);
    return sum(d, &f, skip_nan, term);
}

/* (squares - shift * shift / n) / (n - ddof), NaN where that is not above 0; std: its root. */
static void combine(struct derived *d, struct formula *f, bool root)
{
    const int q = formula_of(f, &d->part[SQUARES].view),
              shift = stria__formula_input(f, &d->part[SHIFTS].view),
              n = stria__formula_input(f, &d->part[COUNTS].view), zero = formula_real(f, 0),
              none = formula_real(f, (double)NAN), ddof = formula_real(f, d->request->options.ddof);
    const int off = apply2(f, STRIA_MULTIPLY, shift, shift), less = apply2(f, STRIA_DIVIDE, off, n),
              rest = apply2(f, STRIA_SUBTRACT, q, less),
              least = apply2(f, STRIA_MAXIMUM, rest, zero),
              degrees = apply2(f, STRIA_SUBTRACT, stria__formula_cast(f, n, STRIA_F64), ddof),
              some = apply2(f, STRIA_GREATER, degrees, zero),
              var = apply2(f, STRIA_DIVIDE, least, degrees),
              made = apply3(f, STRIA_WHERE, some, var, none);
    if (root) apply1(f, STRIA_SQRT, made);
}

/* Complex numbers come here for their means only. */
stria_status stria__derived_spread(struct derived *d, bool skip_nan)
{
    const stria_reduction op = d->request->op;
    const bool is_complex = stria_dtype_is_complex(d->found->whole.dtype);
    struct formula f;
    stria__derived_begin(&f, d);
    STRIA_TRY(
        sum(d, &f, skip_nan, stria__formula_cast(&f, f.e, is_complex ? STRIA_C128 : STRIA_F64)));
    STRIA_TRY(count(d, skip_nan));
    if (is_complex) return finish_complex_mean(d);
    const int sums = formula_of(&f, &d->part[SUMS].view),
              counts = stria__formula_input(&f, &d->part[COUNTS].view);
    apply2(&f, STRIA_DIVIDE, sums, counts);
    if (op == STRIA_MEAN || op == STRIA_NANMEAN) return stria__derived_finish(d, &f);
    STRIA_TRY(stria__derived_keep(d, &f));
    STRIA_TRY(deviations(d, skip_nan, false));
    STRIA_TRY(deviations(d, skip_nan, true));
    combine(d, &f, op == STRIA_STD || op == STRIA_NANSTD);
    return stria__derived_finish(d, &f);
}

/*
 * Variances of complex numbers, which are those of the real and of the imaginary parts together.
 * Elements that an expression gives are made first: the parts of them have to lie somewhere.
 */

/* Finds the mask of what counts, without what is NaN in either part; NULL: all. */
static stria_status find_mask(struct derived *d, const stria_view *z, bool skip_nan,
                              const stria_view **mask)
{
    const stria_view *const where = d->request->options.where;
    struct formula f;
    *mask = where;
    if (!skip_nan) return STRIA_OK;
    const int x = formula_of(&f, z),
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
    (void)formula_of(&f, part);
    r.op = STRIA_VAR;
    r.options =
        (stria_reduce_options){.keepdims = true, .ddof = d->request->options.ddof, .where = mask};
    return stria__reduce_formula(&r, &f, to, NULL);
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
    const int a = formula_of(&f, &d->part[first].view),
              b = stria__formula_input(&f, &d->part[first + 1].view),
              sum = apply2(&f, STRIA_ADD, a, b);
    if (op == STRIA_STD || op == STRIA_NANSTD) apply1(&f, STRIA_SQRT, sum);
    return stria__derived_finish(d, &f);
}
