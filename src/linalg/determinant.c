/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factorizations, and determinants of them. */
#include "stria/linalg.h"

#include "base/alloc.h"
#include "linalg/batch.h"
#include "ops/make.h"
#include "stria/window.h"
#include "stria/elementwise.h"
#include "stria/reduce.h"

typedef void getrf_function(P6);

struct factorizing {
    const struct batch *b;
    stria_array *a, *pivots;
};

/* A zero on the diagonal, which LAPACK tells, too, is no refusal. */
static int64_t factorize_one(const void *context, int64_t i, char *room)
{
    const struct factorizing *const f = context;
    const struct batch *const b = f->b;
    struct lapack_integer m = lapack_integer(b->m), n = lapack_integer(b->n),
                          info = lapack_integer(0);
    (void)room;
    CALL(getrf_function, getrf)
    (I(m), I(n), matrix_at(f->a, i, b->m * b->n * item_of(b)), I(m),
     matrix_at(f->pivots, i, (b->m < b->n ? b->m : b->n) * (b->l->wide ? 8 : 4)), I(info));
    const int64_t found = lapack_value(b->l, &info);
    return found < 0 ? found : 0;
}

/* Factorizes in place; pivots has integers of LAPACK's width. */
static stria_status factorize_each(struct batch *b, stria_array *a, stria_array *pivots)
{
    const struct factorizing f = {b, a, pivots};
    if (b->m == 0 || b->n == 0) return STRIA_OK;
    return stria__each_matrix(&(struct each){.b = b,
                                             .cycles = cube(b->m < b->n ? b->m : b->n),
                                             .one = factorize_one,
                                             .context = &f,
                                             .why = ""});
}

static stria_status factorize(struct batch *b, stria_array *lu, stria_array *pivots,
                              const stria_view *a)
{
    STRIA_TRY(stria__copy_matrices(lu, b, a));
    STRIA_TRY(stria__empty_vectors(pivots, b, b->l->wide ? STRIA_I64 : STRIA_I32,
                                   b->m < b->n ? b->m : b->n));
    return factorize_each(b, lu, pivots);
}

stria_status stria_lu_factor_new(stria_array *out_lu, stria_array *out_pivots, const stria_view *a,
                                 const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(lu, pivots, narrow);
    if (!out_lu || !out_pivots)
        return stria__fail(STRIA_ERR_ARGUMENT, "lu_factor: a result is NULL");
    STRIA_TRY(stria__batch_begin(&b, "lu_factor", a, false, exec));
    STRIA_TRY(factorize(&b, &lu, &pivots, a));
    STRIA_TRY(stria__empty_vectors(&narrow, &b, STRIA_I32, b.m < b.n ? b.m : b.n));
    STRIA_TRY(stria_copy_cast(&narrow.view, &pivots.view, STRIA_CAST_SAME_KIND, exec));
    STRIA_TRY(stria__deliver(out_lu, &lu, STRIA_OK));
    return stria__deliver(out_pivots, &narrow, STRIA_OK);
}

/* Returns 1, or -1 for an odd number of rows that changed places. */
static double sign_of_pivots(const struct batch *b, const stria_array *pivots, int64_t i)
{
    double sign = 1;
    for (int64_t k = 0; k < b->n; k++) {
        int64_t wide = 0;
        int32_t narrow = 0;
        const char *const from = pivots->view.data + (i * b->n + k) * (b->l->wide ? 8 : 4);
        memcpy(b->l->wide ? (void *)&wide : &narrow, from, b->l->wide ? 8 : 4);
        if ((b->l->wide ? wide : narrow) != k + 1) sign = -sign;
    }
    return sign;
}

/* Determinants are products of the diagonal of U, in f64. */
stria_status stria_det_new(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(lu, pivots, made);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "det: out is NULL");
    STRIA_TRY(stria__batch_begin(&b, "det", a, true, exec));
    STRIA_TRY(factorize(&b, &lu, &pivots, a));
    STRIA_TRY(stria__empty_vectors(&made, &b, b.kind, -1));
    const int64_t item = item_of(&b);
    WATCHES(exec);
    for (int64_t i = 0; i < b.count; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(exec);
        struct complex_number all = {sign_of_pivots(&b, &pivots, i), 0};
        for (int64_t k = 0; k < b.n; k++)
            all = times(all, number_at(&b, (char *)matrix_at(&lu, i, b.n * b.n * item) +
                                               k * (b.n + 1) * item));
        put_number(&b, made.view.data + i * item, all);
    }
    return stria__deliver(out, &made, STRIA_OK);
}

/* The logarithms are those of the library, of an array of magnitudes that lie along its last dim.
 */
stria_status stria_slogdet_new(stria_array *out_sign, stria_array *out_logarithm,
                               const stria_view *a, const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(lu, pivots, signs, sizes, logarithms, sums, sum);
    stria_view diagonal;
    if (!out_sign || !out_logarithm)
        return stria__fail(STRIA_ERR_ARGUMENT, "slogdet: a result is NULL");
    STRIA_TRY(stria__batch_begin(&b, "slogdet", a, true, exec));
    STRIA_TRY(factorize(&b, &lu, &pivots, a));
    STRIA_TRY(stria__empty_vectors(&signs, &b, b.kind, -1));
    STRIA_TRY(stria_diagonal(&diagonal, &lu.view, 0, -2, -1));
    STRIA_TRY(stria_abs_new(&sizes, &diagonal, exec));
    STRIA_TRY(stria_log_new(&logarithms, &sizes.view, exec));
    STRIA_TRY(stria_sum_new(&sums, &logarithms.view, 1, (int[]){-1}, false, exec));
    const int64_t item = item_of(&b);
    WATCHES(exec);
    for (int64_t i = 0; i < b.count; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(exec);
        struct complex_number all = {sign_of_pivots(&b, &pivots, i), 0};
        for (int64_t k = 0; k < b.n; k++) {
            const struct complex_number x =
                number_at(&b, (char *)matrix_at(&lu, i, b.n * b.n * item) + k * (b.n + 1) * item);
            if (item == stria_dtype_of(b.real).itemsize)
                all.re = x.re > 0 ? all.re : x.re < 0 ? -all.re : x.re * 0;
            else {
                const double size_re = x.re < 0 ? -x.re : x.re, size_im = x.im < 0 ? -x.im : x.im,
                             most = size_re > size_im ? size_re : size_im;
                const double re = most > 0 ? x.re / most : 0, im = most > 0 ? x.im / most : 0,
                             size = most > 0 ? __builtin_sqrt(re * re + im * im) : 1;
                all = times(all, (struct complex_number){re / size, im / size});
            }
        }
        put_number(&b, signs.view.data + i * item, all);
    }
    STRIA_TRY(stria__deliver(out_sign, &signs, STRIA_OK));
    return stria__deliver(out_logarithm, &sums, STRIA_OK);
}
