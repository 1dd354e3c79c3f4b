/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues and eigenvectors. */
#include "stria/linalg.h"

#include "base/alloc.h"
#include "linalg/batch.h"
#include "ops/make.h"

typedef void syevd_function(P11, size_t, size_t);
typedef void heevd_function(P13, size_t, size_t);
typedef void geev_function(P14, size_t, size_t);

/* The arguments of a call for eigenvalues. */
struct eigen {
    char vectors, uplo;
    struct lapack_integer n, size, reals_size, integers_size, one, info;
};

static void call_eigh(const struct batch *b, struct eigen *e, void *a, void *w, void *work,
                      void *reals, void *integers)
{
    if (b->type > 1) CALL(heevd_function, syevd)
    (&e->vectors, &e->uplo, I(e->n), a, I(e->n), w, work, I(e->size), reals, I(e->reals_size),
     integers, I(e->integers_size), I(e->info), 1, 1);
    else CALL(syevd_function, syevd)(&e->vectors, &e->uplo, I(e->n), a, I(e->n), w, work,
                                     I(e->size), integers, I(e->integers_size), I(e->info), 1, 1);
}

struct eigh_call {
    const struct batch *b;
    stria_array *v, *w;
    struct eigen eigen;      /* The same for all matrices. */
    int64_t reals, integers; /* Where they begin in the room. */
};

static int64_t eigh_one(const void *context, int64_t i, char *room)
{
    const struct eigh_call *const c = context;
    const struct batch *const b = c->b;
    struct eigen e = c->eigen;
    call_eigh(b, &e, matrix_at(c->v, i, b->n * b->n * item_of(b)),
              matrix_at(c->w, i, b->n * stria_dtype_of(b->real).itemsize), room, room + c->reals,
              room + c->integers);
    return lapack_value(b->l, &e.info);
}

static stria_status eigh_each(struct batch *b, stria_array *v, stria_array *w, char vectors,
                              bool upper)
{
    struct eigh_call c = {.b = b,
                          .v = v,
                          .w = w,
                          .eigen = {.vectors = vectors,
                                    .uplo = upper ? 'U' : 'L',
                                    .n = lapack_integer(b->n),
                                    .size = lapack_integer(-1),
                                    .reals_size = lapack_integer(-1),
                                    .integers_size = lapack_integer(-1)}};
    double asked[2] = {0}, asked_reals[2] = {0};
    struct lapack_integer asked_integers = lapack_integer(0);
    call_eigh(b, &c.eigen, v->view.data, w->view.data, asked, asked_reals, I(asked_integers));
    const int64_t size = asked_for(b, asked), integers = lapack_value(b->l, &asked_integers),
                  reals = b->type > 1 ? asked_for(b, asked_reals) : 0;
    c.eigen.size = lapack_integer(size);
    c.eigen.reals_size = lapack_integer(reals);
    c.eigen.integers_size = lapack_integer(integers);
    c.reals = round_up(size * item_of(b), STRIA_ALIGNMENT);
    c.integers = c.reals + round_up(reals * stria_dtype_of(b->real).itemsize, STRIA_ALIGNMENT);
    return stria__each_matrix(&(struct each){.b = b,
                                             .room = c.integers + integers * 8,
                                             .cycles = 5 * cube(b->n),
                                             .one = eigh_one,
                                             .context = &c,
                                             .why = "did not converge"});
}

stria_status stria_eigh_new(stria_array *out_w, stria_array *out_v, const stria_view *a, bool upper,
                            const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(w, v);
    if (!out_w) return stria__fail(STRIA_ERR_ARGUMENT, "eigh: a result is NULL");
    STRIA_TRY(stria__batch_begin(&b, "eigh", a, true, exec));
    if (out_v) STRIA_TRY(stria__check_work(&b, b.n, 2));
    STRIA_TRY(stria__copy_matrices(&v, &b, a));
    STRIA_TRY(stria__empty_vectors(&w, &b, b.real, b.n));
    if (b.n > 0 && b.count > 0) STRIA_TRY(eigh_each(&b, &v, &w, out_v ? 'V' : 'N', upper));
    if (out_v) STRIA_TRY(stria__deliver(out_v, &v, STRIA_OK));
    return stria__deliver(out_w, &w, STRIA_OK);
}

/* Calls geev: real ones give real and imaginary parts apart, complex ones take reals last. */
static void call_eig(const struct batch *b, struct eigen *e, void *a, char *w, void *v, void *work,
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

struct eig_call {
    const struct batch *b;
    stria_array *a, *w, *v;
    struct eigen eigen; /* The same for all matrices. */
    int64_t work;       /* Bytes of the work of LAPACK, behind which real numbers lie. */
};

static int64_t eig_one(const void *context, int64_t i, char *room)
{
    const struct eig_call *const c = context;
    const struct batch *const b = c->b;
    const bool real = b->type < 2, vectors = c->eigen.vectors == 'V';
    const int64_t item = item_of(b), n = b->n, pair = real ? 2 * item : item;
    char *const parts = room + c->work, *const columns = parts + 2 * n * item;
    char *const values = matrix_at(c->w, i, n * pair);
    char *const to = vectors ? matrix_at(c->v, i, n * n * pair) : NULL;
    struct eigen e = c->eigen;
    call_eig(b, &e, matrix_at(c->a, i, n * n * item), real ? parts : values,
             real || !to ? columns : to, room, parts);
    const int64_t found = lapack_value(b->l, &e.info);
    if (!found && real) pair_eigen(b, values, to, parts, columns);
    return found;
}

static stria_status eig_each(struct batch *b, stria_array *a, stria_array *w, stria_array *v,
                             bool vectors)
{
    struct eig_call c = {.b = b,
                         .a = a,
                         .w = w,
                         .v = v,
                         .eigen = {.vectors = vectors ? 'V' : 'N',
                                   .n = lapack_integer(b->n),
                                   .size = lapack_integer(-1),
                                   .one = lapack_integer(1)}};
    const int64_t item = item_of(b), n = b->n;
    double asked[2] = {0}, nothing[2] = {0};
    STRIA_TRY(stria__check_finite(b, a));
    call_eig(b, &c.eigen, a->view.data, w->view.data, nothing, asked, nothing);
    c.eigen.size = lapack_integer(asked_for(b, asked));
    c.work = round_up(asked_for(b, asked) * item, STRIA_ALIGNMENT);
    return stria__each_matrix(&(struct each){.b = b,
                                             .room = c.work + (2 * n + n * n) * item,
                                             .cycles = 20 * cube(n),
                                             .one = eig_one,
                                             .context = &c,
                                             .why = "did not converge"});
}

stria_status stria_eig_new(stria_array *out_w, stria_array *out_v, const stria_view *a,
                           const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct batch b;
    OWNED_ARRAYS(factor, w, v);
    if (!out_w) return stria__fail(STRIA_ERR_ARGUMENT, "eig: a result is NULL");
    STRIA_TRY(stria__batch_begin(&b, "eig", a, true, exec));
    const stria_kind pairs = b.real == STRIA_F32 ? STRIA_C64 : STRIA_C128;
    STRIA_TRY(stria__copy_matrices(&factor, &b, a));
    STRIA_TRY(stria__empty_vectors(&w, &b, pairs, b.n));
    STRIA_TRY(stria__empty_matrices(&v, &b, pairs, b.n, out_v ? b.n : 0));
    if (b.n > 0 && b.count > 0) STRIA_TRY(eig_each(&b, &factor, &w, &v, out_v != NULL));
    if (out_v) STRIA_TRY(stria__deliver(out_v, &v, STRIA_OK));
    return stria__deliver(out_w, &w, STRIA_OK);
}
