/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace. The diagonal is a view, a conversion makes it dense in the wide dtype of the sum (and
 * resolves conj and neg bits, byte order and strides), and one plain loop for each of the three
 * wide dtypes computes the sum.
 */
#include "stria/reduce.h"
#include "stria/window.h"

#include "array.h"
#include "ops/make.h"
#include "status.h"
#include "stria/cast.h"
#include "view/view.h"

/* Returns the dtype in which the sum is computed. */
static stria_kind wide_kind(stria_dtype dtype)
{
    if (stria_dtype_is_complex(dtype)) return STRIA_C128;
    return dtype.kind < STRIA_F8E4M3 ? STRIA_I64 : STRIA_F64;
}

/* The sum wraps as two's complement does. */
static int64_t sum_i64(const int64_t *x, int64_t n)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (uint64_t)x[i];
    return (int64_t)sum;
}

/* Sums every step-th number: the parts of complex numbers are summed separately. */
static double sum_f64(const double *x, int64_t n, int64_t step)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i * step];
    return sum;
}

/* Sums dense items of a wide dtype to one item of it. */
static void sum_wide(void *sum, const void *items, int64_t n, stria_kind kind)
{
    double *const parts = sum;
    if (kind == STRIA_I64) *(int64_t *)sum = sum_i64(items, n);
    if (kind == STRIA_F64) parts[0] = sum_f64(items, n, 1);
    if (kind == STRIA_C128) {
        parts[0] = sum_f64(items, n, 2);
        parts[1] = sum_f64((const double *)items + 1, n, 2);
    }
}

static stria_status sum_into(const stria_view *out, const stria_view *diagonal)
{
    const stria_kind kind = wide_kind(diagonal->dtype);
    const stria_dtype dtype = stria_dtype_of(kind);
    union {
        int64_t whole;
        double parts[2];
    } sum;
    stria_array wide;
    stria_view total;
    STRIA_TRY(
        stria_astype(&wide, diagonal, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL, NULL));
    sum_wide(&sum, wide.view.data, wide.view.shape[0], kind);
    stria_array_release(&wide);
    STRIA_TRY(stria_view_foreign(&total, &sum, dtype, 0, NULL, NULL, STRIA_READONLY));
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
