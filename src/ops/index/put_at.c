/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writing at a place, for any dtype and any way to combine values with the elements. Items that
 * have a loop are combined in place. Others are combined in a copy of native items, whose indexed
 * places are then written back. Everything that can be refused is refused before that.
 */
#include "ops/operands.h"
#include "machine/families.h"
#include "machine/op_loop.h"
#include "ops/elementwise/operation.h"
#include "ops/index/indexed.h"
#include "stria/fill.h"

/* Returns the dtype in which items of dtype are combined. */
static stria_dtype combine_dtype(stria_dtype dtype, struct combining how)
{
    const bool adds = how.reduce == STRIA_REDUCE_SUM || how.reduce == STRIA_REDUCE_PROD;
    const bool small = dtype.kind >= STRIA_F8E4M3 && dtype.kind <= STRIA_BF16;
    if (small && (how.reduce == STRIA_REDUCE_MEAN || (adds && how.round_once)))
        return stria_dtype_of(STRIA_F32);
    return native_of(dtype);
}

/* Refuses elements that share bytes: combining a value with one must not change another one. */
static stria_status check_apart(const stria_view *dst, const char *op)
{
    if (stria_overlaps_itself(dst, OVERLAP_WORK) == STRIA_OVERLAP_NO) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERLAP,
                       "%s: elements of out, shape %s and strides %s, share bytes, so that a value "
                       "would be combined with several of them; combine into a clone",
                       op, stria__dims_text(dst->ndim, dst->shape).text,
                       stria__dims_text(dst->ndim, dst->strides).text);
}

static stria_status check_combining(const stria_view *dst, struct combining how, const char *op)
{
    if ((unsigned)how.reduce > STRIA_REDUCE_MEAN)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: unknown reduction %d", op, (int)how.reduce);
    if (how.reduce == STRIA_REDUCE_NONE) return STRIA_OK;
    if (stria__combine_kernel(dst->dtype, how.reduce)) return check_apart(dst, op);
    STRIA_TRY(stria__check_built(dst->dtype, op));
    static const char *const names[] = {"", "sum", "product", "minimum", "maximum", "mean"};
    const stria_kind kind = (stria_kind)dst->dtype.kind;
    return stria__fail(STRIA_ERR_DTYPE, "%s: items of dtype %s have no %s%s", op,
                       stria__dtype_text(dst->dtype).text, names[how.reduce],
                       kind == STRIA_BOOL ? "; convert them to a number"
                       : kind == STRIA_C64 || kind == STRIA_C128
                           ? ", as complex numbers have no order; real and imag have one"
                           : "");
}

static stria_status write_number(const stria_view *a, const struct place *place, int64_t number,
                                 stria_reduce reduce, const char *op)
{
    stria_view value;
    view_of_item(&value, &number, STRIA_I64);
    return stria__write_place(a, place, &value, reduce, op);
}

/*
 * Replaces the old elements by the neutral element of the reduction; for minimum and maximum by one
 * of the values.
 */
static stria_status leave_out_self(const stria_view *a, const struct place *place,
                                   const stria_view *values, stria_reduce reduce, const char *op)
{
    if (reduce == STRIA_REDUCE_MIN || reduce == STRIA_REDUCE_MAX)
        return stria__write_place(a, place, values, STRIA_REDUCE_NONE, op);
    return write_number(a, place, reduce == STRIA_REDUCE_PROD, STRIA_REDUCE_NONE, op);
}

/* Counts how many items were summed at each place. */
__attribute__((noinline)) static stria_status counted(stria_array *out, const stria_view *a,
                                                      const struct place *place, bool without_self,
                                                      const char *op)
{
    const int64_t self = !without_self;
    OWNED_ARRAY(counts);
    STRIA_TRY(
        stria_full_like_item(&counts, a, stria_dtype_of(STRIA_I64), STRIA_ORDER_C, &self, NULL));
    STRIA_TRY(write_number(&counts.view, place, 1, STRIA_REDUCE_SUM, op));
    return stria__take_at(out, &counts.view, place, op);
}

/* Divides the sums at the places by their counts, in a's dtype. */
__attribute__((noinline)) static stria_status divide(stria_array *sums, const stria_view *a,
                                                     const struct place *place, bool without_self,
                                                     const char *op)
{
    const stria_dtype dtype = native_of(a->dtype);
    OWNED_ARRAY(counts);
    STRIA_TRY(stria_astype(sums, &sums->view, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED, NULL,
                           NULL));
    STRIA_TRY(counted(&counts, a, place, without_self, op));
    const struct map division = {
        .op = STRIA_DIVIDE,
        .loop = stria__combine()->divide[dtype.kind],
        .nops = 3,
        .operand = {{&sums->view, dtype}, {&sums->view, dtype}, {&counts.view, counts.view.dtype}},
        .result = (stria_kind)dtype.kind};
    /* No operands overlap and need a copy, so that no memory is needed. */
    return view_is_meta(&sums->view) ? STRIA_OK : stria__run_map(&division, NULL, NULL, 0);
}

/* Computes the new elements at the places. */
__attribute__((noinline)) static stria_status combined(stria_array *out, const stria_view *dst,
                                                       const struct place *place,
                                                       const stria_view *values,
                                                       struct combining how, const char *op)
{
    OWNED_ARRAY(result);
    STRIA_TRY(stria_empty_like(&result, dst, combine_dtype(dst->dtype, how), STRIA_ORDER_C));
    const stria_view *a = &result.view;
    const bool mean = how.reduce == STRIA_REDUCE_MEAN;
    const stria_reduce reduce = mean ? STRIA_REDUCE_SUM : how.reduce;
    STRIA_TRY(stria_copy(a, dst, NULL));
    if (how.without_self) STRIA_TRY(leave_out_self(a, place, values, reduce, op));
    STRIA_TRY(stria__write_place(a, place, values, reduce, op));
    STRIA_TRY(stria__take_at(out, a, place, op));
    return mean ? divide(out, dst, place, how.without_self, op) : STRIA_OK;
}

stria_status stria__put_at(const stria_view *dst, const struct place *place,
                           const stria_view *values, struct combining how, const char *op)
{
    STRIA_TRY(check_combining(dst, how, op));
    if (how.reduce == STRIA_REDUCE_NONE || view_is_meta(values))
        return stria__write_place(dst, place, values, STRIA_REDUCE_NONE, op);
    if (!how.without_self && how.reduce != STRIA_REDUCE_MEAN &&
        stria_dtype_equal(combine_dtype(dst->dtype, how), dst->dtype) &&
        !(dst->flags & (STRIA_CONJ | STRIA_NEG)))
        return stria__write_place(dst, place, values, how.reduce, op);
    OWNED_ARRAY(result);
    STRIA_TRY(combined(&result, dst, place, values, how, op));
    return stria__write_place(dst, place, &result.view, STRIA_REDUCE_NONE, op);
}
