/* SPDX-License-Identifier: BSD-3-Clause */
/* Covariances: a product of deviations, which weights may weigh, with themselves. */
#include "ops/composed/composed.h"
#include "ops/elementwise/operation.h"
#include "stria/analysis.h"
#include "stria/axes.h"
#include "stria/complex.h"
#include "stria/contract.h"
#include "stria/mathematics.h"
#include "stria/reduce.h"
#include "stria/value.h"
#include "stria/window.h"

/* How observations count: all as one, or by their weights. */
struct weighing {
    const stria_view *frequencies, *weights;
    stria_array each; /* Owned: the products of both; unset where there are none. */
    double sum;       /* The sum of the weights. */
    double divisor;
};

static stria_status check_weights(const stria_view *w, const stria_view *a, const char *name)
{
    if (!w) return STRIA_OK;
    STRIA_TRY(stria__check_view(w, "cov", name));
    if (!view_has_shape(w, 1, &a->shape[a->ndim - 1]))
        return stria__fail(STRIA_ERR_SHAPE, "cov: %s of shape %s for %lld observations", name,
                           stria__dims_text(w->ndim, w->shape).text,
                           (long long)a->shape[a->ndim - 1]);
    return stria__check_memory(w, "cov", name);
}

/* Adds up all elements, or their products with those of b. */
static stria_status sum_of(double *out, const stria_view *a, const stria_view *b)
{
    stria_view to;
    view_of_item(&to, out, STRIA_F64);
    return b ? stria_vecdot(&to, a, b, STRIA_ALL_DIMS, NULL, NULL)
             : stria_sum(&to, a, STRIA_ALL_DIMS, NULL, NULL);
}

static stria_status weigh(struct weighing *w, const stria_view *a, double ddof)
{
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    const stria_view *const one = w->frequencies ? w->frequencies : w->weights;
    double squares = 0;
    w->sum = (double)a->shape[a->ndim - 1];
    w->divisor = w->sum - ddof;
    if (!one) return STRIA_OK;
    STRIA_TRY(
        stria_astype(&w->each, one, f64, STRIA_CAST_SAME_KIND, STRIA_COPY_ALWAYS, NULL, NULL));
    if (w->frequencies && w->weights)
        STRIA_TRY(stria_multiply(&w->each.view, &w->each.view, w->weights, NULL));
    STRIA_TRY(sum_of(&w->sum, &w->each.view, NULL));
    w->divisor = w->sum - ddof;
    if (!w->weights) return STRIA_OK;
    STRIA_TRY(sum_of(&squares, &w->each.view, w->weights));
    w->divisor = w->sum - ddof * squares / w->sum;
    return STRIA_OK;
}

/* Makes the means of variables, with the dim of observations. */
static stria_status means_of(stria_array *out, const stria_view *a, const struct weighing *w)
{
    static const int last[] = {1};
    stria_view sum;
    OWNED_ARRAY(weighted);
    if (!w->each.owned) return stria_mean_new(out, a, 1, last, true, NULL);
    STRIA_TRY(stria_multiply_new(&weighted, a, &w->each.view, NULL));
    STRIA_TRY(stria_sum_new(out, &weighted.view, 1, last, true, NULL));
    STRIA_TRY(stria_weak(&sum, STRIA_F64, &w->sum));
    return stria_divide(&out->view, &out->view, &sum, NULL);
}

/* Writes the covariances of a, a matrix of floats. */
static stria_status covariances(const stria_view *out, const stria_view *a,
                                const struct weighing *w)
{
    stria_view across, divisor;
    OWNED_ARRAYS(means, apart, weighted);
    STRIA_TRY(means_of(&means, a, w));
    STRIA_TRY(stria_subtract_new(&apart, a, &means.view, NULL));
    if (w->each.owned)
        STRIA_TRY(stria_multiply_new(&weighted, &apart.view, &w->each.view, NULL));
    else
        array_share(&weighted, &apart.view);
    STRIA_TRY(stria_matrix_adjoint(&across, &apart.view));
    STRIA_TRY(stria_matmul(out, &weighted.view, &across, NULL));
    const double by = w->divisor > 0 ? w->divisor : 0;
    STRIA_TRY(stria_weak(&divisor, STRIA_F64, &by));
    return stria_divide(out, out, &divisor, NULL);
}

static stria_status cov(stria_array *made, const stria_view *a, const stria_view *frequencies,
                        const stria_view *weights, double ddof, const stria_exec *exec)
{
    struct weighing w = {.frequencies = frequencies, .weights = weights};
    stria_view rows;
    stria_dtype dtype = stria_dtype_of(STRIA_F64);
    OWNED_ARRAY(wide);
    STRIA_TRY(stria__check_view(a, "cov", "a"));
    STRIA_TRY(stria__check_number(a->dtype, "cov", "a"));
    if (a->ndim < 1 || a->ndim > 2)
        return stria__fail(STRIA_ERR_SHAPE, "cov: a has %d dims, wants 1 or 2", a->ndim);
    STRIA_TRY(check_weights(frequencies, a, "frequencies"));
    STRIA_TRY(check_weights(weights, a, "weights"));
    if (promotion_of(exec) == STRIA_PROMOTE_NUMPY || a->dtype.kind < STRIA_F8E4M3)
        dtype = stria_dtype_of(stria_dtype_is_complex(a->dtype) ? STRIA_C128 : STRIA_F64);
    else
        dtype = native_of(a->dtype);
    STRIA_TRY(stria_atleast_2d(&rows, a));
    STRIA_TRY(stria__empty_like_memory(
        made, a, dtype, 2, (const int64_t[]){rows.shape[0], rows.shape[0]}, STRIA_ORDER_C));
    if (!view_is_meta(a)) {
        STRIA_TRY(
            stria_astype(&wide, &rows, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED, NULL, NULL));
        stria_status status = weigh(&w, a, ddof);
        if (status == STRIA_OK) status = covariances(&made->view, &wide.view, &w);
        stria_array_release(&w.each);
        STRIA_TRY(status);
    }
    return a->ndim == 1 ? stria_squeeze(&made->view, &made->view) : STRIA_OK;
}

/* Divides covariances by both deviations, and bounds what rounding leaves beyond 1. */
static stria_status corrcoef(stria_array *made, const stria_view *a, const stria_exec *exec)
{
    static const double ends[] = {-1, 1};
    stria_view diagonal, column, low, high, part;
    OWNED_ARRAY(deviations);
    STRIA_TRY(cov(made, a, NULL, NULL, 1, exec));
    if (made->view.ndim == 0)
        return view_is_meta(a) ? STRIA_OK
                               : stria_divide(&made->view, &made->view, &made->view, NULL);
    STRIA_TRY(stria_diagonal(&diagonal, &made->view, 0, 0, 1));
    STRIA_TRY(stria_real(&diagonal, &diagonal));
    STRIA_TRY(stria_sqrt_new(&deviations, &diagonal, NULL));
    STRIA_TRY(stria_unsqueeze(&column, &deviations.view, 1));
    STRIA_TRY(stria_divide(&made->view, &made->view, &column, NULL));
    STRIA_TRY(stria_divide(&made->view, &made->view, &deviations.view, NULL));
    STRIA_TRY(stria_weak(&low, STRIA_F64, &ends[0]));
    STRIA_TRY(stria_weak(&high, STRIA_F64, &ends[1]));
    for (int i = 0; i < (stria_dtype_is_complex(made->view.dtype) ? 2 : 1); i++) {
        STRIA_TRY(i ? stria_imag(&part, &made->view) : stria_real(&part, &made->view));
        STRIA_TRY(stria_clip(&part, &part, &low, &high, NULL));
    }
    return STRIA_OK;
}

COMPOSED(cov,
         (const stria_view *a, const stria_view *frequencies, const stria_view *weights,
          double ddof),
         cov(&made, a, frequencies, weights, ddof, exec))

COMPOSED(corrcoef, (const stria_view *a), corrcoef(&made, a, exec))
