/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks, conditions, pseudoinverses and solutions of least squares come from singular values: they
 * are products with the factors, from which values that count as zero are left out.
 */
#include "stria/linalg.h"

#include "base/alloc.h"
#include "linalg/batch.h"
#include "ops/make.h"
#include "stria/axes.h"
#include "stria/broadcast.h"
#include "stria/complex.h"
#include "stria/contract.h"
#include "stria/elementwise.h"
#include "stria/reduce.h"
#include "stria/window.h"

/* A batch of real numbers: singular values of matrices, `least` of each. */
struct values {
    struct batch real;
    int64_t least, most; /* The sides of a matrix. */
    stria_array s;
};

static void values_drop(const struct values *v)
{
    array_drop(&v->s);
}

#define OWNED_VALUES(name)                                                                         \
    __attribute__((cleanup(values_drop))) struct values name;                                      \
    array_none(&(name).s)

/* Computes singular values, and the factors unless u is NULL. */
static stria_status find_values(struct values *v, stria_array *u, stria_array *vh, const char *op,
                                const stria_view *a, const stria_exec *exec)
{
    struct batch *const b = &v->real;
    STRIA_TRY(stria__batch_begin(b, op, a, false, exec));
    v->least = b->m < b->n ? b->m : b->n;
    v->most = b->m < b->n ? b->n : b->m;
    set_kind(b, b->real);
    return stria_svd_new(u, &v->s, vh, a, false, exec);
}

static stria_status check_rtol(const char *op, double rtol)
{
    return rtol == rtol ? STRIA_OK : stria__fail(STRIA_ERR_ARGUMENT, "%s: rtol is NaN", op);
}

static char *value_at(const struct values *v, int64_t i, int64_t k)
{
    return v->s.view.data + (i * v->least + k) * item_of(&v->real);
}

/*
 * Writes inverses of the values of matrix i that are above rtol times the largest, and 0 instead of
 * others, to where `inverse` is, unless it is NULL; returns how many there are. rtol < 0: as much
 * as rounding makes of a value that is 0.
 */
static int64_t invert_values(const struct values *v, int64_t i, double rtol, char *inverse)
{
    const struct batch *const b = &v->real;
    const double eps = b->kind == STRIA_F32 ? 0x1p-23 : 0x1p-52;
    int64_t rank = 0;
    for (int64_t k = 0; k < v->least; k++) {
        const double x = number_at(b, value_at(v, i, k)).re,
                     limit = (rtol < 0 ? (double)v->most * eps : rtol) *
                             number_at(b, value_at(v, i, 0)).re;
        rank += x > limit;
        if (inverse)
            put_number(b, inverse + k * item_of(b),
                       (struct complex_number){x > limit ? 1 / x : 0, 0});
    }
    return rank;
}

/* Does so for all matrices; `ranks` and `inverse` may be NULL. */
static stria_status invert_all(stria_array *inverse, stria_array *ranks, const struct values *v,
                               double rtol, const stria_exec *exec)
{
    const struct batch *const b = &v->real;
    if (inverse) STRIA_TRY(stria__empty_vectors(inverse, b, b->kind, v->least));
    if (ranks) STRIA_TRY(stria__empty_vectors(ranks, b, STRIA_I64, -1));
    WATCHES(exec);
    for (int64_t i = 0; i < b->count; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(exec);
        char *const to = inverse ? matrix_at(inverse, i, v->least * item_of(b)) : NULL;
        const int64_t rank = invert_values(v, i, rtol, to);
        if (ranks) memcpy(matrix_at(ranks, i, (int64_t)sizeof rank), &rank, sizeof rank);
    }
    return STRIA_OK;
}

stria_status stria_matrix_rank_new(stria_array *out, const stria_view *a, double rtol,
                                   const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    OWNED_VALUES(v);
    MAKES(made, out, "matrix_rank");
    STRIA_TRY(check_rtol("matrix_rank", rtol));
    STRIA_TRY(find_values(&v, NULL, NULL, "matrix_rank", a, exec));
    return stria__deliver(out, &made, invert_all(NULL, &made, &v, rtol, exec));
}

stria_status stria_cond_new(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    OWNED_VALUES(v);
    MAKES(made, out, "cond");
    STRIA_TRY(find_values(&v, NULL, NULL, "cond", a, exec));
    if (v.least == 0)
        return stria__fail(STRIA_ERR_SHAPE, "cond: matrices of %lld x %lld have no singular values",
                           (long long)v.real.m, (long long)v.real.n);
    STRIA_TRY(stria__empty_vectors(&made, &v.real, v.real.kind, -1));
    WATCHES(exec);
    for (int64_t i = 0; i < v.real.count; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(exec);
        const double first = number_at(&v.real, value_at(&v, i, 0)).re,
                     last = number_at(&v.real, value_at(&v, i, v.least - 1)).re;
        put_number(&v.real, matrix_at(&made, i, item_of(&v.real)),
                   (struct complex_number){last == 0 ? __builtin_inf() : first / last, 0});
    }
    return stria__deliver(out, &made, STRIA_OK);
}

stria_status stria_pinv_new(stria_array *out, const stria_view *a, double rtol,
                            const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    OWNED_VALUES(v);
    OWNED_ARRAYS(u, vh, inverse, scaled, made);
    stria_view left, right, row;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "pinv: out is NULL");
    STRIA_TRY(check_rtol("pinv", rtol));
    STRIA_TRY(find_values(&v, &u, &vh, "pinv", a, exec));
    STRIA_TRY(invert_all(&inverse, NULL, &v, rtol, exec));
    STRIA_TRY(stria_unsqueeze(&row, &inverse.view, -2));
    STRIA_TRY(stria_matrix_adjoint(&left, &vh.view));
    STRIA_TRY(stria_matrix_adjoint(&right, &u.view));
    STRIA_TRY(stria_multiply_new(&scaled, &left, &row, exec));
    return stria__deliver(out, &made, stria_matmul_new(&made, &scaled.view, &right, exec));
}

/* Adds up the squares of what is left of each column of b. */
static stria_status find_residuals(stria_array *out, const stria_view *a, const stria_view *x,
                                   const stria_view *b, const stria_exec *exec)
{
    int rows = -2;
    OWNED_ARRAYS(product, left, sizes, squares);
    STRIA_TRY(stria_matmul_new(&product, a, x, exec));
    STRIA_TRY(stria_subtract_new(&left, &product.view, b, exec));
    STRIA_TRY(stria_abs_new(&sizes, &left.view, exec));
    STRIA_TRY(stria_square_new(&squares, &sizes.view, exec));
    return stria_sum_new(out, &squares.view, 1, &rows, false, exec);
}

/* Checks the right sides of least squares, and views one vector as a column. */
static stria_status check_sides(stria_view *sides, const stria_view *a, const stria_view *b,
                                const stria_exec *exec)
{
    struct batch batch;
    stria_kind kind;
    int ndim, ndims[2];
    int64_t shape[STRIA_MAX_NDIM];
    STRIA_TRY(stria__batch_begin(&batch, "lstsq", a, false, exec));
    STRIA_TRY(stria__check_any_view(b, "lstsq", "b"));
    STRIA_TRY(stria__lapack_kind(&kind, &batch, b, "b"));
    if (view_is_meta(b))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "lstsq: b lies in a meta buffer");
    *sides = *b;
    if (b->ndim == 1) STRIA_TRY(stria_unsqueeze(sides, b, 1));
    if (sides->ndim < 2 || sides->shape[sides->ndim - 2] != batch.m)
        return stria__fail(STRIA_ERR_SHAPE, "lstsq: b has shape %s, a has %lld rows",
                           stria__dims_text(b->ndim, b->shape).text, (long long)batch.m);
    ndims[0] = a->ndim - 2;
    ndims[1] = sides->ndim - 2;
    return stria_broadcast_shapes(&ndim, shape, 2, ndims,
                                  (const int64_t *[]){a->shape, sides->shape});
}

stria_status stria_lstsq_new(stria_array *out_x, stria_array *out_residuals, stria_array *out_rank,
                             stria_array *out_s, const stria_view *a, const stria_view *b,
                             double rtol, const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    OWNED_VALUES(v);
    OWNED_ARRAYS(u, vh, inverse, found, scaled, x, residuals, rank);
    stria_view left, right, column, sides;
    if (!out_x || !out_residuals || !out_rank || !out_s)
        return stria__fail(STRIA_ERR_ARGUMENT, "lstsq: a result is NULL");
    STRIA_TRY(check_rtol("lstsq", rtol));
    STRIA_TRY(check_sides(&sides, a, b, exec));
    STRIA_TRY(find_values(&v, &u, &vh, "lstsq", a, exec));
    const bool vector = b->ndim == 1;
    STRIA_TRY(invert_all(&inverse, &rank, &v, rtol, exec));
    STRIA_TRY(stria_unsqueeze(&column, &inverse.view, -1));
    STRIA_TRY(stria_matrix_adjoint(&left, &vh.view));
    STRIA_TRY(stria_matrix_adjoint(&right, &u.view));
    STRIA_TRY(stria_matmul_new(&found, &right, &sides, exec));
    STRIA_TRY(stria_multiply_new(&scaled, &found.view, &column, exec));
    STRIA_TRY(stria_matmul_new(&x, &left, &scaled.view, exec));
    STRIA_TRY(find_residuals(&residuals, a, &x.view, &sides, exec));
    if (vector) STRIA_TRY(stria_select(&x.view, &x.view, -1, 0));
    STRIA_TRY(stria__deliver(out_x, &x, STRIA_OK));
    STRIA_TRY(stria__deliver(out_residuals, &residuals, STRIA_OK));
    STRIA_TRY(stria__deliver(out_rank, &rank, STRIA_OK));
    return stria__deliver(out_s, &v.s, STRIA_OK);
}
