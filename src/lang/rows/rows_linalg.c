/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def that libstria_linalg computes, and norms of matrices. */
#include <math.h>
#include <string.h>

#include "lang/linalg_library.h"
#include "lang/rows/rows.h"
#include "lang/waiting.h"
#include "stria/axes.h"
#include "stria/join.h"
#include "stria/reduce.h"

/*
 * Transforms along `ndim` dims, 0 for any number. The arguments are an array, lengths, dims, a norm
 * and out; of one dim a length and a dim are single numbers.
 */
stria_status stria__row_fft(struct invocation *c, int function, int ndim)
{
    const struct stria_linalg_table *linalg;
    stria_fft_options options = {.count = ndim ? ndim : STRIA_ALL_DIMS};
    const stria_exec exec = stria__call_exec(c);
    const int dim = ndim == 1 ? DIM(2) : -1;
    const int64_t length = ndim == 1 && GIVEN(1) ? INT(1) : -1;
    if (GIVEN(3))
        STRIA_TRY(stria__call_choice(c, 3, "backward|ortho|forward", "norm: there is no '%.40s'"));
    if (ndim == 1) {
        if (GIVEN(1) && length < 1)
            return REFUSE(SHAPE, "%.*s: n is %lld, takes 1 or more", NAME, (long long)length);
        options.dims = &dim;
        options.sizes = &length;
    } else {
        if (GIVEN(1) && GIVEN(2) && c->args[1].count != c->args[2].count)
            return REFUSE(ARGUMENT, "%.*s: %lld lengths for %lld dims", NAME,
                          (long long)c->args[1].count, (long long)c->args[2].count);
        if (GIVEN(1)) {
            options.sizes = c->args[1].ints;
            options.count = (int)c->args[1].count;
        }
        if (GIVEN(2)) {
            options.dims = c->args[2].dims;
            options.count = (int)c->args[2].count;
        }
        if (options.count == 0) return REFUSE(DIM, "%.*s: no dims", NAME);
    }
    if (GIVEN(3)) options.norm = (stria_fft_norm)INT(3);
    STRIA_TRY(stria__linalg(&linalg));
    return INTO_OR_NEW(4, linalg->fft[function], linalg->fft_new[function], A, &options, &exec);
}

/* Rolls dims by half of their sizes; `back` undoes that. */
stria_status stria__row_fft_shift(struct invocation *c, bool back)
{
    int64_t shifts[STRIA_MAX_NDIM];
    int all[STRIA_MAX_NDIM];
    const int count = GIVEN(1) ? (int)c->args[1].count : A->ndim;
    if (count > STRIA_MAX_NDIM) return REFUSE(DIM, "%.*s: %d dims", NAME, count);
    for (int i = 0; i < count; i++) {
        all[i] = GIVEN(1) ? c->args[1].dims[i] : i;
        if (all[i] < -A->ndim || all[i] >= A->ndim)
            return REFUSE(DIM, "%.*s: dim %d of %d", NAME, all[i], A->ndim);
        const int64_t size = A->shape[all[i] < 0 ? all[i] + A->ndim : all[i]];
        shifts[i] = back ? -(size / 2) : size / 2;
    }
    return stria_roll_new(NEW, A, count, shifts, all, EXEC);
}

/* Makes the frequencies of n samples d apart: from 0 up, then the negative ones unless `half`. */
stria_status stria__row_fft_frequencies(struct invocation *c, bool half)
{
    const int64_t n = INT(0), count = half ? n / 2 + 1 : n;
    double spacing = 1;
    stria_array made = {0};
    const stria_view *wide;
    if (n < 1) return REFUSE(ARGUMENT, "%.*s: n is %lld, takes 1 or more", NAME, (long long)n);
    STRIA_TRY(stria_get_f64(&spacing, ARRAY(1), 0, NULL));
    const stria_dtype dtype =
        stria__dtype_or(&c->args[2], stria_dtype_of(stria__row_floats(c->row)));
    STRIA_TRY(stria_empty(&made, stria_dtype_of(STRIA_F64), 1, &count));
    STRIA_TRY(stria__call_hold(c, &wide, made));
    const double step = 1 / ((double)n * spacing);
    for (int64_t k = 0; k < count; k++) {
        const double f = (double)(half || k < (n + 1) / 2 ? k : k - n) * step;
        memcpy(wide->data + k * (int64_t)sizeof f, &f, sizeof f);
    }
    STRIA_TRY(stria_empty(NEW, dtype, 1, &count));
    return stria_copy(VIEW, wide, EXEC);
}

/* ---- factorizations -------------------------------------------------------------------------- */

/* Reads the tolerance of singular values; -1 where there is none. */
static stria_status read_tolerance(double *rtol, struct invocation *c, int i)
{
    *rtol = -1;
    return GIVEN(i) ? stria_get_f64(rtol, ARRAY(i), 0, NULL) : STRIA_OK;
}

/* Computes one array, or the first of two results that a form does not give. */
stria_status stria__row_linalg(struct invocation *c, int function)
{
    const struct stria_linalg_table *t;
    const stria_exec exec = stria__call_exec(c);
    double rtol;
    STRIA_TRY(stria__linalg(&t));
    switch (function) {
    case LINALG_COND: return t->cond(NEW, A, &exec);
    case LINALG_MATRIX_RANK:
    case LINALG_PINV:
        STRIA_TRY(read_tolerance(&rtol, c, 1));
        return (function == LINALG_PINV ? t->pinv : t->matrix_rank)(NEW, A, rtol, &exec);
    case LINALG_SOLVE: return t->solve(NEW, A, ARRAY(1), &exec);
    case LINALG_SOLVE_TRIANGULAR:
        return t->triangular_solve(NEW, A, ARRAY(1), TRUTH(2), TRUTH(3), &exec);
    case LINALG_INV: return t->inv(NEW, A, &exec);
    case LINALG_DET: return t->det(NEW, A, &exec);
    case LINALG_CHOLESKY: return t->cholesky(NEW, A, TRUTH(1), &exec);
    case LINALG_SVDVALS: return t->svd(NULL, NEW, NULL, A, false, &exec);
    case LINALG_EIGVALSH:
        STRIA_TRY(stria__call_choice(c, 1, "L|U", "UPLO is '%.40s', takes L or U"));
        return t->eigh(NEW, NULL, A, INT(1) != 0, &exec);
    default: return t->eig(NEW, NULL, A, &exec);
    }
}

/* Computes two to four arrays. */
stria_status stria__row_factors(struct invocation *c, int function)
{
    const struct stria_linalg_table *t;
    const stria_exec exec = stria__call_exec(c);
    stria_array made[4] = {{.owned = NULL}, {.owned = NULL}, {.owned = NULL}, {.owned = NULL}};
    double rtol;
    STRIA_TRY(stria__linalg(&t));
    switch (function) {
    case LINALG_LSTSQ:
        STRIA_TRY(read_tolerance(&rtol, c, 2));
        return stria__call_give(
            c, 4, made, t->lstsq(&made[0], &made[1], &made[2], &made[3], A, ARRAY(1), rtol, &exec));
    case LINALG_SLOGDET:
        return stria__call_give(c, 2, made, t->slogdet(&made[0], &made[1], A, &exec));
    case LINALG_LU_FACTOR:
        return stria__call_give(c, 2, made, t->lu_factor(&made[0], &made[1], A, &exec));
    case LINALG_EIG: return stria__call_give(c, 2, made, t->eig(&made[0], &made[1], A, &exec));
    case LINALG_EIGH:
        STRIA_TRY(stria__call_choice(c, 1, "L|U", "UPLO is '%.40s', takes L or U"));
        return stria__call_give(c, 2, made, t->eigh(&made[0], &made[1], A, INT(1) != 0, &exec));
    case LINALG_QR:
        STRIA_TRY(stria__call_choice(c, 1, "reduced|complete", "qr: there is no mode '%.40s'"));
        return stria__call_give(c, 2, made, t->qr(&made[0], &made[1], A, INT(1) == 1, &exec));
    default:
        return stria__call_give(c, 3, made,
                                t->svd(&made[0], &made[1], &made[2], A, TRUTH(1), &exec));
    }
}

/* ---- norms of matrices ---------------------------------------------------------------------- */

/* The arguments of a norm, which are those of a reduction behind the order. */
enum { SELF, ORD, DIMS_OF, KEEP, OUT_ARRAY, DTYPE_OF, INITIAL, WHERE };

/* Puts a new array of as many dims in place of the matrices. */
static stria_status replace_matrices(struct invocation *c, stria_array made)
{
    STRIA_TRY(stria__call_hold(c, &c->args[SELF].view, made));
    c->self = A;
    return STRIA_OK;
}

/* Makes floats of integers, and whatever dtype is asked for. */
static stria_status convert_matrices(struct invocation *c)
{
    stria_array made = {0};
    const stria_dtype dtype = stria__dtype_or(&c->args[DTYPE_OF], stria_dtype_of(STRIA_F64));
    if (!GIVEN(DTYPE_OF) && A->dtype.kind >= STRIA_F8E4M3) return STRIA_OK;
    c->args[DTYPE_OF].given = false;
    STRIA_TRY(stria_astype(&made, A, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED, NULL, EXEC));
    return replace_matrices(c, made);
}

/* Puts the singular values of matrices in their place, along the second of the dims. */
static stria_status take_singular_values(struct invocation *c, const int *dims)
{
    static const int last[] = {-2, -1};
    const struct stria_linalg_table *t;
    stria_view matrices;
    stria_array made = {0};
    STRIA_TRY(stria__linalg(&t));
    STRIA_TRY(stria_movedim(&matrices, A, 2, dims, last));
    STRIA_TRY(t->svd(NULL, &made, NULL, &matrices, false, EXEC));
    stria_status status = stria_unsqueeze(&made.view, &made.view, -2);
    if (status == STRIA_OK) status = stria_movedim(&made.view, &made.view, 2, last, dims);
    if (status == STRIA_OK) return replace_matrices(c, made);
    stria_array_release(&made);
    return status;
}

/* Puts the sums of magnitudes along a dim in place of matrices. */
static stria_status take_sums(struct invocation *c, int dim)
{
    const stria_reduce_options options = {.keepdims = true, .p = 1};
    stria_array made = {0};
    STRIA_TRY(stria_reduce_dims_new(&made, STRIA_NORM, A, 1, &dim, &options, EXEC));
    return replace_matrices(c, made);
}

/* Computes the norm as an extreme, or the sum, of what is put in place of matrices. */
static stria_status reduce_matrices(struct invocation *c, double ord, bool nuclear)
{
    const int *const dims = c->args[DIMS_OF].dims;
    if (GIVEN(INITIAL) || GIVEN(WHERE))
        return REFUSE(ARGUMENT, "%.*s: norms of matrices take no initial and no where", NAME);
    if (!isinf(ord) && fabs(ord) != 1 && fabs(ord) != 2)
        return REFUSE(ARGUMENT, "%.*s: ord %g, takes 'fro', 'nuc', 1, 2, inf and their negatives",
                      NAME, ord);
    if (c->waiting) STRIA_TRY(stria__wait_force(c->waiting, A));
    c->waiting = NULL; /* The array ends with the call. */
    STRIA_TRY(convert_matrices(c));
    STRIA_TRY(fabs(ord) == 2 ? take_singular_values(c, dims) : take_sums(c, dims[isinf(ord) != 0]));
    memmove(&c->args[ORD], &c->args[DIMS_OF], (WHERE + 1 - DIMS_OF) * sizeof c->args[0]);
    const bool sums = nuclear || (ord > 0 && stria_numel(A) == 0); /* nothing is the largest: 0 */
    return stria__row_reduce(c, sums ? STRIA_SUM : ord > 0 ? STRIA_MAX : STRIA_MIN);
}

/*
 * Computes norms of vectors, along one dim or of all elements without an order, and of matrices,
 * whose dims are the last two of `stacks` where none are given. The order is a text if `named`.
 */
stria_status stria__row_matrix_norm(struct invocation *c, bool stacks, bool named)
{
    static const int last[] = {-2, -1};
    struct arg *const dims = &c->args[DIMS_OF];
    double ord;
    if (!stacks && !named && !dims->given && !GIVEN(ORD)) return stria__row_norm(c, STRIA_NORM);
    const int64_t n = dims->given ? dims->count : stacks ? 2 : A->ndim;
    if (!stacks && !named && n == 1) return stria__row_norm(c, STRIA_NORM);
    if (n != 2)
        return REFUSE(DIM, "%.*s: %lld dims, takes %s; vector_norm takes any number", NAME,
                      (long long)n, stacks || named ? "two" : "one of vectors or two of matrices");
    if (!dims->given) *dims = (struct arg){.given = true, .count = 2, .dims = last};
    if (named) {
        STRIA_TRY(stria__call_choice(c, ORD, "fro|nuc", "there is no norm '%.40s'"));
        if (INT(ORD)) return reduce_matrices(c, 2, true);
        c->args[ORD].given = false;
    }
    if (!GIVEN(ORD)) return stria__row_norm(c, STRIA_NORM);
    STRIA_TRY(stria__call_number(&ord, ARRAY(ORD)));
    return reduce_matrices(c, ord, false);
}
