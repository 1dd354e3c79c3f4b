/* SPDX-License-Identifier: BSD-3-Clause */
/* Cholesky factorizations, and those by columns that are orthogonal. */
#include "stria/linalg.h"

#include "base/alloc.h"
#include "linalg/batch.h"
#include "ops/make.h"
#include "stria/join.h"

typedef void potrf_function(P5, size_t);
typedef void geqrf_function(P8);
typedef void orgqr_function(P9);

struct cholesky {
    const struct batch *b;
    stria_array *a;
    bool upper;
};

static int64_t cholesky_one(const void *context, int64_t i, char *room)
{
    const struct cholesky *const c = context;
    const struct batch *const b = c->b;
    struct lapack_integer n = lapack_integer(b->n), info = lapack_integer(0);
    char uplo = c->upper ? 'U' : 'L';
    (void)room;
    CALL(potrf_function, potrf)
    (&uplo, I(n), matrix_at(c->a, i, b->n * b->n * item_of(b)), I(n), I(info), 1);
    return lapack_value(b->l, &info);
}

stria_status stria_cholesky_new(stria_array *out, const stria_view *a, bool upper,
                                const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(factor, made);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "cholesky: out is NULL");
    STRIA_TRY(stria__batch_begin(&b, "cholesky", a, true, exec));
    STRIA_TRY(stria__copy_matrices(&factor, &b, a));
    const struct cholesky c = {&b, &factor, upper};
    if (b.n > 0)
        STRIA_TRY(
            stria__each_matrix(&(struct each){.b = &b,
                                              .cycles = cube(b.n),
                                              .one = cholesky_one,
                                              .context = &c,
                                              .why = "is not positive definite: a leading minor"}));
    STRIA_TRY((upper ? stria_triu_new : stria_tril_new)(&made, &factor.view, 0, exec));
    return stria__deliver(out, &made, STRIA_OK);
}

struct qr {
    const struct batch *b;
    stria_array *a, *q;
    int64_t columns, least, work; /* Items of the work of LAPACK. */
};

/* Makes columns of Q of what geqrf has left in the first columns of q. */
static int64_t qr_one(const void *context, int64_t i, char *work)
{
    const struct qr *const s = context;
    const struct batch *const b = s->b;
    const int64_t item = item_of(b);
    struct lapack_integer m = lapack_integer(b->m), n = lapack_integer(b->n),
                          k = lapack_integer(s->least), c = lapack_integer(s->columns),
                          all = lapack_integer(s->work), info = lapack_integer(0);
    char *const tau = work + s->work * item, *const from = matrix_at(s->a, i, b->m * b->n * item);
    char *const to = matrix_at(s->q, i, b->m * s->columns * item);
    CALL(geqrf_function, geqrf)(I(m), I(n), from, I(m), tau, work, I(all), I(info));
    if (lapack_value(b->l, &info)) return lapack_value(b->l, &info);
    memcpy(to, from, (size_t)(b->m * s->least * item));
    CALL(orgqr_function, orgqr)(I(m), I(c), I(k), to, I(m), tau, work, I(all), I(info));
    return lapack_value(b->l, &info);
}

static stria_status qr_each(struct batch *b, stria_array *a, stria_array *q, int64_t columns)
{
    struct qr s = {b, a, q, columns, b->m < b->n ? b->m : b->n, 0};
    struct lapack_integer m = lapack_integer(b->m), n = lapack_integer(b->n),
                          k = lapack_integer(s.least), c = lapack_integer(columns),
                          all = lapack_integer(-1), info = lapack_integer(0);
    double first[2] = {0}, second[2] = {0};
    CALL(geqrf_function, geqrf)(I(m), I(n), a->view.data, I(m), first, first, I(all), I(info));
    CALL(orgqr_function, orgqr)
    (I(m), I(c), I(k), q->view.data, I(m), second, second, I(all), I(info));
    s.work =
        asked_for(b, first) > asked_for(b, second) ? asked_for(b, first) : asked_for(b, second);
    return stria__each_matrix(&(struct each){.b = b,
                                             .room = (s.work + s.least + 1) * item_of(b),
                                             .cycles = 4 * cube(b->m),
                                             .one = qr_one,
                                             .context = &s,
                                             .why = ""});
}

stria_status stria_qr_new(stria_array *out_q, stria_array *out_r, const stria_view *a,
                          bool complete, const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(factor, q, r);
    stria_view upper;
    if (!out_q || !out_r) return stria__fail(STRIA_ERR_ARGUMENT, "qr: a result is NULL");
    STRIA_TRY(stria__batch_begin(&b, "qr", a, false, exec));
    const int64_t least = b.m < b.n ? b.m : b.n, columns = complete ? b.m : least;
    STRIA_TRY(stria__copy_matrices(&factor, &b, a));
    STRIA_TRY(stria__empty_matrices(&q, &b, b.kind, b.m, columns));
    stria__write_identities(&b, &q, b.m, columns);
    if (least > 0 && b.count > 0) STRIA_TRY(qr_each(&b, &factor, &q, columns));
    STRIA_TRY(stria_narrow(&upper, &factor.view, -2, 0, columns));
    STRIA_TRY(stria_triu_new(&r, &upper, 0, exec));
    STRIA_TRY(stria__deliver(out_q, &q, STRIA_OK));
    return stria__deliver(out_r, &r, STRIA_OK);
}
