/* SPDX-License-Identifier: BSD-3-Clause */
/* Singular values. */
#include "stria/linalg.h"

#include "base/alloc.h"
#include "linalg/batch.h"
#include "ops/make.h"

typedef void gesdd_real_function(P14, size_t);
typedef void gesdd_complex_function(P15, size_t);

/* The arguments of a call that is made twice: for the size of its memory, and for a result. */
struct svd {
    char job;
    struct lapack_integer m, n, rows, size, info;
    void *integers, *reals; /* Memory of fixed sizes. */
};

static void call_svd(const struct batch *b, struct svd *s, void *a, void *u, void *values, void *vh,
                     void *work)
{
    if (b->type > 1) CALL(gesdd_complex_function, gesdd)
    (&s->job, I(s->m), I(s->n), a, I(s->m), values, u, I(s->m), vh, I(s->rows), work, I(s->size),
     s->reals, s->integers, I(s->info), 1);
    else CALL(gesdd_real_function, gesdd)(&s->job, I(s->m), I(s->n), a, I(s->m), values, u, I(s->m),
                                          vh, I(s->rows), work, I(s->size), s->integers, I(s->info),
                                          1);
}

struct svd_call {
    const struct batch *b;
    stria_array *a, *u, *values, *vh;
    struct svd svd;                      /* The same for all matrices. */
    int64_t columns, rows, least, reals; /* Reals are those of its work. */
};

static int64_t svd_one(const void *context, int64_t i, char *room)
{
    const struct svd_call *const c = context;
    const struct batch *const b = c->b;
    const int64_t item = item_of(b), real = stria_dtype_of(b->real).itemsize;
    const bool none = c->svd.job == 'N';
    struct svd s = c->svd;
    s.integers = room;
    s.reals = room + 8 * c->least * 8;
    call_svd(b, &s, matrix_at(c->a, i, b->m * b->n * item),
             none ? c->u->view.data : matrix_at(c->u, i, b->m * c->columns * item),
             matrix_at(c->values, i, c->least * real),
             none ? c->vh->view.data : matrix_at(c->vh, i, c->rows * b->n * item),
             room + round_up(8 * c->least * 8 + c->reals * real, STRIA_ALIGNMENT));
    return lapack_value(b->l, &s.info);
}

static stria_status svd_each(struct batch *b, stria_array *a, stria_array *u, stria_array *values,
                             stria_array *vh, char job, int64_t columns, int64_t rows)
{
    const int64_t least = b->m < b->n ? b->m : b->n, most = b->m < b->n ? b->n : b->m;
    const int64_t real = stria_dtype_of(b->real).itemsize, few = 5 * least + 7,
                  many = 2 * most + 2 * least + 1;
    struct svd_call c = {.b = b,
                         .a = a,
                         .u = u,
                         .values = values,
                         .vh = vh,
                         .svd = {.job = job,
                                 .m = lapack_integer(b->m),
                                 .n = lapack_integer(b->n),
                                 .rows = lapack_integer(rows > 1 ? rows : 1),
                                 .size = lapack_integer(-1)},
                         .columns = columns,
                         .rows = rows,
                         .least = least,
                         .reals = b->type > 1 ? least * (few > many ? few : many) : 0};
    const int64_t fixed = round_up(8 * least * 8 + c.reals * real, STRIA_ALIGNMENT);
    double asked[2] = {0};
    STRIA_TRY(stria__check_finite(b, a));
    OWNED_MEMORY(room, (size_t)fixed);
    if (!room.at) return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for LAPACK", b->op);
    c.svd.integers = room.at;
    c.svd.reals = (char *)room.at + 8 * least * 8;
    call_svd(b, &c.svd, a->view.data, u->view.data, values->view.data, vh->view.data, asked);
    const int64_t work = asked_for(b, asked);
    c.svd.size = lapack_integer(work);
    return stria__each_matrix(&(struct each){.b = b,
                                             .room = fixed + work * item_of(b),
                                             .cycles = 10 * cube(most),
                                             .one = svd_one,
                                             .context = &c,
                                             .why = "did not converge"});
}

stria_status stria_svd_new(stria_array *out_u, stria_array *out_s, stria_array *out_vh,
                           const stria_view *a, bool full, const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(factor, u, s, vh);
    if (!out_s || !out_u != !out_vh)
        return stria__fail(STRIA_ERR_ARGUMENT, "svd: a result is NULL");
    STRIA_TRY(stria__batch_begin(&b, "svd", a, false, exec));
    const bool vectors = out_u != NULL;
    const int64_t least = b.m < b.n ? b.m : b.n,
                  columns = !vectors ? 1
                            : full   ? b.m
                                     : least,
                  rows = !vectors ? 1
                         : full   ? b.n
                                  : least;
    if (vectors) STRIA_TRY(stria__check_work(&b, least, 4));
    STRIA_TRY(stria__copy_matrices(&factor, &b, a));
    STRIA_TRY(stria__empty_matrices(&u, &b, b.kind, b.m, columns));
    STRIA_TRY(stria__empty_vectors(&s, &b, b.real, least));
    STRIA_TRY(stria__empty_matrices(&vh, &b, b.kind, rows, b.n));
    if (least > 0 && b.count > 0)
        STRIA_TRY(svd_each(&b, &factor, &u, &s, &vh,
                           !vectors ? 'N'
                           : full   ? 'A'
                                    : 'S',
                           columns, rows));
    else {
        stria__write_identities(&b, &u, b.m, columns);
        stria__write_identities(&b, &vh, rows, b.n);
    }
    if (vectors) {
        STRIA_TRY(stria__deliver(out_u, &u, STRIA_OK));
        STRIA_TRY(stria__deliver(out_vh, &vh, STRIA_OK));
    }
    return stria__deliver(out_s, &s, STRIA_OK);
}
