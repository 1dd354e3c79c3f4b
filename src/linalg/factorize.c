/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear systems and factorizations. LAPACK overwrites matrices that lie by columns, so that each
 * function begins with a copy of the operands which lies so, and calls LAPACK for one matrix after
 * the other.
 */
#include "stria/linalg.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "linalg/door.h"
#include "linalg/lapack.h"
#include "ops/operands.h"
#include "stria/broadcast.h"
#include "stria/elementwise.h"
#include "stria/join.h"
#include "stria/promote.h"
#include "stria/reduce.h"
#include "stria/window.h"

#define P4  void *, void *, void *, void *
#define P5  P4, void *
#define P6  P5, void *
#define P8  P4, P4
#define P9  P8, void *
#define P10 P9, void *
#define P11 P10, void *
#define P13 P8, P5
#define P14 P8, P6
#define P15 P14, void *

/* A batch of matrices, and what is computed of them. */
struct batch {
    const char *op;
    const stria_exec *exec;
    const struct lapack *l;
    stria_kind kind, real; /* Those of elements, and of their real parts. */
    int type;              /* Its place among s, d, c and z. */
    int64_t m, n, count;   /* Rows, columns, matrices. */
    int ndim;              /* Dims before the matrices. */
    int64_t shape[STRIA_MAX_NDIM];
};

/* ---- operands -------------------------------------------------------------------------------- */

/* Chooses the dtype in which an operand is computed. DTYPE. */
static stria_status find_kind(stria_kind *out, const struct batch *b, const stria_view *a,
                              const char *name)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    STRIA_TRY(stria__check_number(a->dtype, b->op, name));
    if (kind == STRIA_F32 || kind == STRIA_F64 || is_complex_kind(kind))
        *out = kind;
    else if (kind < STRIA_F8E4M3)
        *out = b->exec && b->exec->hints & STRIA_PROMOTE_AS_NUMPY ? STRIA_F64 : STRIA_F32;
    else
        return stria__refuse_dtype(a->dtype, b->op, name, ", takes f32, f64, c64 or c128");
    return STRIA_OK;
}

static void set_kind(struct batch *b, stria_kind kind)
{
    b->kind = kind;
    b->real = real_kind(kind);
    b->type = kind == STRIA_F32 ? 0 : kind == STRIA_F64 ? 1 : kind == STRIA_C64 ? 2 : 3;
}

static int64_t item_of(const struct batch *b)
{
    return stria_dtype_of(b->kind).itemsize;
}

static stria_status batch_begin(struct batch *b, const char *op, const stria_view *a, bool square,
                                const stria_exec *exec)
{
    stria_kind kind;
    *b = (struct batch){.op = op, .exec = exec, .count = 1};
    STRIA_TRY(stria__check_exec(exec, op));
    STRIA_TRY(stria__check_any_view(a, op, "a"));
    STRIA_TRY(find_kind(&kind, b, a, "a"));
    set_kind(b, kind);
    if (a->ndim < 2)
        return stria__fail(STRIA_ERR_SHAPE, "%s: a has %d dims, takes 2 or more", op, a->ndim);
    b->ndim = a->ndim - 2;
    b->m = a->shape[b->ndim];
    b->n = a->shape[b->ndim + 1];
    if (square && b->m != b->n)
        return stria__fail(STRIA_ERR_SHAPE, "%s: matrices of %lld x %lld are not square", op,
                           (long long)b->m, (long long)b->n);
    if (b->m > INT32_MAX || b->n > INT32_MAX)
        return stria__fail(STRIA_ERR_SHAPE, "%s: matrices of %lld x %lld are too large", op,
                           (long long)b->m, (long long)b->n);
    for (int d = 0; d < b->ndim; d++) {
        b->shape[d] = a->shape[d];
        b->count *= a->shape[d];
    }
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "%s: a lies in a meta buffer", op);
    return stria__lapack(&b->l, op);
}

/* Makes matrices that lie by columns, one for each of the batch. */
static stria_status empty_matrices(stria_array *out, const struct batch *b, stria_kind kind,
                                   int64_t rows, int64_t columns)
{
    int64_t shape[STRIA_MAX_NDIM];
    memcpy(shape, b->shape, (size_t)b->ndim * sizeof *shape);
    shape[b->ndim] = columns;
    shape[b->ndim + 1] = rows;
    STRIA_TRY(stria_empty(out, stria_dtype_of(kind), b->ndim + 2, shape));
    return stria_matrix_transpose(&out->view, &out->view);
}

/* Makes one vector for each matrix; n < 0: one number. */
static stria_status empty_vectors(stria_array *out, const struct batch *b, stria_kind kind,
                                  int64_t n)
{
    int64_t shape[STRIA_MAX_NDIM];
    memcpy(shape, b->shape, (size_t)b->ndim * sizeof *shape);
    shape[b->ndim] = n;
    return stria_empty(out, stria_dtype_of(kind), b->ndim + (n >= 0), shape);
}

/* Copies an operand, by columns, with its batch broadcast. */
static stria_status copy_matrices(stria_array *out, const struct batch *b, const stria_view *a)
{
    int64_t shape[STRIA_MAX_NDIM];
    stria_view wide;
    memcpy(shape, b->shape, (size_t)b->ndim * sizeof *shape);
    memcpy(shape + b->ndim, a->shape + a->ndim - 2, 2 * sizeof *shape);
    STRIA_TRY(stria_broadcast_to(&wide, a, b->ndim + 2, shape));
    STRIA_TRY(empty_matrices(out, b, b->kind, shape[b->ndim], shape[b->ndim + 1]));
    return stria_copy_cast(&out->view, &wide, STRIA_CAST_SAME_KIND, b->exec);
}

/* Returns matrix i of an array, each of so many bytes. */
static void *matrix_at(const stria_array *a, int64_t i, int64_t bytes)
{
    return a->view.data + i * bytes;
}

/* Tells which matrix of the batch it is, as " (1, 2)"; nothing where there is one alone. */
static struct dims_text place_of(const struct batch *b, int64_t i)
{
    int64_t index[STRIA_MAX_NDIM];
    struct dims_text text = {" "};
    for (int d = b->ndim - 1; d >= 0; d--) {
        index[d] = i % b->shape[d];
        i /= b->shape[d];
    }
    if (b->ndim == 0) text.text[0] = 0;
    if (b->ndim > 0) {
        const struct dims_text dims = stria__dims_text(b->ndim, index);
        memcpy(text.text + 1, dims.text, sizeof text.text - 1);
        text.text[sizeof text.text - 1] = 0;
    }
    return text;
}

/* Refuses matrix i: info is what LAPACK tells, `why` has room for its number. */
static stria_status cannot_be_done(const struct batch *b, int64_t i, const char *why, int64_t info)
{
    const struct dims_text place = place_of(b, i);
    if (info < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: LAPACK refuses argument %lld of matrix%s",
                           b->op, (long long)-info, place.text);
    return stria__fail(STRIA_ERR_ARGUMENT, "%s: matrix%s %s (%lld)", b->op, place.text, why,
                       (long long)info);
}

/* Returns the number of items that LAPACK wants, which it has written as one of them. */
static int64_t asked_for(const struct batch *b, const void *number)
{
    double asked;
    float narrow;
    memcpy(&asked, number, sizeof asked);
    memcpy(&narrow, number, sizeof narrow);
    return (int64_t)(b->real == STRIA_F32 ? (double)narrow * 1.001 + 1 : asked);
}

/* Refuses work of more items than LAPACK's integers count, which would wrap. */
static stria_status check_work(const struct batch *b, int64_t n, int64_t squares)
{
    if (b->l->wide || n < 1 || n + 8 <= INT32_MAX / squares / (n + 8)) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "%s: matrices of %lld x %lld are too large for a LAPACK of 32-bit integers",
                       b->op, (long long)b->m, (long long)b->n);
}

static stria_status no_memory(const struct batch *b)
{
    return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for LAPACK", b->op);
}

#define I(x)                    lapack_at(b->l, &(x))
#define CALL(function, routine) ((function *)b->l->of[b->type][LAPACK_##routine])

/* ---- linear systems -------------------------------------------------------------------------- */

typedef void gesv_function(P8);
typedef void trtrs_function(P10, size_t, size_t, size_t);

struct triangle {
    bool is, upper, unit;
};

/* Solves for one matrix after the other; x holds the right sides. */
static stria_status solve_each(struct batch *b, stria_array *x, stria_array *a, int64_t columns,
                               struct triangle triangle)
{
    struct lapack_integer n = lapack_integer(b->n), rhs = lapack_integer(columns),
                          ld = lapack_integer(b->n > 1 ? b->n : 1), info = lapack_integer(0);
    const int64_t item = item_of(b);
    char uplo = triangle.upper ? 'U' : 'L', no = 'N', diagonal = triangle.unit ? 'U' : 'N';
    OWNED_MEMORY(pivots, (size_t)(b->n + 1) * sizeof(int64_t));
    if (!pivots.at) return no_memory(b);
    for (int64_t i = 0; i < b->count && b->n > 0 && columns > 0; i++) {
        void *const from = matrix_at(a, i, b->n * b->n * item), *const to = matrix_at(
                                                                    x, i, b->n * columns * item);
        if (triangle.is) CALL(trtrs_function, trtrs)
        (&uplo, &no, &diagonal, I(n), I(rhs), from, I(ld), to, I(ld), I(info), 1, 1, 1);
        else CALL(gesv_function, gesv)(I(n), I(rhs), from, I(ld), pivots.at, to, I(ld), I(info));
        const int64_t found = lapack_value(b->l, &info);
        if (found)
            return cannot_be_done(b, i, "is singular: its U has a zero on the diagonal", found);
    }
    return STRIA_OK;
}

static stria_status solve(stria_array *out, const char *op, const stria_view *a,
                          const stria_view *right, struct triangle triangle, const stria_exec *exec)
{
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    stria_kind kind;
    stria_view columns, wide;
    OWNED_ARRAY(factor);
    OWNED_ARRAY(x);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    STRIA_TRY(batch_begin(&b, op, a, true, exec));
    STRIA_TRY(stria__check_any_view(right, op, "b"));
    STRIA_TRY(find_kind(&kind, &b, right, "b"));
    if (view_is_meta(right))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "%s: b lies in a meta buffer", op);
    const stria_view *const both[] = {a, right};
    stria_dtype common;
    STRIA_TRY(stria_promote_operands(&common, 2, both, STRIA_PROMOTE_NUMPY));
    if (common.kind == STRIA_F32 || common.kind == STRIA_F64 ||
        is_complex_kind((stria_kind)common.kind))
        set_kind(&b, (stria_kind)common.kind);
    const bool vector = right->ndim == 1;
    columns = *right;
    if (vector) STRIA_TRY(stria_unsqueeze(&columns, right, 1));
    if (columns.ndim < 2 || columns.shape[columns.ndim - 2] != b.n)
        return stria__fail(STRIA_ERR_SHAPE, "%s: b has shape %s, a has %lld rows", op,
                           stria__dims_text(right->ndim, right->shape).text, (long long)b.n);
    int ndims[2] = {b.ndim, columns.ndim - 2};
    const int64_t *const shapes[] = {a->shape, columns.shape};
    int64_t all[STRIA_MAX_NDIM];
    STRIA_TRY(stria_broadcast_shapes(&b.ndim, all, 2, ndims, shapes));
    memcpy(b.shape, all, (size_t)b.ndim * sizeof *all);
    b.count = 1;
    for (int d = 0; d < b.ndim; d++)
        b.count *= all[d];
    STRIA_TRY(copy_matrices(&factor, &b, a));
    STRIA_TRY(copy_matrices(&x, &b, &columns));
    STRIA_TRY(solve_each(&b, &x, &factor, columns.shape[columns.ndim - 1], triangle));
    if (vector) {
        STRIA_TRY(stria_select(&wide, &x.view, -1, 0));
        x.view = wide;
    }
    return stria__deliver(out, &x, STRIA_OK);
}

stria_status stria_solve_new(stria_array *out, const stria_view *a, const stria_view *b,
                             const stria_exec *exec)
{
    return solve(out, "solve", a, b, (struct triangle){false, false, false}, exec);
}

stria_status stria_triangular_solve_new(stria_array *out, const stria_view *a, const stria_view *b,
                                        bool upper, bool unit, const stria_exec *exec)
{
    return solve(out, "triangular_solve", a, b, (struct triangle){true, upper, unit}, exec);
}

/* Writes the identity to the first `rows` rows and columns of each matrix, zeros elsewhere. */
static void write_identities(const struct batch *b, stria_array *to, int64_t rows, int64_t columns)
{
    const int64_t item = item_of(b);
    const double one = 1;
    const float narrow = 1;
    if (b->count * rows * columns == 0) return;
    memset(to->view.data, 0, (size_t)(b->count * rows * columns * item));
    for (int64_t i = 0; i < b->count; i++)
        for (int64_t k = 0; k < rows && k < columns; k++)
            memcpy((char *)matrix_at(to, i, rows * columns * item) + (k * rows + k) * item,
                   b->real == STRIA_F32 ? (const void *)&narrow : &one,
                   b->real == STRIA_F32 ? sizeof narrow : sizeof one);
}

stria_status stria_inv_new(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    OWNED_ARRAY(factor);
    OWNED_ARRAY(x);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "inv: out is NULL");
    STRIA_TRY(batch_begin(&b, "inv", a, true, exec));
    STRIA_TRY(copy_matrices(&factor, &b, a));
    STRIA_TRY(empty_matrices(&x, &b, b.kind, b.n, b.n));
    write_identities(&b, &x, b.n, b.n);
    STRIA_TRY(solve_each(&b, &x, &factor, b.n, (struct triangle){false, false, false}));
    return stria__deliver(out, &x, STRIA_OK);
}

/* ---- LU and determinants --------------------------------------------------------------------- */

typedef void getrf_function(P6);

/* Factorizes in place; pivots has as many integers of LAPACK's width for each matrix as `least`.
 */
static stria_status factorize_each(struct batch *b, stria_array *a, stria_array *pivots)
{
    struct lapack_integer m = lapack_integer(b->m), n = lapack_integer(b->n),
                          ld = lapack_integer(b->m > 1 ? b->m : 1), info = lapack_integer(0);
    const int64_t least = b->m < b->n ? b->m : b->n, width = b->l->wide ? 8 : 4;
    for (int64_t i = 0; i < b->count && least > 0; i++) {
        CALL(getrf_function, getrf)
        (I(m), I(n), matrix_at(a, i, b->m * b->n * item_of(b)), I(ld),
         matrix_at(pivots, i, least * width), I(info));
        if (lapack_value(b->l, &info) < 0)
            return cannot_be_done(b, i, "", lapack_value(b->l, &info));
    }
    return STRIA_OK;
}

static stria_status factorize(struct batch *b, stria_array *lu, stria_array *pivots,
                              const stria_view *a)
{
    STRIA_TRY(copy_matrices(lu, b, a));
    STRIA_TRY(
        empty_vectors(pivots, b, b->l->wide ? STRIA_I64 : STRIA_I32, b->m < b->n ? b->m : b->n));
    return factorize_each(b, lu, pivots);
}

stria_status stria_lu_factor_new(stria_array *out_lu, stria_array *out_pivots, const stria_view *a,
                                 const stria_exec *exec)
{
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    OWNED_ARRAY(lu);
    OWNED_ARRAY(pivots);
    OWNED_ARRAY(narrow);
    if (!out_lu || !out_pivots)
        return stria__fail(STRIA_ERR_ARGUMENT, "lu_factor: a result is NULL");
    STRIA_TRY(batch_begin(&b, "lu_factor", a, false, exec));
    STRIA_TRY(factorize(&b, &lu, &pivots, a));
    STRIA_TRY(empty_vectors(&narrow, &b, STRIA_I32, b.m < b.n ? b.m : b.n));
    STRIA_TRY(stria_copy_cast(&narrow.view, &pivots.view, STRIA_CAST_SAME_KIND, exec));
    STRIA_TRY(stria__deliver(out_lu, &lu, STRIA_OK));
    return stria__deliver(out_pivots, &narrow, STRIA_OK);
}

/* A number of the real or complex kind of a batch, in f64. */
struct complex_number {
    double re, im;
};

static struct complex_number number_at(const struct batch *b, const char *from)
{
    double wide[2] = {0, 0};
    float narrow[2] = {0, 0};
    if (b->real == STRIA_F64)
        memcpy(wide, from, (size_t)item_of(b));
    else
        memcpy(narrow, from, (size_t)item_of(b));
    return b->real == STRIA_F64 ? (struct complex_number){wide[0], wide[1]}
                                : (struct complex_number){(double)narrow[0], (double)narrow[1]};
}

static void put_number(const struct batch *b, char *to, struct complex_number x)
{
    const double wide[2] = {x.re, x.im};
    const float narrow[2] = {(float)x.re, (float)x.im};
    memcpy(to, b->real == STRIA_F64 ? (const void *)wide : narrow, (size_t)item_of(b));
}

static struct complex_number times(struct complex_number a, struct complex_number b)
{
    return (struct complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
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
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    OWNED_ARRAY(lu);
    OWNED_ARRAY(pivots);
    OWNED_ARRAY(made);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "det: out is NULL");
    STRIA_TRY(batch_begin(&b, "det", a, true, exec));
    STRIA_TRY(factorize(&b, &lu, &pivots, a));
    STRIA_TRY(empty_vectors(&made, &b, b.kind, -1));
    const int64_t item = item_of(&b);
    for (int64_t i = 0; i < b.count; i++) {
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
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    OWNED_ARRAY(lu);
    OWNED_ARRAY(pivots);
    OWNED_ARRAY(signs);
    OWNED_ARRAY(sizes);
    OWNED_ARRAY(logarithms);
    OWNED_ARRAY(sums);
    OWNED_ARRAY(sum);
    stria_view diagonal;
    if (!out_sign || !out_logarithm)
        return stria__fail(STRIA_ERR_ARGUMENT, "slogdet: a result is NULL");
    STRIA_TRY(batch_begin(&b, "slogdet", a, true, exec));
    STRIA_TRY(factorize(&b, &lu, &pivots, a));
    STRIA_TRY(empty_vectors(&signs, &b, b.kind, -1));
    STRIA_TRY(stria_diagonal(&diagonal, &lu.view, 0, -2, -1));
    STRIA_TRY(stria_abs_new(&sizes, &diagonal, exec));
    STRIA_TRY(stria_log_new(&logarithms, &sizes.view, exec));
    STRIA_TRY(stria_sum_new(&sums, &logarithms.view, 1, (int[]){-1}, false, exec));
    const int64_t item = item_of(&b);
    for (int64_t i = 0; i < b.count; i++) {
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

/* ---- Cholesky and QR ------------------------------------------------------------------------- */

typedef void potrf_function(P5, size_t);
typedef void geqrf_function(P8);
typedef void orgqr_function(P9);

stria_status stria_cholesky_new(stria_array *out, const stria_view *a, bool upper,
                                const stria_exec *exec)
{
    IN_FP_MODE;
    OBEYS(exec);
    struct batch batch, *const b = &batch;
    OWNED_ARRAY(factor);
    OWNED_ARRAY(made);
    char uplo = upper ? 'U' : 'L';
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "cholesky: out is NULL");
    STRIA_TRY(batch_begin(b, "cholesky", a, true, exec));
    STRIA_TRY(copy_matrices(&factor, b, a));
    struct lapack_integer n = lapack_integer(b->n), info = lapack_integer(0);
    for (int64_t i = 0; i < b->count && b->n > 0; i++) {
        CALL(potrf_function, potrf)
        (&uplo, I(n), matrix_at(&factor, i, b->n * b->n * item_of(b)), I(n), I(info), 1);
        const int64_t found = lapack_value(b->l, &info);
        if (found) return cannot_be_done(b, i, "is not positive definite: a leading minor", found);
    }
    STRIA_TRY((upper ? stria_triu_new : stria_tril_new)(&made, &factor.view, 0, exec));
    return stria__deliver(out, &made, STRIA_OK);
}

/* Makes columns of Q of what geqrf has left in the first columns of q. */
static stria_status qr_each(struct batch *b, stria_array *a, stria_array *q, int64_t columns)
{
    const int64_t item = item_of(b), least = b->m < b->n ? b->m : b->n;
    struct lapack_integer m = lapack_integer(b->m), n = lapack_integer(b->n),
                          k = lapack_integer(least), c = lapack_integer(columns),
                          all = lapack_integer(-1), info = lapack_integer(0);
    double first[2] = {0}, second[2] = {0};
    CALL(geqrf_function, geqrf)(I(m), I(n), a->view.data, I(m), first, first, I(all), I(info));
    CALL(orgqr_function, orgqr)
    (I(m), I(c), I(k), q->view.data, I(m), second, second, I(all), I(info));
    int64_t room = asked_for(b, first);
    if (asked_for(b, second) > room) room = asked_for(b, second);
    OWNED_MEMORY(work, (size_t)((room + least + 1) * item));
    if (!work.at) return no_memory(b);
    char *const tau = (char *)work.at + room * item;
    all = lapack_integer(room);
    for (int64_t i = 0; i < b->count; i++) {
        char *const from = matrix_at(a, i, b->m * b->n * item), *const to = matrix_at(
                                                                    q, i, b->m * columns * item);
        CALL(geqrf_function, geqrf)(I(m), I(n), from, I(m), tau, work.at, I(all), I(info));
        if (lapack_value(b->l, &info)) return cannot_be_done(b, i, "", lapack_value(b->l, &info));
        memcpy(to, from, (size_t)(b->m * least * item));
        CALL(orgqr_function, orgqr)(I(m), I(c), I(k), to, I(m), tau, work.at, I(all), I(info));
        if (lapack_value(b->l, &info)) return cannot_be_done(b, i, "", lapack_value(b->l, &info));
    }
    return STRIA_OK;
}

stria_status stria_qr_new(stria_array *out_q, stria_array *out_r, const stria_view *a,
                          bool complete, const stria_exec *exec)
{
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    OWNED_ARRAY(factor);
    OWNED_ARRAY(q);
    OWNED_ARRAY(r);
    stria_view upper;
    if (!out_q || !out_r) return stria__fail(STRIA_ERR_ARGUMENT, "qr: a result is NULL");
    STRIA_TRY(batch_begin(&b, "qr", a, false, exec));
    const int64_t least = b.m < b.n ? b.m : b.n, columns = complete ? b.m : least;
    STRIA_TRY(copy_matrices(&factor, &b, a));
    STRIA_TRY(empty_matrices(&q, &b, b.kind, b.m, columns));
    write_identities(&b, &q, b.m, columns);
    if (least > 0 && b.count > 0) STRIA_TRY(qr_each(&b, &factor, &q, columns));
    STRIA_TRY(stria_narrow(&upper, &factor.view, -2, 0, columns));
    STRIA_TRY(stria_triu_new(&r, &upper, 0, exec));
    STRIA_TRY(stria__deliver(out_q, &q, STRIA_OK));
    return stria__deliver(out_r, &r, STRIA_OK);
}

/* ---- singular values and eigenvalues --------------------------------------------------------- */

typedef void gesdd_real_function(P14, size_t);
typedef void gesdd_complex_function(P15, size_t);
typedef void syevd_function(P11, size_t, size_t);
typedef void heevd_function(P13, size_t, size_t);
typedef void geev_function(P14, size_t, size_t);

/* The arguments of a call that is made twice: for the size of its memory, and for a result. */
struct svd {
    char job;
    struct lapack_integer m, n, rows, size, info;
    void *integers, *reals; /* Memory of fixed sizes. */
};

static void svd_one(struct batch *b, struct svd *s, void *a, void *u, void *values, void *vh,
                    void *work)
{
    if (b->type > 1) CALL(gesdd_complex_function, gesdd)
    (&s->job, I(s->m), I(s->n), a, I(s->m), values, u, I(s->m), vh, I(s->rows), work, I(s->size),
     s->reals, s->integers, I(s->info), 1);
    else CALL(gesdd_real_function, gesdd)(&s->job, I(s->m), I(s->n), a, I(s->m), values, u, I(s->m),
                                          vh, I(s->rows), work, I(s->size), s->integers, I(s->info),
                                          1);
}

static stria_status svd_each(struct batch *b, stria_array *a, stria_array *u, stria_array *values,
                             stria_array *vh, char job, int64_t columns, int64_t rows)
{
    const int64_t item = item_of(b), real = stria_dtype_of(b->real).itemsize;
    const int64_t least = b->m < b->n ? b->m : b->n, most = b->m < b->n ? b->n : b->m;
    const int64_t reals =
        least *
        (5 * least + 7 > 2 * most + 2 * least + 1 ? 5 * least + 7 : 2 * most + 2 * least + 1);
    struct svd s = {.job = job,
                    .m = lapack_integer(b->m),
                    .n = lapack_integer(b->n),
                    .rows = lapack_integer(rows > 1 ? rows : 1),
                    .size = lapack_integer(-1)};
    OWNED_MEMORY(fixed, (size_t)(8 * least * 8 + (b->type > 1 ? reals * real : 0)));
    if (!fixed.at) return no_memory(b);
    double asked[2] = {0};
    s.integers = fixed.at;
    s.reals = (char *)fixed.at + 8 * least * 8;
    svd_one(b, &s, a->view.data, u->view.data, values->view.data, vh->view.data, asked);
    const int64_t size = asked_for(b, asked);
    OWNED_MEMORY(work, (size_t)(size * item));
    if (!work.at) return no_memory(b);
    s.size = lapack_integer(size);
    for (int64_t i = 0; i < b->count; i++) {
        svd_one(b, &s, matrix_at(a, i, b->m * b->n * item),
                job == 'N' ? u->view.data : matrix_at(u, i, b->m * columns * item),
                matrix_at(values, i, least * real),
                job == 'N' ? vh->view.data : matrix_at(vh, i, rows * b->n * item), work.at);
        const int64_t found = lapack_value(b->l, &s.info);
        if (found == -4)
            return cannot_be_done(b, i, "has NaN, which LAPACK refuses as argument", 4);
        if (found) return cannot_be_done(b, i, "did not converge", found);
    }
    return STRIA_OK;
}

stria_status stria_svd_new(stria_array *out_u, stria_array *out_s, stria_array *out_vh,
                           const stria_view *a, bool full, const stria_exec *exec)
{
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    OWNED_ARRAY(factor);
    OWNED_ARRAY(u);
    OWNED_ARRAY(s);
    OWNED_ARRAY(vh);
    if (!out_s || !out_u != !out_vh)
        return stria__fail(STRIA_ERR_ARGUMENT, "svd: a result is NULL");
    STRIA_TRY(batch_begin(&b, "svd", a, false, exec));
    const bool vectors = out_u != NULL;
    const int64_t least = b.m < b.n ? b.m : b.n,
                  columns = !vectors ? 1
                            : full   ? b.m
                                     : least,
                  rows = !vectors ? 1
                         : full   ? b.n
                                  : least;
    if (vectors) STRIA_TRY(check_work(&b, least, 4));
    STRIA_TRY(copy_matrices(&factor, &b, a));
    STRIA_TRY(empty_matrices(&u, &b, b.kind, b.m, columns));
    STRIA_TRY(empty_vectors(&s, &b, b.real, least));
    STRIA_TRY(empty_matrices(&vh, &b, b.kind, rows, b.n));
    if (least > 0 && b.count > 0)
        STRIA_TRY(svd_each(&b, &factor, &u, &s, &vh,
                           !vectors ? 'N'
                           : full   ? 'A'
                                    : 'S',
                           columns, rows));
    else {
        write_identities(&b, &u, b.m, columns);
        write_identities(&b, &vh, rows, b.n);
    }
    if (vectors) {
        STRIA_TRY(stria__deliver(out_u, &u, STRIA_OK));
        STRIA_TRY(stria__deliver(out_vh, &vh, STRIA_OK));
    }
    return stria__deliver(out_s, &s, STRIA_OK);
}

/* The arguments of a call for eigenvalues. */
struct eigen {
    char vectors, uplo;
    struct lapack_integer n, size, reals_size, integers_size, one, info;
};

static void eigh_one(struct batch *b, struct eigen *e, void *a, void *w, void *work, void *reals,
                     void *integers)
{
    if (b->type > 1) CALL(heevd_function, syevd)
    (&e->vectors, &e->uplo, I(e->n), a, I(e->n), w, work, I(e->size), reals, I(e->reals_size),
     integers, I(e->integers_size), I(e->info), 1, 1);
    else CALL(syevd_function, syevd)(&e->vectors, &e->uplo, I(e->n), a, I(e->n), w, work,
                                     I(e->size), integers, I(e->integers_size), I(e->info), 1, 1);
}

static stria_status eigh_each(struct batch *b, stria_array *v, stria_array *w, char vectors,
                              bool upper)
{
    const int64_t item = item_of(b), real = stria_dtype_of(b->real).itemsize;
    struct eigen e = {.vectors = vectors,
                      .uplo = upper ? 'U' : 'L',
                      .n = lapack_integer(b->n),
                      .size = lapack_integer(-1),
                      .reals_size = lapack_integer(-1),
                      .integers_size = lapack_integer(-1)};
    double asked[2] = {0}, asked_reals[2] = {0};
    struct lapack_integer asked_integers = lapack_integer(0);
    eigh_one(b, &e, v->view.data, w->view.data, asked, asked_reals, I(asked_integers));
    const int64_t size = asked_for(b, asked), integers = lapack_value(b->l, &asked_integers),
                  reals = b->type > 1 ? asked_for(b, asked_reals) : 0;
    OWNED_MEMORY(memory, (size_t)(size * item + reals * real + integers * 8 + 64));
    if (!memory.at) return no_memory(b);
    char *const work = memory.at, *const real_work = work + (size * item + 15) / 16 * 16,
                *const integer_work = real_work + (reals * real + 15) / 16 * 16;
    e.size = lapack_integer(size);
    e.reals_size = lapack_integer(reals);
    e.integers_size = lapack_integer(integers);
    for (int64_t i = 0; i < b->count; i++) {
        eigh_one(b, &e, matrix_at(v, i, b->n * b->n * item), matrix_at(w, i, b->n * real), work,
                 real_work, integer_work);
        const int64_t found = lapack_value(b->l, &e.info);
        if (found) return cannot_be_done(b, i, "did not converge", found);
    }
    return STRIA_OK;
}

stria_status stria_eigh_new(stria_array *out_w, stria_array *out_v, const stria_view *a, bool upper,
                            const stria_exec *exec)
{
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    OWNED_ARRAY(w);
    OWNED_ARRAY(v);
    if (!out_w) return stria__fail(STRIA_ERR_ARGUMENT, "eigh: a result is NULL");
    STRIA_TRY(batch_begin(&b, "eigh", a, true, exec));
    if (out_v) STRIA_TRY(check_work(&b, b.n, 2));
    STRIA_TRY(copy_matrices(&v, &b, a));
    STRIA_TRY(empty_vectors(&w, &b, b.real, b.n));
    if (b.n > 0 && b.count > 0) STRIA_TRY(eigh_each(&b, &v, &w, out_v ? 'V' : 'N', upper));
    if (out_v) STRIA_TRY(stria__deliver(out_v, &v, STRIA_OK));
    return stria__deliver(out_w, &w, STRIA_OK);
}

/* Calls geev: real ones give real and imaginary parts apart, complex ones take reals last. */
static void eig_one(struct batch *b, struct eigen *e, void *a, char *w, void *v, void *work,
                    void *reals)
{
    char no = 'N';
    if (b->type > 1) CALL(geev_function, geev)
    (&no, &e->vectors, I(e->n), a, I(e->n), w, v, I(e->one), v, I(e->n), work, I(e->size), reals,
     I(e->info), 1, 1);
    else CALL(geev_function, geev)(&no, &e->vectors, I(e->n), a, I(e->n), w, w + b->n * item_of(b),
                                   v, I(e->one), v, I(e->n), work, I(e->size), I(e->info), 1, 1);
}

/* Writes eigenvalues, and vectors, of a real matrix as complex numbers: pairs of conjugates have
 * their real and imaginary parts in two columns. */
static void pair_eigen(const struct batch *b, char *w, char *v, const char *parts,
                       const char *columns)
{
    const int64_t n = b->n, item = item_of(b);
    struct batch twice = *b;
    twice.kind = b->kind == STRIA_F32 ? STRIA_C64 : STRIA_C128;
    for (int64_t k = 0; k < n; k++) {
        const double re = number_at(b, parts + k * item).re,
                     im = number_at(b, parts + (n + k) * item).re;
        put_number(&twice, w + 2 * k * item, (struct complex_number){re, im});
        const int64_t first = im < 0 ? k - 1 : k;
        for (int64_t i = 0; i < n && v; i++) {
            const double x = number_at(b, columns + (first * n + i) * item).re,
                         y = im > 0 || im < 0
                                 ? number_at(b, columns + ((first + 1) * n + i) * item).re
                                 : 0;
            put_number(&twice, v + 2 * (k * n + i) * item,
                       (struct complex_number){x, im < 0 ? -y : y});
        }
    }
}

/* Refuses matrix i where it has NaN or infinite numbers, at which some LAPACKs end the process. */
static stria_status check_finite(const struct batch *b, stria_array *a, int64_t i)
{
    const int64_t item = item_of(b), bytes = b->n * b->n * item;
    for (int64_t k = 0; k < b->n * b->n; k++) {
        const struct complex_number x = number_at(b, (char *)matrix_at(a, i, bytes) + k * item);
        if (!__builtin_isfinite(x.re) || !__builtin_isfinite(x.im))
            return cannot_be_done(b, i, "has a number that is not finite, by columns", k);
    }
    return STRIA_OK;
}

static stria_status eig_each(struct batch *b, stria_array *a, stria_array *w, stria_array *v,
                             bool vectors)
{
    const int64_t item = item_of(b), n = b->n, pair = b->type > 1 ? item : 2 * item;
    struct eigen e = {.vectors = vectors ? 'V' : 'N',
                      .n = lapack_integer(n),
                      .size = lapack_integer(-1),
                      .one = lapack_integer(1)};
    double asked[2] = {0}, nothing[2] = {0};
    eig_one(b, &e, a->view.data, w->view.data, nothing, asked, nothing);
    const int64_t size = asked_for(b, asked);
    OWNED_MEMORY(memory, (size_t)((size + 2 * n + n * n) * item));
    if (!memory.at) return no_memory(b);
    char *const parts = (char *)memory.at + size * item, *const columns = parts + 2 * n * item;
    e.size = lapack_integer(size);
    for (int64_t i = 0; i < b->count; i++) {
        char *const values = matrix_at(w, i, n * pair), *const to =
                                                            vectors ? matrix_at(v, i, n * n * pair)
                                                                    : NULL;
        const bool real = b->type < 2;
        STRIA_TRY(check_finite(b, a, i));
        eig_one(b, &e, matrix_at(a, i, n * n * item), real ? parts : values,
                real ? columns
                : to ? to
                     : columns,
                memory.at, parts);
        const int64_t found = lapack_value(b->l, &e.info);
        if (found) return cannot_be_done(b, i, "did not converge", found);
        if (real) pair_eigen(b, values, to, parts, columns);
    }
    return STRIA_OK;
}

stria_status stria_eig_new(stria_array *out_w, stria_array *out_v, const stria_view *a,
                           const stria_exec *exec)
{
    IN_FP_MODE;
    OBEYS(exec);
    struct batch b;
    OWNED_ARRAY(factor);
    OWNED_ARRAY(w);
    OWNED_ARRAY(v);
    if (!out_w) return stria__fail(STRIA_ERR_ARGUMENT, "eig: a result is NULL");
    STRIA_TRY(batch_begin(&b, "eig", a, true, exec));
    const stria_kind pairs = b.real == STRIA_F32 ? STRIA_C64 : STRIA_C128;
    STRIA_TRY(copy_matrices(&factor, &b, a));
    STRIA_TRY(empty_vectors(&w, &b, pairs, b.n));
    STRIA_TRY(empty_matrices(&v, &b, pairs, b.n, out_v ? b.n : 0));
    if (b.n > 0 && b.count > 0) STRIA_TRY(eig_each(&b, &factor, &w, &v, out_v != NULL));
    if (out_v) STRIA_TRY(stria__deliver(out_v, &v, STRIA_OK));
    return stria__deliver(out_w, &w, STRIA_OK);
}

/* ---- results in views ------------------------------------------------------------------------ */

enum { RESULTS = 3 };

/* Checks views; NULL is right where a name begins with a question mark. */
static stria_status check_views(const char *op, const stria_view *const *out,
                                const char *const *names)
{
    for (int i = 0; i < RESULTS; i++)
        if (names[i] && (out[i] || names[i][0] != '?'))
            STRIA_TRY(stria__check_writable(out[i], op, names[i] + (names[i][0] == '?')));
    return STRIA_OK;
}

/* Copies results, with which a call has ended, to views; nothing is written unless all fit. */
static stria_status write_views(const char *op, const stria_view *const *out, stria_array *made,
                                stria_status status, const stria_exec *exec)
{
    enum { WORK = 1000 };
    for (int i = 0; i < RESULTS && status == STRIA_OK; i++) {
        const stria_view *const a = &made[i].view;
        if (!out[i]) continue;
        status = stria__check_out(out[i], a->ndim, a->shape, a->dtype, op);
        for (int k = 0; k < i && status == STRIA_OK; k++)
            if (out[k] && stria_shares_memory(out[k], out[i], WORK) != STRIA_OVERLAP_NO)
                status =
                    stria__fail(STRIA_ERR_OVERLAP, "%s: results %d and %d share bytes", op, k, i);
    }
    for (int i = 0; i < RESULTS; i++) {
        if (out[i] && status == STRIA_OK) status = stria_copy(out[i], &made[i].view, exec);
        stria_array_release(&made[i]);
    }
    return status;
}

#define LIST(...) __VA_ARGS__
/* Defines a function that writes into views by the one that makes arrays. */
#define INTO_VIEWS(name, parameters, views, texts, call)                                           \
    stria_status stria_##name(parameters, const stria_exec *exec)                                  \
    {                                                                                              \
        const stria_view *const out_views[RESULTS] = {views};                                      \
        static const char *const names[RESULTS] = {texts};                                         \
        stria_array made[RESULTS] = {{.owned = NULL}, {.owned = NULL}, {.owned = NULL}};           \
        OBEYS(exec);                                                                               \
        STRIA_TRY(check_views(#name, out_views, names));                                           \
        return write_views(#name, out_views, made, stria_##name##_new(call, exec), exec);          \
    }
INTO_VIEWS(solve, LIST(const stria_view *out, const stria_view *a, const stria_view *b), LIST(out),
           LIST("out"), LIST(&made[0], a, b))
INTO_VIEWS(triangular_solve,
           LIST(const stria_view *out, const stria_view *a, const stria_view *b, bool upper,
                bool unit),
           LIST(out), LIST("out"), LIST(&made[0], a, b, upper, unit))
INTO_VIEWS(inv, LIST(const stria_view *out, const stria_view *a), LIST(out), LIST("out"),
           LIST(&made[0], a))
INTO_VIEWS(det, LIST(const stria_view *out, const stria_view *a), LIST(out), LIST("out"),
           LIST(&made[0], a))
INTO_VIEWS(slogdet,
           LIST(const stria_view *out_sign, const stria_view *out_logarithm, const stria_view *a),
           LIST(out_sign, out_logarithm), LIST("out_sign", "out_logarithm"),
           LIST(&made[0], &made[1], a))
INTO_VIEWS(lu_factor,
           LIST(const stria_view *out_lu, const stria_view *out_pivots, const stria_view *a),
           LIST(out_lu, out_pivots), LIST("out_lu", "out_pivots"), LIST(&made[0], &made[1], a))
INTO_VIEWS(cholesky, LIST(const stria_view *out, const stria_view *a, bool upper), LIST(out),
           LIST("out"), LIST(&made[0], a, upper))
INTO_VIEWS(qr,
           LIST(const stria_view *out_q, const stria_view *out_r, const stria_view *a,
                bool complete),
           LIST(out_q, out_r), LIST("out_q", "out_r"), LIST(&made[0], &made[1], a, complete))
INTO_VIEWS(svd,
           LIST(const stria_view *out_u, const stria_view *out_s, const stria_view *out_vh,
                const stria_view *a, bool full),
           LIST(out_u, out_s, out_vh), LIST("?out_u", "out_s", "?out_vh"),
           LIST(out_u ? &made[0] : NULL, &made[1], out_vh ? &made[2] : NULL, a, full))
INTO_VIEWS(eigh,
           LIST(const stria_view *out_w, const stria_view *out_v, const stria_view *a, bool upper),
           LIST(out_w, out_v), LIST("out_w", "?out_v"),
           LIST(&made[0], out_v ? &made[1] : NULL, a, upper))
INTO_VIEWS(eig, LIST(const stria_view *out_w, const stria_view *out_v, const stria_view *a),
           LIST(out_w, out_v), LIST("out_w", "?out_v"), LIST(&made[0], out_v ? &made[1] : NULL, a))
