/* SPDX-License-Identifier: BSD-3-Clause */
/* Masks, initial values and dtypes: their checks, and requests that do without them. */
#include "ops/reduce/derived.h"

#include <math.h>

#include "ops/operands.h"
#include "ops/elementwise/operation.h"
#include "stria/broadcast.h"

static stria_status check_dtype(stria_reduction op, const struct reduction_info *row,
                                const stria_dtype *dtype)
{
    if (row->result > REDUCED_MAGNITUDE || op == STRIA_NORM || op == STRIA_LOGSUMEXP)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: it takes no dtype; sums, products, means and variances do",
                           row->name);
    const bool fits = row->result == REDUCED_WIDE || dtype->kind >= STRIA_F8E4M3;
    if (dtype->kind <= STRIA_C128 && fits) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "%s: a dtype of %s, wants %s", row->name,
                       stria__dtype_text(*dtype).text,
                       row->result == REDUCED_WIDE ? "a number" : "a float");
}

static stria_status check_where(const struct request *r, const struct reduction_info *row,
                                const stria_view *whole)
{
    const stria_view *const where = r->options.mask;
    const bool extreme = row->result == REDUCED_SAME;
    stria_view wide;
    STRIA_TRY(stria__check_view(where, row->name, "where"));
    if (row->result == REDUCED_INDEX || r->op == STRIA_PTP)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: it takes no mask", row->name);
    if (extreme && !r->options.initial)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: nothing is the %s of none; give an initial value with a mask",
                           row->name, row->name);
    if (where->dtype.kind != STRIA_BOOL)
        return stria__fail(STRIA_ERR_DTYPE, "%s: where is %s, must be bool; compare it with 0",
                           row->name, stria__dtype_text(where->dtype).text);
    if (stria_broadcast_to(&wide, where, whole->ndim, whole->shape) == STRIA_OK) return STRIA_OK;
    return stria__fail(STRIA_ERR_BROADCAST,
                       "%s: where of shape %s does not broadcast to the elements, of shape %s",
                       row->name, stria__dims_text(where->ndim, where->shape).text,
                       stria__dims_text(whole->ndim, whole->shape).text);
}

static stria_status check_initial(const struct request *r, const struct reduction_info *row,
                                  stria_dtype result)
{
    const stria_view *const initial = r->options.initial;
    const bool takes = row->result == REDUCED_WIDE || row->result == REDUCED_SAME;
    STRIA_TRY(stria__check_view(initial, row->name, "initial"));
    if (!takes || r->op == STRIA_PTP)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: it takes no initial value; sums, products and extremes do",
                           row->name);
    if (initial->ndim != 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: initial has %d dims, must be 0-d", row->name,
                           (int)initial->ndim);
    if (r->options.dtype) result = stria_dtype_of((stria_kind)r->options.dtype->kind);
    /* A number has to fit, which is checked when it is converted. */
    if ((initial->flags & STRIA_WEAK) && initial->dtype.kind <= STRIA_U64 &&
        result.kind <= STRIA_U64)
        return STRIA_OK;
    if (initial->dtype.kind <= STRIA_C128 &&
        stria_can_cast(initial->dtype, result, STRIA_CAST_SAME_KIND))
        return STRIA_OK;
    return stria__fail(
        STRIA_ERR_DTYPE,
        "%s: initial is %s, which does not cast to the result's dtype %s under same_kind rules",
        row->name, stria__dtype_text(initial->dtype).text, stria__dtype_text(result).text);
}

stria_status stria__check_reduce_options(const struct request *r, const struct requested *found)
{
    const struct reduction_info *const row = found->call.row;
    STRIA_TRY(stria__check_reserved(r->options.reserved, "options of a reduction"));
    if (r->options.dtype) STRIA_TRY(check_dtype(r->op, row, r->options.dtype));
    if (r->options.mask) STRIA_TRY(check_where(r, row, &found->whole));
    if (r->options.initial) STRIA_TRY(check_initial(r, row, found->call.result));
    if (r->op == STRIA_NORM && isnan(r->options.p))
        return stria__fail(STRIA_ERR_ARGUMENT, "norm: p is NaN");
    return STRIA_OK;
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Adds the neutral element: for sums of floats it is -0, so that no bit changes. */
static int identity_of(struct formula *f, stria_reduction op, stria_kind kind)
{
    const bool is_float = kind >= STRIA_F8E4M3;
    switch (op) {
    case STRIA_SUM:
        return is_float ? formula_real(f, -0.0)
                        : stria__formula_scalar(f, STRIA_BOOL, &(bool){false});
    case STRIA_PROD:
    case STRIA_ALL: return stria__formula_scalar(f, STRIA_BOOL, &(bool){true});
    case STRIA_BITS_AND:
        if (kind == STRIA_BOOL) return stria__formula_scalar(f, STRIA_BOOL, &(bool){true});
        return apply1(
            f, STRIA_BITWISE_NOT,
            stria__formula_cast(f, stria__formula_scalar(f, STRIA_BOOL, &(bool){false}), kind));
    default: return stria__formula_scalar(f, STRIA_BOOL, &(bool){false});
    }
}

/* Reduces the elements under the mask, with `other` in the place of the rest. */
static stria_status reduce_under_mask(struct request *r, struct formula *f, int other,
                                      const stria_view *out)
{
    const int mask = stria__formula_input(f, r->options.mask);
    apply3(f, STRIA_WHERE, mask, f->e, other);
    r->options.mask = NULL;
    return stria__reduce_formula(r, f, out, NULL);
}

stria_status stria__reduce_masked(const struct request *request, const struct requested *found,
                                  const stria_view *out)
{
    struct request r = *request;
    const stria_kind kind = (stria_kind)found->whole.dtype.kind;
    struct formula f;
    stria__formula_begin(&f, r.expr, r.n, r.inputs);
    return reduce_under_mask(&r, &f, stria__formula_cast(&f, identity_of(&f, r.op, kind), kind),
                             out);
}

/* ---- dtypes ---------------------------------------------------------------------------------- */

/* Reduces cast elements into out. */
static stria_status reduce_cast_into(const struct request *request, const stria_view *out)
{
    struct request r = *request;
    struct formula f;
    stria__formula_begin(&f, r.expr, r.n, r.inputs);
    stria__formula_cast(&f, f.e, (stria_kind)r.options.dtype->kind);
    r.options.dtype = NULL;
    r.unsigned_stay = true; /* The result casts to the requested dtype, which is unsigned then. */
    return stria__reduce_formula(&r, &f, out, NULL);
}

/*
 * Reduces with a requested dtype. Integers are combined in 64 bits. For an out of another dtype
 * they are first cast to the requested one; for bool, to which they do not cast, by whether they
 * are 0.
 */
stria_status stria__reduce_cast(const struct request *request, const stria_view *out)
{
    const stria_dtype dtype = stria_dtype_of((stria_kind)request->options.dtype->kind);
    const bool truth = dtype.kind == STRIA_BOOL;
    if (!truth && (dtype.kind > STRIA_U64 || out->dtype.kind == dtype.kind))
        return reduce_cast_into(request, out);
    OWNED_ARRAY(made);
    struct formula f;
    STRIA_TRY(stria_empty(&made, truth ? stria_dtype_of(STRIA_I64) : dtype, out->ndim, out->shape));
    STRIA_TRY(reduce_cast_into(request, &made.view));
    if (!truth) return stria_copy(out, &made.view, request->exec);
    const int x = formula_of(&f, &made.view);
    apply2(&f, STRIA_NOT_EQUAL, x, stria__formula_scalar(&f, STRIA_BOOL, &(bool){false}));
    return stria__formula_evaluate(&f, out, request->exec);
}

/* ---- initial values -------------------------------------------------------------------------- */

static stria_op combines(stria_reduction op)
{
    switch (op) {
    case STRIA_SUM:
    case STRIA_NANSUM: return STRIA_ADD;
    case STRIA_PROD:
    case STRIA_NANPROD: return STRIA_MULTIPLY;
    case STRIA_MAX: return STRIA_MAXIMUM;
    case STRIA_MIN: return STRIA_MINIMUM;
    case STRIA_NANMAX: return STRIA_FMAX;
    default: return STRIA_FMIN;
    }
}

/* Returns the dtype in which the result is combined with its initial value. */
static stria_kind wide_kind(const struct reduce_call *call)
{
    const bool sum = call->row->result == REDUCED_WIDE;
    if (call->result.kind <= STRIA_U64) return (stria_kind)call->result.kind;
    if (stria_dtype_is_complex(call->result)) return STRIA_C128;
    return sum || call->result.kind == STRIA_F64 ? STRIA_F64 : STRIA_F32;
}

/* Converts the initial value to an item of `kind`; a number that an integer cannot be is
 * refused. */
static stria_status convert_initial(stria_view *item, char *room, stria_kind kind,
                                    const stria_view *initial, const char *name)
{
    const stria_dtype dtype = stria_dtype_of(kind);
    STRIA_TRY(stria_view_foreign(item, room, dtype, 0, NULL, NULL, 0));
    STRIA_TRY(stria_copy(item, initial, NULL));
    if (kind > STRIA_U64 || initial->dtype.kind > STRIA_U64) return STRIA_OK;
    const struct element value = stria__element_load(initial->dtype, initial->flags, initial->data);
    if (kind == STRIA_BOOL ? !value.negative && value.magnitude <= 1
                           : stria__element_store(dtype, 0, room, &value))
        return STRIA_OK;
    return stria__fail(
        STRIA_ERR_ARGUMENT,
        "%s: initial is %s, which the result's dtype %s cannot be; give a dtype that it fits", name,
        stria__element_text(&value).text, stria__dtype_text(dtype).text);
}

stria_status stria__reduce_initial(const struct request *request, const struct requested *found,
                                   const stria_view *out)
{
    struct request r = *request;
    const stria_kind kind = wide_kind(&found->call), own = (stria_kind)found->whole.dtype.kind;
    const bool extreme = found->call.row->result == REDUCED_SAME;
    _Alignas(16) char room[16];
    OWNED_ARRAY(made);
    stria_view item;
    struct formula f;
    STRIA_TRY(convert_initial(&item, room, kind, r.options.initial, found->call.row->name));
    if (extreme && found->call.n == 0) return stria_copy(out, &item, r.exec);
    STRIA_TRY(stria_empty(&made, stria_dtype_of(kind), out->ndim, out->shape));
    r.options.initial = NULL;
    stria__formula_begin(&f, r.expr, r.n, r.inputs);
    if (extreme && r.options.mask) { /* where it is false, the initial value stands */
        const int other = stria__formula_cast(&f, stria__formula_input(&f, &item), own);
        STRIA_TRY(reduce_under_mask(&r, &f, other, &made.view));
    } else {
        STRIA_TRY(stria__reduce_formula(&r, &f, &made.view, NULL));
    }
    const stria_view *const operands[] = {&made.view, &item};
    return stria_elementwise(out, combines(r.op), 2, operands, r.exec);
}
