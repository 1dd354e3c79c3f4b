/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace. The diagonal is a view, and the engine casts it to the wide dtype of the sum, a strip
 * at a time, for the kernel that adds it up.
 */
#include "stria/reduce.h"
#include "stria/window.h"

#include "array.h"
#include "dispatch.h"
#include "engine/reduce.h"
#include "ops/make.h"
#include "simd/reduce.h"
#include "status.h"
#include "stria/broadcast.h"
#include "stria/copy.h"
#include "view/view.h"

/* Returns the dtype in which the sum is computed. */
static stria_kind wide_kind(stria_dtype dtype)
{
    if (stria_dtype_is_complex(dtype)) return STRIA_C128;
    return dtype.kind < STRIA_F8E4M3 ? STRIA_I64 : STRIA_F64;
}

/* Adds up the diagonal, in order, and converts the sum. */
static stria_status sum_into(const stria_view *out, const stria_view *diagonal)
{
    enum { CYCLES = 4 /* per element: each addition waits for the one before */ };
    const stria_kind kind = wide_kind(diagonal->dtype);
    const stria_dtype dtype = stria_dtype_of(kind);
    double sum[2] = {0}; /* or an i64 */
    stria_view total, accumulator;
    STRIA_TRY(stria_view_foreign(&total, sum, dtype, 0, NULL, NULL, 0));
    STRIA_TRY(stria_expand(&accumulator, &total, 1, diagonal->shape));
    const struct map_operand a = {diagonal, dtype};
    STRIA_TRY(
        stria__accumulate(stria__kernels()->reduce->sum[kind], CYCLES, &accumulator, &a, NULL));
    return stria_copy(out, &total);
}

stria_status stria_trace(stria_array *out, const stria_view *a)
{
    stria_array made;
    stria_view diagonal;
    STRIA_TRY(view_check(out, a, "trace"));
    if (a->ndim != 2)
        return stria__fail(
            STRIA_ERR_SHAPE,
            "trace: shape %s has %d dims, a matrix has 2; take the diagonal of two of "
            "them and sum that",
            stria__dims_text(a->ndim, a->shape).text, (int)a->ndim);
    if (a->dtype.kind > STRIA_C128) {
        char name[64];
        (void)stria_dtype_format(a->dtype, name, sizeof name);
        return stria__fail(STRIA_ERR_DTYPE, "trace: items of %s have no sum", name);
    }
    STRIA_TRY(stria_diagonal(&diagonal, a, 0, 0, 1));
    const stria_kind kind =
        wide_kind(a->dtype) == STRIA_I64 ? STRIA_I64 : (stria_kind)a->dtype.kind;
    STRIA_TRY(stria__empty_like_memory(&made, a, stria_dtype_of(kind), 0, NULL, STRIA_ORDER_C));
    const bool meta = stria_buffer_is_meta(made.owned);
    return stria__deliver(out, &made, meta ? STRIA_OK : sum_into(&made.view, &diagonal));
}
