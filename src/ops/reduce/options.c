/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks of a mask, an initial value and a dtype. */
#include <math.h>

#include "array.h"
#include "dtype.h"
#include "ops/elementwise/operation.h"
#include "ops/reduce/derived.h"
#include "status.h"
#include "stria/cast.h"
#include "view/view.h"

static bool takes_dtype(stria_reduction op)
{
    switch (op) {
    case STRIA_SUM:
    case STRIA_PROD:
    case STRIA_MEAN:
    case STRIA_VAR:
    case STRIA_STD:
    case STRIA_NANSUM:
    case STRIA_NANPROD:
    case STRIA_NANMEAN:
    case STRIA_NANVAR:
    case STRIA_NANSTD: return true;
    default: return false;
    }
}

static stria_status check_dtype(stria_reduction op, const struct reduction_info *row,
                                const stria_dtype *dtype)
{
    char name[64];
    if (!takes_dtype(op))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: it takes no dtype; sums, products, means and variances do",
                           row->name);
    const bool fits = row->result == REDUCED_WIDE || dtype->kind >= STRIA_F8E4M3;
    if (dtype->kind <= STRIA_C128 && fits) return STRIA_OK;
    stria__dtype_brief(*dtype, name, sizeof name);
    return stria__fail(STRIA_ERR_DTYPE, "%s: a dtype of %s, wants %s", row->name, name,
                       row->result == REDUCED_WIDE ? "a number" : "a float");
}

static stria_status check_where(const struct request *r, const struct reduction_info *row,
                                const stria_view *whole)
{
    const stria_view *const where = r->options.where;
    const bool extreme = row->result == REDUCED_SAME;
    STRIA_TRY(stria__check_view(where, row->name, "where"));
    if (row->result == REDUCED_INDEX || r->op == STRIA_PTP)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: it takes no mask", row->name);
    if (extreme && !r->options.initial)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: nothing is the %s of none; give an initial value with a mask",
                           row->name, row->name);
    if (where->dtype.kind != STRIA_BOOL) {
        char name[64];
        stria__dtype_brief(where->dtype, name, sizeof name);
        return stria__fail(STRIA_ERR_DTYPE, "%s: where is %s, must be bool; compare it with 0",
                           row->name, name);
    }
    bool fits = where->ndim <= whole->ndim;
    for (int d = 0; d < where->ndim && fits; d++) {
        const int64_t n = where->shape[d];
        fits = n == 1 || n == whole->shape[whole->ndim - where->ndim + d];
    }
    if (fits) return STRIA_OK;
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
    /* A number is what fits, which is looked at where it is converted. */
    if ((initial->flags & STRIA_WEAK) && initial->dtype.kind <= STRIA_U64 &&
        result.kind <= STRIA_U64)
        return STRIA_OK;
    if (initial->dtype.kind <= STRIA_C128 &&
        stria_can_cast(initial->dtype, result, STRIA_CAST_SAME_KIND))
        return STRIA_OK;
    char from[64], to[64];
    stria__dtype_brief(initial->dtype, from, sizeof from);
    stria__dtype_brief(result, to, sizeof to);
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: initial is %s, which does not cast to the result's dtype %s under "
                       "same_kind rules",
                       row->name, from, to);
}

stria_status stria__check_reduce_options(const struct request *r, const struct requested *found)
{
    const struct reduction_info *const row = found->call.row;
    if (r->options.dtype) STRIA_TRY(check_dtype(r->op, row, r->options.dtype));
    if (r->options.where) STRIA_TRY(check_where(r, row, &found->whole));
    if (r->options.initial) STRIA_TRY(check_initial(r, row, found->call.result));
    if (r->op == STRIA_NORM && isnan(r->options.p))
        return stria__fail(STRIA_ERR_ARGUMENT, "norm: p is NaN");
    return STRIA_OK;
}
