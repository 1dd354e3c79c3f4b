/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Norms of vectors, in f64. Squares of f64 may overflow or vanish where the norm does not: there
 * the elements are scaled by a power of two that is near the largest of them.
 */
#include <math.h>
#include <string.h>

#include "view/array.h"
#include "dtype/dtype.h"
#include "ops/reduce/derived.h"
#include "base/status.h"

/* Below and above which squares may have lost digits, or all of them. */
#define LEAST_SQUARES 0x1p-900
#define MOST_SQUARES  0x1p1000

/* The magnitudes in f64; returns their node. */
static int begin_norm(struct formula *f, const struct derived *d)
{
    const bool is_complex = stria_dtype_is_complex(d->found->whole.dtype);
    stria__derived_begin(f, d);
    return apply1(f, STRIA_ABS, stria__formula_cast(f, f->e, is_complex ? STRIA_C128 : STRIA_F64));
}

/* An extreme or a sum of the magnitudes, as it is. */
static stria_status simple(struct derived *d, stria_reduction op, double initial)
{
    struct formula f;
    (void)begin_norm(&f, d);
    STRIA_TRY(stria__derived_part(d, op, &f, op != STRIA_SUM ? &initial : NULL));
    (void)stria__derived_last(&f, d);
    return stria__derived_finish(d, &f);
}

static stria_status count(struct derived *d)
{
    struct formula f;
    stria__derived_begin(&f, d);
    STRIA_TRY(stria__derived_part(d, STRIA_COUNT_NONZERO, &f, NULL));
    stria__formula_cast(&f, stria__derived_last(&f, d), STRIA_F64);
    return stria__derived_finish(d, &f);
}

static stria_status powers(struct derived *d, double p)
{
    struct formula f;
    const int x = begin_norm(&f, d);
    apply2(&f, STRIA_POW, x, formula_real(&f, p));
    STRIA_TRY(stria__derived_part(d, STRIA_SUM, &f, NULL));
    const int sum = stria__derived_last(&f, d);
    apply2(&f, STRIA_POW, sum, formula_real(&f, 1 / p));
    return stria__derived_finish(d, &f);
}

/* ---- squares --------------------------------------------------------------------------------- */

static stria_status squares(struct derived *d, const stria_view *scales)
{
    struct formula f;
    int x = begin_norm(&f, d);
    if (scales) x = apply2(&f, STRIA_MULTIPLY, x, stria__formula_input(&f, scales));
    apply2(&f, STRIA_MULTIPLY, x, x);
    return stria__derived_part(d, STRIA_SUM, &f, NULL);
}

/* Tells whether squares may be infinite or 0; f32 and narrower floats need no scaling. */
static bool may_be_lost(const struct derived *d, const stria_view *sums)
{
    const stria_kind kind = (stria_kind)stria_dtype_real(d->found->whole.dtype).kind;
    if (kind != STRIA_F64) return false;
    for (int64_t i = 0; i < stria_numel(sums); i++) {
        double x;
        memcpy(&x, sums->data + i * (int64_t)sizeof x, sizeof x);
        if (x < LEAST_SQUARES || x > MOST_SQUARES) return true;
    }
    return false;
}

/* A power of two near 1 / x; x is above 0 and finite. */
static double scale_of(double x)
{
    enum { DIGITS = 52, BIAS = 1023, MOST = 1000 };
    uint64_t bits;
    double scale;
    memcpy(&bits, &x, sizeof bits);
    int exponent = BIAS - (int)(bits >> DIGITS);
    if (exponent > MOST) exponent = MOST;
    if (exponent < -MOST) exponent = -MOST;
    bits = (uint64_t)(BIAS + exponent) << DIGITS;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

/* Turns sums into the scales of their elements: 1 where nothing was lost. */
static void find_scales(const stria_view *sums, const stria_view *largest)
{
    for (int64_t i = 0; i < stria_numel(sums); i++) {
        double sum, most, scale = 1;
        memcpy(&sum, sums->data + i * (int64_t)sizeof sum, sizeof sum);
        memcpy(&most, largest->data + i * (int64_t)sizeof most, sizeof most);
        if ((sum < LEAST_SQUARES || sum > MOST_SQUARES) && most > 0 && isfinite(most))
            scale = scale_of(most);
        memcpy(sums->data + i * (int64_t)sizeof scale, &scale, sizeof scale);
    }
}

/* The root of the sums that are the last part. */
static stria_status root(struct derived *d, const stria_view *scales)
{
    struct formula f;
    const int x = apply1(&f, STRIA_SQRT, stria__derived_last(&f, d));
    if (scales) apply2(&f, STRIA_DIVIDE, x, stria__formula_input(&f, scales));
    return stria__derived_finish(d, &f);
}

static stria_status euclidean(struct derived *d)
{
    static const double zero = 0;
    struct formula f;
    STRIA_TRY(squares(d, NULL));
    if (d->found->call.n == 0 || !may_be_lost(d, &d->part[0].view)) return root(d, NULL);
    (void)begin_norm(&f, d);
    STRIA_TRY(stria__derived_part(d, STRIA_MAX, &f, &zero));
    find_scales(&d->part[0].view, &d->part[1].view);
    STRIA_TRY(squares(d, &d->part[0].view));
    return root(d, &d->part[0].view);
}

/* The largest and the smallest magnitude of none, in the words of a norm. */
static stria_status refuse_none(const struct derived *d)
{
    const struct reduce_call *const c = &d->found->call;
    return stria__fail(STRIA_ERR_SHAPE,
                       "norm: there are no elements to reduce in shape %s, and nothing is the norm "
                       "of none by p = %g; take a finite p, whose norm of none is 0",
                       stria__dims_text(c->a->ndim, c->a->shape).text, d->request->options.p);
}

stria_status stria__derived_norm(struct derived *d)
{
    const double p = d->request->options.p;
    const bool extreme = p == HUGE_VAL || p == -HUGE_VAL;
    if (extreme && d->found->call.n == 0 && stria_numel(&d->out) > 0) return refuse_none(d);
    if (p == 0) return count(d);
    if (p == 1) return simple(d, STRIA_SUM, 0);
    if (p == 2) return euclidean(d);
    if (p == HUGE_VAL) return simple(d, STRIA_MAX, 0);
    if (p == -HUGE_VAL) return simple(d, STRIA_MIN, HUGE_VAL);
    return powers(d, p);
}
