/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear systems and factorizations of views by LAPACK, for programs that link LAPACKE; Stria does
 * not. Views of any layout, of f32, f64, c64 or c128; the last two dims are matrices, those before
 * them a batch, which is the same in all operands. What LAPACK overwrites is a copy, made by
 * columns; results are new arrays, owned by the caller, in the same order. numpy.linalg and
 * torch.linalg have functions of these names.
 *
 * *info, unless info is NULL, is LAPACK's for the first matrix that it could not do, else 0; then
 * the status is ARGUMENT and nothing is returned. Other statuses: DTYPE, SHAPE, MEMORY, and what
 * copies return. stria_last_error tells what was refused.
 */
#ifndef STRIA_STRIA_LAPACK_H
#define STRIA_STRIA_LAPACK_H

#include <lapacke.h>
#include <string.h>

#include "array.h"
#include "copy.h"
#include "fill.h"
#include "join.h"

/* Casts are C's in here, also for compilers of C++ that are asked to warn of them. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wc99-extensions"
#else
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#ifdef __cplusplus
#define STRIA_LAPACK_NONE                                                                          \
    {                                                                                              \
    }
#else
#define STRIA_LAPACK_NONE                                                                          \
    {                                                                                              \
        0                                                                                          \
    }
#endif

/* ---- operands as LAPACK has them ------------------------------------------------------------ */

/* Matrices of `rows` x `columns`, by columns and one behind the other; empty ones are refused. */
struct stria_lapack_batch {
    int64_t count;
    lapack_int rows, columns;
    int64_t bytes; /* of a matrix */
};

static inline stria_status stria_lapack_shape(struct stria_lapack_batch *to, const stria_view *a)
{
    memset(to, 0, sizeof *to);
    if (!a || !a->data) return stria_fail(STRIA_ERR_ARGUMENT, "lapack: an operand is NULL");
    if (a->dtype.kind < STRIA_F32 || a->dtype.kind > STRIA_C128)
        return stria_fail(STRIA_ERR_DTYPE, "lapack: an operand is not of f32, f64, c64 or c128");
    if (a->ndim < 2)
        return stria_fail(STRIA_ERR_SHAPE, "lapack: an operand has %d dims, wants 2 or more",
                          (int)a->ndim);
    const int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
    if (m < 1 || n < 1 || m > INT32_MAX || n > INT32_MAX)
        return stria_fail(STRIA_ERR_SHAPE, "lapack: matrices of %lld x %lld elements", (long long)m,
                          (long long)n);
    to->rows = (lapack_int)m;
    to->columns = (lapack_int)n;
    to->count = stria_numel(a) / (m * n);
    to->bytes = m * n * a->dtype.itemsize;
    return STRIA_OK;
}

/* Makes matrices of rows x columns, stored by columns, for a batch as that of a. */
static inline stria_status stria_lapack_empty(stria_array *out, const stria_view *a,
                                              stria_kind kind, int64_t rows, int64_t columns)
{
    int64_t shape[STRIA_MAX_NDIM];
    stria_array made = STRIA_LAPACK_NONE;
    for (int d = 0; d < a->ndim - 2; d++)
        shape[d] = a->shape[d];
    shape[a->ndim - 2] = columns;
    shape[a->ndim - 1] = rows;
    stria_status status = stria_empty(&made, stria_dtype_of(kind), a->ndim, shape);
    if (status == STRIA_OK) status = stria_matrix_transpose(&made.view, &made.view);
    if (status == STRIA_OK) *out = made;
    return status;
}

/* Copies matrices, by columns. */
static inline stria_status stria_lapack_copy(stria_array *out, const stria_view *a)
{
    stria_status status = stria_lapack_empty(out, a, (stria_kind)a->dtype.kind,
                                             a->shape[a->ndim - 2], a->shape[a->ndim - 1]);
    return status == STRIA_OK ? stria_copy(&out->view, a, NULL) : status;
}

/* Makes one vector for each matrix of a. */
static inline stria_status stria_lapack_vectors(stria_array *out, const stria_view *a,
                                                stria_kind kind, int64_t n)
{
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < a->ndim - 2; d++)
        shape[d] = a->shape[d];
    shape[a->ndim - 2] = n;
    return stria_empty(out, stria_dtype_of(kind), a->ndim - 1, shape);
}

static inline bool stria_lapack_same_batch(const stria_view *a, const stria_view *b)
{
    bool same = a->ndim == b->ndim && a->dtype.kind == b->dtype.kind;
    for (int d = 0; d < a->ndim - 2 && same; d++)
        same = a->shape[d] == b->shape[d];
    return same;
}

static inline stria_kind stria_lapack_real(const stria_view *a)
{
    return a->dtype.kind == STRIA_F32 || a->dtype.kind == STRIA_C64 ? STRIA_F32 : STRIA_F64;
}

/* Gives the results when all went well, else releases them; `spent` is released in any case. */
static inline stria_status stria_lapack_end(stria_status status, lapack_int found, lapack_int *info,
                                            stria_array *spent, int n, stria_array *const *to,
                                            stria_array *made)
{
    if (info) *info = found;
    if (status == STRIA_OK && found != 0)
        status = stria_fail(STRIA_ERR_ARGUMENT, "lapack: a matrix cannot be done, info is %d",
                            (int)found);
    if (spent) stria_array_release(spent);
    for (int i = 0; i < n; i++) {
        if (status == STRIA_OK) {
            stria_array_release(to[i]);
            *to[i] = made[i];
        } else
            stria_array_release(&made[i]);
    }
    return status;
}

/* Sets info to CALL(letter, type, type of real parts) for the dtype of the view. */
#define STRIA_LAPACK_DO(info, a, CALL)                                                             \
    do {                                                                                           \
        switch ((a)->dtype.kind) {                                                                 \
        case STRIA_F32: info = CALL(s, float, float, or, sy); break;                               \
        case STRIA_F64: info = CALL(d, double, double, or, sy); break;                             \
        case STRIA_C64: info = CALL(c, lapack_complex_float, float, un, he); break;                \
        default: info = CALL(z, lapack_complex_double, double, un, he); break;                     \
        }                                                                                          \
    } while (0)
#define STRIA_LAPACK_AT(type, array, bytes) ((type *)(void *)((array).view.data + i * (bytes)))

/* ---- functions ------------------------------------------------------------------------------- */

/* Solves a x = b for square a and b of as many rows, one or more columns. */
static inline stria_status stria_lapack_solve(stria_array *x, const stria_view *a,
                                              const stria_view *b, lapack_int *info)
{
    struct stria_lapack_batch s, r;
    stria_array lu = STRIA_LAPACK_NONE, pivots = STRIA_LAPACK_NONE, made = STRIA_LAPACK_NONE;
    lapack_int found = 0;
    stria_status status = stria_lapack_shape(&s, a);
    if (status == STRIA_OK) status = stria_lapack_shape(&r, b);
    if (status != STRIA_OK) return status;
    if (s.rows != s.columns || r.rows != s.rows || !stria_lapack_same_batch(a, b))
        return stria_fail(STRIA_ERR_SHAPE,
                          "lapack: a is not square, or b has other rows, dtype or batch");
    const int64_t n = s.rows;
    status = stria_empty(&pivots, stria_dtype_of(sizeof found == 8 ? STRIA_I64 : STRIA_I32), 1, &n);
    if (status == STRIA_OK) status = stria_lapack_copy(&lu, a);
    if (status == STRIA_OK) status = stria_lapack_copy(&made, b);
    for (int64_t i = 0; i < s.count && status == STRIA_OK && found == 0; i++) {
        lapack_int *const pivot = (lapack_int *)(void *)pivots.view.data;
#define STRIA_LAPACK_CALL(p, type, real, og, sy)                                                   \
    LAPACKE_##p##gesv(LAPACK_COL_MAJOR, s.rows, r.columns, STRIA_LAPACK_AT(type, lu, s.bytes),     \
                      s.rows, pivot, STRIA_LAPACK_AT(type, made, r.bytes), s.rows)
        STRIA_LAPACK_DO(found, a, STRIA_LAPACK_CALL);
#undef STRIA_LAPACK_CALL
    }
    stria_array_release(&pivots);
    return stria_lapack_end(status, found, info, &lu, 1, &x, &made);
}

/*
 * Factorizes a = P L U: L below the diagonal of lu, where it has ones, and U above; pivots, i32 (or
 * i64, as LAPACK's integers are), tell with which row, from 1, each row changed places. A U with a
 * zero on its diagonal is no error. scipy.linalg.lu_factor, torch.linalg.lu_factor.
 */
static inline stria_status stria_lapack_lu(stria_array *lu, stria_array *pivots,
                                           const stria_view *a)
{
    struct stria_lapack_batch s;
    stria_array made[2] = STRIA_LAPACK_NONE, *const to[2] = {lu, pivots};
    stria_status status = stria_lapack_shape(&s, a);
    if (status != STRIA_OK) return status;
    const lapack_int least = s.rows < s.columns ? s.rows : s.columns;
    lapack_int found = 0;
    status = stria_lapack_copy(&made[0], a);
    if (status == STRIA_OK)
        status =
            stria_lapack_vectors(&made[1], a, sizeof found == 8 ? STRIA_I64 : STRIA_I32, least);
    for (int64_t i = 0; i < s.count && status == STRIA_OK && found >= 0; i++) {
#define STRIA_LAPACK_CALL(p, type, real, og, sy)                                                   \
    LAPACKE_##p##getrf(LAPACK_COL_MAJOR, s.rows, s.columns,                                        \
                       STRIA_LAPACK_AT(type, made[0], s.bytes), s.rows,                            \
                       STRIA_LAPACK_AT(lapack_int, made[1], least *(int64_t)sizeof(lapack_int)))
        STRIA_LAPACK_DO(found, a, STRIA_LAPACK_CALL);
#undef STRIA_LAPACK_CALL
    }
    return stria_lapack_end(status, found < 0 ? found : 0, NULL, NULL, 2, to, made);
}

/* Factorizes positive definite a = L L^H; L has zeros above its diagonal. */
static inline stria_status stria_lapack_cholesky(stria_array *l, const stria_view *a,
                                                 lapack_int *info)
{
    struct stria_lapack_batch s;
    stria_array work = STRIA_LAPACK_NONE, made = STRIA_LAPACK_NONE;
    lapack_int found = 0;
    stria_status status = stria_lapack_shape(&s, a);
    if (status != STRIA_OK) return status;
    if (s.rows != s.columns)
        return stria_fail(STRIA_ERR_SHAPE, "lapack: matrices of %d x %d are not square",
                          (int)s.rows, (int)s.columns);
    status = stria_lapack_copy(&work, a);
    for (int64_t i = 0; i < s.count && status == STRIA_OK && found == 0; i++) {
#define STRIA_LAPACK_CALL(p, type, real, og, sy)                                                   \
    LAPACKE_##p##potrf(LAPACK_COL_MAJOR, 'L', s.rows, STRIA_LAPACK_AT(type, work, s.bytes), s.rows)
        STRIA_LAPACK_DO(found, a, STRIA_LAPACK_CALL);
#undef STRIA_LAPACK_CALL
    }
    if (status == STRIA_OK && found == 0) status = stria_tril_new(&made, &work.view, 0, NULL);
    return stria_lapack_end(status, found, info, &work, 1, &l, &made);
}

/* Factorizes a = Q R: Q of as many columns as the smaller side of a, R upper triangular. */
static inline stria_status stria_lapack_qr(stria_array *q, stria_array *r, const stria_view *a)
{
    struct stria_lapack_batch s;
    stria_array made[2] = STRIA_LAPACK_NONE, *const to[2] = {q, r}, work = STRIA_LAPACK_NONE,
                tau = STRIA_LAPACK_NONE;
    lapack_int found = 0;
    stria_view upper;
    stria_status status = stria_lapack_shape(&s, a);
    if (status != STRIA_OK) return status;
    const lapack_int least = s.rows < s.columns ? s.rows : s.columns;
    const int64_t taus = least, q_bytes = (int64_t)s.rows * least * a->dtype.itemsize;
    status = stria_lapack_copy(&work, a);
    if (status == STRIA_OK)
        status = stria_empty(&tau, stria_dtype_of((stria_kind)a->dtype.kind), 1, &taus);
    if (status == STRIA_OK)
        status = stria_lapack_empty(&made[0], a, (stria_kind)a->dtype.kind, s.rows, least);
    for (int64_t i = 0; i < s.count && status == STRIA_OK && found == 0; i++) {
#define STRIA_LAPACK_CALL(p, type, real, og, sy)                                                   \
    LAPACKE_##p##geqrf(LAPACK_COL_MAJOR, s.rows, s.columns, STRIA_LAPACK_AT(type, work, s.bytes),  \
                       s.rows, STRIA_LAPACK_AT(type, tau, 0))
        STRIA_LAPACK_DO(found, a, STRIA_LAPACK_CALL);
#undef STRIA_LAPACK_CALL
        if (found != 0) break;
        memcpy(made[0].view.data + i * q_bytes, work.view.data + i * s.bytes, (size_t)q_bytes);
#define STRIA_LAPACK_CALL(p, type, real, og, sy)                                                   \
    LAPACKE_##p##og##gqr(LAPACK_COL_MAJOR, s.rows, least, least,                                   \
                         STRIA_LAPACK_AT(type, made[0], q_bytes), s.rows,                          \
                         STRIA_LAPACK_AT(type, tau, 0))
        STRIA_LAPACK_DO(found, a, STRIA_LAPACK_CALL);
#undef STRIA_LAPACK_CALL
    }
    if (status == STRIA_OK) status = stria_narrow(&upper, &work.view, -2, 0, least);
    if (status == STRIA_OK) status = stria_triu_new(&made[1], &upper, 0, NULL);
    stria_array_release(&tau);
    return stria_lapack_end(status, found, NULL, &work, 2, to, made);
}

/* Eigenvalues of Hermitian a, ascending, and eigenvectors, the columns of v; reads its lower part.
 */
static inline stria_status stria_lapack_eigh(stria_array *w, stria_array *v, const stria_view *a,
                                             lapack_int *info)
{
    struct stria_lapack_batch s;
    stria_array made[2] = STRIA_LAPACK_NONE, *const to[2] = {w, v};
    lapack_int found = 0;
    stria_status status = stria_lapack_shape(&s, a);
    if (status != STRIA_OK) return status;
    if (s.rows != s.columns)
        return stria_fail(STRIA_ERR_SHAPE, "lapack: matrices of %d x %d are not square",
                          (int)s.rows, (int)s.columns);
    status = stria_lapack_vectors(&made[0], a, stria_lapack_real(a), s.rows);
    if (status == STRIA_OK) status = stria_lapack_copy(&made[1], a);
    for (int64_t i = 0; i < s.count && status == STRIA_OK && found == 0; i++) {
#define STRIA_LAPACK_CALL(p, type, real, og, sy)                                                   \
    LAPACKE_##p##sy##evd(LAPACK_COL_MAJOR, 'V', 'L', s.rows,                                       \
                         STRIA_LAPACK_AT(type, made[1], s.bytes), s.rows,                          \
                         STRIA_LAPACK_AT(real, made[0], s.rows *(int64_t)sizeof(real)))
        STRIA_LAPACK_DO(found, a, STRIA_LAPACK_CALL);
#undef STRIA_LAPACK_CALL
    }
    return stria_lapack_end(status, found, info, NULL, 2, to, made);
}

/*
 * Factorizes a = U diag(s) V^H: singular values, descending, and as many columns of u and rows of
 * vh.
 */
static inline stria_status stria_lapack_svd(stria_array *u, stria_array *sigma, stria_array *vh,
                                            const stria_view *a, lapack_int *info)
{
    struct stria_lapack_batch s;
    stria_array made[3] = STRIA_LAPACK_NONE, *const to[3] = {u, sigma, vh},
                work = STRIA_LAPACK_NONE;
    lapack_int found = 0;
    stria_status status = stria_lapack_shape(&s, a);
    if (status != STRIA_OK) return status;
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const lapack_int least = s.rows < s.columns ? s.rows : s.columns;
    const int64_t item = a->dtype.itemsize;
    status = stria_lapack_copy(&work, a);
    if (status == STRIA_OK) status = stria_lapack_empty(&made[0], a, kind, s.rows, least);
    if (status == STRIA_OK) status = stria_lapack_vectors(&made[1], a, stria_lapack_real(a), least);
    if (status == STRIA_OK) status = stria_lapack_empty(&made[2], a, kind, least, s.columns);
    for (int64_t i = 0; i < s.count && status == STRIA_OK && found == 0; i++) {
#define STRIA_LAPACK_CALL(p, type, real, og, sy)                                                   \
    LAPACKE_##p##gesdd(LAPACK_COL_MAJOR, 'S', s.rows, s.columns,                                   \
                       STRIA_LAPACK_AT(type, work, s.bytes), s.rows,                               \
                       STRIA_LAPACK_AT(real, made[1], least *(int64_t)sizeof(real)),               \
                       STRIA_LAPACK_AT(type, made[0], s.rows *least *item), s.rows,                \
                       STRIA_LAPACK_AT(type, made[2], least *s.columns *item), least)
        STRIA_LAPACK_DO(found, a, STRIA_LAPACK_CALL);
#undef STRIA_LAPACK_CALL
    }
    return stria_lapack_end(status, found, info, &work, 3, to, made);
}

#undef STRIA_LAPACK_AT
#undef STRIA_LAPACK_NONE
#undef STRIA_LAPACK_DO

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
