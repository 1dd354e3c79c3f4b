/* SPDX-License-Identifier: BSD-3-Clause */
/* Derived reductions, but for spreads (variance.c), norms (norm.c) and logsumexp (logsumexp.c). */
#include "ops/reduce/derived.h"

#include <math.h>

#include "base/alloc.h"
#include "view/array.h"
#include "dtype/dtype.h"
#include "machine/fp_mode.h"
#include "base/status.h"
#include "stria/broadcast.h"
#include "view/view.h"

/* ---- parts ----------------------------------------------------------------------------------- */

void stria__derived_begin(struct formula *f, const struct derived *d)
{
    const struct request *const r = d->request;
    stria__formula_begin(f, r->expr, r->n, r->inputs);
    if (is_float8_kind((stria_kind)d->found->whole.dtype.kind))
        f->e = stria__formula_cast(f, f->e, STRIA_F32);
}

stria_status stria__derived_part(struct derived *d, stria_reduction op, struct formula *f,
                                 const double *none)
{
    struct request part = *d->request;
    stria_view initial;
    const stria_view *const where = part.options.where;
    part.op = op;
    part.options = (stria_reduce_options){.keepdims = true, .where = where};
    if (where && none) part.options.initial = &initial;
    if (where && none) view_of_item(&initial, none, STRIA_F64);
    STRIA_TRY(stria__reduce_formula(&part, f, NULL, &d->part[d->parts]));
    d->parts++;
    return STRIA_OK;
}

int stria__derived_last(struct formula *f, const struct derived *d)
{
    return formula_of(f, &d->part[d->parts - 1].view);
}

stria_status stria__derived_finish(struct derived *d, struct formula *f)
{
    return stria__formula_evaluate(f, &d->out, d->request->exec);
}

stria_status stria__derived_keep(struct derived *d, struct formula *f)
{
    stria_status status = f->status;
    if (status == STRIA_OK)
        status =
            stria_expr_evaluate_new(&d->part[d->parts], f->expr, f->n, f->input, d->request->exec);
    if (status == STRIA_OK) d->parts++;
    stria__formula_end(f);
    return status;
}

stria_status stria__derived_elements(struct derived *d, stria_view *all)
{
    const struct request *const r = d->request;
    const stria_view *const whole = &d->found->whole;
    struct formula f;
    if (r->expr->count == 1 && r->expr->nodes[0].what == NODE_INPUT)
        return stria_broadcast_to(all, r->inputs[r->expr->nodes[0].input], whole->ndim,
                                  whole->shape);
    stria__derived_begin(&f, d);
    STRIA_TRY(stria__derived_keep(d, &f));
    view_copy(all, &d->part[d->parts - 1].view);
    return STRIA_OK;
}

/* out with the dims that are reduced, of size 1. */
static void widen(stria_view *wide, const stria_view *out, const struct requested *found)
{
    const int ndim = found->whole.ndim;
    view_set(wide, out->data, out->buffer, out->dtype, out->flags, 0, NULL, NULL);
    wide->ndim = ndim;
    for (int d = 0, o = 0; d < ndim; d++) {
        const bool reduced = found->call.set >> d & 1, own = !reduced || out->ndim == ndim;
        wide->shape[d] = own ? out->shape[o] : 1;
        wide->strides[d] = own ? out->strides[o] : out->dtype.itemsize;
        o += own;
    }
}

static bool has_nan(const struct derived *d)
{
    return d->found->whole.dtype.kind >= STRIA_F8E4M3;
}

/* ---- reductions ------------------------------------------------------------------------------ */

static stria_status ptp(struct derived *d)
{
    struct formula f;
    stria__derived_begin(&f, d);
    STRIA_TRY(stria__derived_part(d, STRIA_MAX, &f, NULL));
    stria__derived_begin(&f, d);
    STRIA_TRY(stria__derived_part(d, STRIA_MIN, &f, NULL));
    int high = formula_of(&f, &d->part[0].view), low = stria__formula_input(&f, &d->part[1].view);
    if (has_nan(d)) { /* floats: rounded once, to the dtype of out */
        high = stria__formula_cast(&f, high, STRIA_F64);
        low = stria__formula_cast(&f, low, STRIA_F64);
    }
    apply2(&f, STRIA_SUBTRACT, high, low);
    return stria__derived_finish(d, &f);
}

/* A fold of the elements with `other` in the place of each NaN, into out. */
static stria_status fold_numbers(struct derived *d, stria_reduction op, double other)
{
    struct request r = *d->request;
    struct formula f;
    stria__derived_begin(&f, d);
    if (has_nan(d)) {
        const int nan = apply1(&f, STRIA_ISNAN, f.e), stand_in = formula_real(&f, other);
        apply3(&f, STRIA_WHERE, nan, stand_in, f.e);
    }
    r.op = op;
    return stria__reduce_formula(&r, &f, &d->out, NULL);
}

/* NaN where there is no number. */
static stria_status extreme_number(struct derived *d, stria_reduction op)
{
    struct request r = *d->request;
    r.op = op;
    if (has_nan(d)) r.fold = op == STRIA_MAX ? FOLD_LARGEST_NUMBER : FOLD_SMALLEST_NUMBER;
    return stria__reduce_request(&r, &d->out);
}

static stria_status run_derived(struct derived *d)
{
    const bool is_complex = stria_dtype_is_complex(d->found->whole.dtype);
    switch (d->request->op) {
    case STRIA_PTP: return ptp(d);
    case STRIA_NORM: return stria__derived_norm(d);
    case STRIA_LOGSUMEXP: return stria__derived_logsumexp(d);
    case STRIA_NANSUM: return fold_numbers(d, STRIA_SUM, -0.0);
    case STRIA_NANPROD: return fold_numbers(d, STRIA_PROD, 1);
    case STRIA_NANMAX: return extreme_number(d, STRIA_MAX);
    case STRIA_NANMIN: return extreme_number(d, STRIA_MIN);
    case STRIA_NANMEAN: return stria__derived_spread(d, has_nan(d));
    case STRIA_MEAN: return stria__derived_spread(d, false);
    case STRIA_NANVAR:
    case STRIA_NANSTD:
        return is_complex ? stria__derived_complex_spread(d) : stria__derived_spread(d, has_nan(d));
    case STRIA_VAR:
    case STRIA_STD:
        return is_complex ? stria__derived_complex_spread(d) : stria__derived_spread(d, false);
    default: return stria__reduce_masked(d);
    }
}

bool stria__is_derived(stria_reduction op, const stria_reduce_options *options, stria_dtype dtype)
{
    const struct reduction_info *const row = stria__reduction_info(op);
    if (row->fold == FOLD_DERIVED) return true;
    if (row->fold == FOLD_DEVIATIONS && stria_dtype_is_complex(dtype)) return true;
    return options && (options->where || options->initial || options->dtype);
}

stria_status stria__reduce_derived(const struct request *r, const struct requested *found,
                                   const stria_view *out)
{
    IN_DEFAULT_FP_MODE;
    if (stria_numel(out) == 0) return STRIA_OK;
    OWNED_MEMORY(memory, sizeof(struct derived));
    struct derived *const d = memory.at;
    if (!d)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for its parts", found->call.row->name);
    for (size_t i = 0; i < sizeof d->part / sizeof *d->part; i++)
        array_none(&d->part[i]);
    d->parts = 0;
    d->request = r;
    d->found = found;
    widen(&d->out, out, found);
    const stria_status status = r->options.dtype     ? stria__reduce_cast(d)
                                : r->options.initial ? stria__reduce_initial(d)
                                                     : run_derived(d);
    while (d->parts > 0)
        stria_array_release(&d->part[--d->parts]);
    return status;
}
