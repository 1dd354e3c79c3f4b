/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear systems, and inverse matrices. */
#include "stria/linalg.h"

#include "base/alloc.h"
#include "linalg/batch.h"
#include "ops/make.h"
#include "stria/axes.h"
#include "stria/broadcast.h"
#include "stria/elementwise.h"

typedef void gesv_function(P8);
typedef void trtrs_function(P10, size_t, size_t, size_t);

struct triangle {
    bool is, upper, unit;
};

struct solving {
    struct batch *b;
    stria_array *x, *a;
    int64_t columns;
    struct triangle triangle;
};

static int64_t solve_one(const void *context, int64_t i, char *pivots)
{
    const struct solving *const s = context;
    const struct batch *const b = s->b;
    const int64_t item = item_of(b);
    struct lapack_integer n = lapack_integer(b->n), rhs = lapack_integer(s->columns),
                          info = lapack_integer(0);
    char uplo = s->triangle.upper ? 'U' : 'L', no = 'N', diagonal = s->triangle.unit ? 'U' : 'N';
    void *const from = matrix_at(s->a, i, b->n * b->n * item);
    void *const to = matrix_at(s->x, i, b->n * s->columns * item);
    if (s->triangle.is) CALL(trtrs_function, trtrs)
    (&uplo, &no, &diagonal, I(n), I(rhs), from, I(n), to, I(n), I(info), 1, 1, 1);
    else CALL(gesv_function, gesv)(I(n), I(rhs), from, I(n), pivots, to, I(n), I(info));
    return lapack_value(b->l, &info);
}

/* Solves for each matrix; x holds the right sides. */
static stria_status solve_each(struct batch *b, stria_array *x, stria_array *a, int64_t columns,
                               struct triangle triangle)
{
    const struct solving s = {b, x, a, columns, triangle};
    if (b->n == 0 || columns == 0) return STRIA_OK;
    return stria__each_matrix(
        &(struct each){.b = b,
                       .room = b->n * (int64_t)sizeof(int64_t),
                       .cycles = cube(b->n) + (double)b->n * (double)b->n * (double)columns,
                       .one = solve_one,
                       .context = &s,
                       .why = "is singular: its U has a zero on the diagonal"});
}

static stria_status solve(stria_array *out, const char *op, const stria_view *a,
                          const stria_view *right, struct triangle triangle, const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    stria_kind kind;
    stria_view columns, wide;
    OWNED_ARRAYS(factor, x);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    STRIA_TRY(stria__batch_begin(&b, op, a, true, exec));
    STRIA_TRY(stria__check_any_view(right, op, "b"));
    STRIA_TRY(stria__lapack_kind(&kind, &b, right, "b"));
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
    STRIA_TRY(stria__copy_matrices(&factor, &b, a));
    STRIA_TRY(stria__copy_matrices(&x, &b, &columns));
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

stria_status stria_inv_new(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(factor, x);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "inv: out is NULL");
    STRIA_TRY(stria__batch_begin(&b, "inv", a, true, exec));
    STRIA_TRY(stria__copy_matrices(&factor, &b, a));
    STRIA_TRY(stria__empty_matrices(&x, &b, b.kind, b.n, b.n));
    stria__write_identities(&b, &x, b.n, b.n);
    STRIA_TRY(solve_each(&b, &x, &factor, b.n, (struct triangle){false, false, false}));
    return stria__deliver(out, &x, STRIA_OK);
}
