/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log(sum(exp(x - m))) + m in f64 or c128, where m is the largest element, or real part of one, if
 * that is finite.
 */
#include <math.h>

#include "view/array.h"
#include "dtype/dtype.h"
#include "ops/reduce/derived.h"
#include "base/status.h"
#include "stria/complex.h"
#include "stria/copy.h"
#include "view/view.h"

/* The result of no elements. */
static const double of_none = -HUGE_VAL;

/* Begins a formula with what m is the largest of. Real parts have to lie somewhere. */
__attribute__((noinline)) static stria_status begin_real(struct formula *f, stria_view *re,
                                                         struct derived *d)
{
    if (stria_dtype_is_complex(d->found->whole.dtype)) {
        stria_view z;
        STRIA_TRY(stria__derived_elements(d, &z));
        STRIA_TRY(stria_real(re, &z));
        f->e = formula_of(f, re);
    } else {
        stria__derived_begin(f, d);
    }
    stria__formula_cast(f, f->e, STRIA_F64);
    return STRIA_OK;
}

/* A new part: m, or 0. Under a mask that leaves nothing it would be -inf. */
__attribute__((noinline)) static stria_status find_shift(struct derived *d)
{
    struct formula f;
    stria_view re;
    STRIA_TRY(begin_real(&f, &re, d));
    STRIA_TRY(stria__derived_part(d, STRIA_MAX, &f, &of_none));
    const int m = stria__derived_last(&f, d), zero = formula_real(&f, 0);
    apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISFINITE, m), m, zero);
    return stria__derived_keep(d, &f);
}

stria_status stria__derived_logsumexp(struct derived *d)
{
    const bool is_complex = stria_dtype_is_complex(d->found->whole.dtype);
    struct formula f;
    stria_view none;
    if (d->found->call.n == 0) {
        view_of_item(&none, &of_none, STRIA_F64);
        return stria_copy_with(&d->out, &none, d->request->exec);
    }
    STRIA_TRY(find_shift(d));
    const stria_view *const shift = &d->part[d->parts - 1].view;
    stria__derived_begin(&f, d);
    const int x = stria__formula_cast(&f, f.e, is_complex ? STRIA_C128 : STRIA_F64);
    const int apart = apply2(&f, STRIA_SUBTRACT, x, stria__formula_input(&f, shift));
    apply1(&f, STRIA_EXP, apart);
    STRIA_TRY(stria__derived_part(d, STRIA_SUM, &f, NULL));
    const int log = apply1(&f, STRIA_LOG, stria__derived_last(&f, d));
    apply2(&f, STRIA_ADD, log, stria__formula_input(&f, shift));
    return stria__derived_finish(d, &f);
}
