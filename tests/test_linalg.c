/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorizations by C: products give the matrices again, what is refused, and memory. NumPy's
 * results are compared in the tests of the Python package. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stria/linalg.h"
#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/test.h"

enum { BATCH = 3, SIDE = 4 };

/* Makes well-conditioned matrices, of which the last is singular if asked for. */
static stria_array matrices(stria_kind kind, bool singular)
{
    stria_array wide = {0}, made = {0};
    ok(stria_zeros(&wide, stria_dtype_of(STRIA_F64), 3, (int64_t[]){BATCH, SIDE, SIDE}));
    double *const x = (void *)wide.view.data;
    for (int i = 0; i < BATCH * SIDE * SIDE; i++)
        x[i] = sin(i) + (i % (SIDE * SIDE) % (SIDE + 1) == 0 ? 4 : 0);
    if (singular)
        for (int i = 0; i < SIDE; i++)
            x[(BATCH - 1) * SIDE * SIDE + i] = 0;
    ok(stria_empty(&made, stria_dtype_of(kind), 3, wide.view.shape));
    ok(stria_copy_cast(&made.view, &wide.view, STRIA_CAST_SAME_KIND, NULL));
    stria_array_release(&wide);
    return made;
}

static bool are_close(const stria_view *a, const stria_view *b)
{
    bool close = false;
    ok(stria_allclose(&close, a, b, &(stria_tolerance){.rtol = 1e-4, .atol = 1e-4}, NULL));
    return close;
}

static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_C64, STRIA_C128};

TEST(test_products)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        stria_array a = matrices(kinds[k], false), x = {0}, y = {0}, z = {0}, s = {0}, u = {0},
                    vh = {0}, spread = {0};
        stria_view transposed, row;
        ok(stria_solve_new(&x, &a.view, &a.view, NULL));
        ok(stria_matmul_new(&y, &a.view, &x.view, NULL));
        assert_true(are_close(&y.view, &a.view));
        ok(stria_inv_new(&x, &a.view, NULL));
        ok(stria_matmul_new(&y, &a.view, &x.view, NULL));
        ok(stria_matmul_new(&z, &y.view, &a.view, NULL));
        assert_true(are_close(&z.view, &a.view));
        ok(stria_matrix_transpose(&transposed, &a.view));
        ok(stria_qr_new(&x, &y, &transposed, false, NULL));
        ok(stria_matmul_new(&z, &x.view, &y.view, NULL));
        assert_true(are_close(&z.view, &transposed));
        ok(stria_svd_new(&u, &s, &vh, &a.view, true, NULL));
        ok(stria_unsqueeze(&row, &s.view, 1));
        ok(stria_multiply_new(&spread, &u.view, &row, NULL));
        ok(stria_matmul_new(&z, &spread.view, &vh.view, NULL));
        assert_true(are_close(&z.view, &a.view));
        ok(stria_matrix_adjoint(&transposed, &a.view));
        ok(stria_matmul_new(&x, &a.view, &transposed, NULL));
        ok(stria_cholesky_new(&y, &x.view, false, NULL));
        ok(stria_matrix_adjoint(&transposed, &y.view));
        ok(stria_matmul_new(&z, &y.view, &transposed, NULL));
        assert_true(are_close(&z.view, &x.view));
        ok(stria_eigh_new(&s, NULL, &x.view, false, NULL));
        stria_array *const all[] = {&a, &x, &y, &z, &s, &u, &vh, &spread};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            stria_array_release(all[i]);
    }
}

TEST(test_refusals)
{
    stria_array a = matrices(STRIA_F64, true), out = {0}, more = {0};
    stria_view cut;
    assert_int_equal(stria_inv_new(&out, &a.view, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "inv: matrix (2,) is singular"));
    assert_int_equal(stria_cholesky_new(&out, &a.view, false, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "is not positive definite"));
    assert_null(out.owned);
    ok(stria_det_new(&out, &a.view, NULL));
    assert_true(((double *)(void *)out.view.data)[2] == 0);
    ok(stria_narrow(&cut, &a.view, 2, 0, 2));
    assert_int_equal(stria_det_new(&out, &cut, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_solve_new(&out, &a.view, &cut, &(stria_exec){.threads = -1}),
                     STRIA_ERR_ARGUMENT);
    ok(stria_narrow(&cut, &a.view, 1, 0, 2));
    assert_int_equal(stria_solve_new(&out, &a.view, &cut, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_inv_new(NULL, &a.view, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_inv_new(&out, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_svd_new(&out, &more, NULL, &a.view, true, NULL), STRIA_ERR_ARGUMENT);
    stria_array_release(&a);
    stria_array_release(&out);
    stria_array_release(&more);
}

/* ---- results in views ------------------------------------------------------------------------ */

enum { FUNCTIONS = 15, MOST = 4 };

/* Calls function f for arrays, or for views if there are some. */
static stria_status call(int f, const stria_view *const *to, stria_array *made, const stria_view *a)
{
    const stria_view *const *const v = to;
    switch (f) {
    case 0: return v ? stria_solve(v[0], a, a, NULL) : stria_solve_new(made, a, a, NULL);
    case 1:
        return v ? stria_triangular_solve(v[0], a, a, true, false, NULL)
                 : stria_triangular_solve_new(made, a, a, true, false, NULL);
    case 2: return v ? stria_inv(v[0], a, NULL) : stria_inv_new(made, a, NULL);
    case 3: return v ? stria_det(v[0], a, NULL) : stria_det_new(made, a, NULL);
    case 4:
        return v ? stria_slogdet(v[0], v[1], a, NULL) : stria_slogdet_new(made, made + 1, a, NULL);
    case 5:
        return v ? stria_lu_factor(v[0], v[1], a, NULL)
                 : stria_lu_factor_new(made, made + 1, a, NULL);
    case 6:
        return v ? stria_cholesky(v[0], a, false, NULL) : stria_cholesky_new(made, a, false, NULL);
    case 7:
        return v ? stria_qr(v[0], v[1], a, true, NULL)
                 : stria_qr_new(made, made + 1, a, true, NULL);
    case 8:
        return v ? stria_svd(v[0], v[1], v[2], a, true, NULL)
                 : stria_svd_new(made, made + 1, made + 2, a, true, NULL);
    case 9:
        return v ? stria_eigh(v[0], v[1], a, false, NULL)
                 : stria_eigh_new(made, made + 1, a, false, NULL);
    case 10: return v ? stria_eig(v[0], v[1], a, NULL) : stria_eig_new(made, made + 1, a, NULL);
    case 11: return v ? stria_cond(v[0], a, NULL) : stria_cond_new(made, a, NULL);
    case 12:
        return v ? stria_matrix_rank(v[0], a, -1, NULL) : stria_matrix_rank_new(made, a, -1, NULL);
    case 13: return v ? stria_pinv(v[0], a, -1, NULL) : stria_pinv_new(made, a, -1, NULL);
    default:
        return v ? stria_lstsq(v[0], v[1], v[2], v[3], a, a, -1, NULL)
                 : stria_lstsq_new(made, made + 1, made + 2, made + 3, a, a, -1, NULL);
    }
}

/* Makes positive definite matrices, so that every function can do them. */
static stria_array definite(stria_kind kind)
{
    stria_array a = matrices(kind, false), product = {0};
    stria_view adjoint;
    ok(stria_matrix_adjoint(&adjoint, &a.view));
    ok(stria_matmul_new(&product, &a.view, &adjoint, NULL));
    stria_array_release(&a);
    return product;
}

/* Results in views whose dims are reversed and step back are those of new arrays. */
TEST(test_views)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        stria_array a = definite(kinds[k]);
        for (int f = 0; f < FUNCTIONS; f++) {
            stria_array made[MOST] = {{0}}, room[MOST] = {{0}};
            stria_view views[MOST];
            const stria_view *to[MOST] = {NULL};
            ok(call(f, NULL, made, &a.view));
            for (int i = 0; i < MOST && made[i].owned; i++) {
                int64_t shape[STRIA_MAX_NDIM];
                const int ndim = made[i].view.ndim;
                for (int d = 0; d < ndim; d++)
                    shape[d] = made[i].view.shape[ndim - 1 - d];
                ok(stria_zeros(&room[i], made[i].view.dtype, ndim, shape));
                ok(stria_reverse_dims(&views[i], &room[i].view));
                ok(stria_flip(&views[i], &views[i], 1, (int[]){0}));
                to[i] = &views[i];
            }
            ok(call(f, to, NULL, &a.view));
            for (int i = 0; i < MOST && made[i].owned; i++) {
                bool same = false;
                ok(stria_array_equal(&same, &made[i].view, &views[i], true, NULL));
                assert_true(same);
            }
            for (int i = 0; i < MOST; i++) {
                stria_array_release(&made[i]);
                stria_array_release(&room[i]);
            }
        }
        stria_array_release(&a);
    }
}

/* Views that do not fit leave all of them as they are; one may be the matrices themselves. */
TEST(test_bad_views)
{
    stria_array a = definite(STRIA_F64), q = {0}, r = {0}, zeros = {0}, inverse = {0};
    bool same = false;
    ok(stria_zeros(&q, a.view.dtype, 3, a.view.shape));
    ok(stria_zeros(&zeros, a.view.dtype, 3, a.view.shape));
    ok(stria_zeros(&r, a.view.dtype, 3, (int64_t[]){BATCH, SIDE, SIDE + 1}));
    assert_int_equal(stria_qr(&q.view, &r.view, &a.view, false, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_qr(&q.view, &q.view, &a.view, false, NULL), STRIA_ERR_OVERLAP);
    assert_non_null(strstr(stria_last_error(), "results 0 and 1"));
    assert_int_equal(stria_qr(&q.view, NULL, &a.view, false, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "out_r"));
    assert_int_equal(stria_svd(&q.view, NULL, NULL, &a.view, false, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_array_equal(&same, &q.view, &zeros.view, false, NULL));
    assert_true(same);
    ok(stria_inv_new(&inverse, &a.view, NULL));
    ok(stria_inv(&a.view, &a.view, NULL));
    ok(stria_array_equal(&same, &a.view, &inverse.view, false, NULL));
    assert_true(same);
    stria_array *const all[] = {&a, &q, &r, &zeros, &inverse};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stria_array_release(all[i]);
}

/* Each allocation is refused in turn: there are no results then, and nothing leaks. */
TEST(test_memory)
{
    stria_array a = definite(STRIA_C64);
    for (int f = 0; f < FUNCTIONS; f++) {
        stria_status status = STRIA_ERR_MEMORY;
        for (int64_t at = 1; status != STRIA_OK; at++) {
            stria_array made[MOST] = {{0}};
            counting_begin(at);
            status = call(f, NULL, made, &a.view);
            assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
            assert_true(status == STRIA_OK || !made[0].owned);
            for (int i = 0; i < MOST; i++)
                stria_array_release(&made[i]);
            assert_int_equal(allocation_counts.live, 0);
            counting_end();
        }
    }
    stria_array_release(&a);
}

/* Numbers that LAPACK does not take, a batch of many matrices without elements, too large ones. */
TEST(test_edges)
{
    static double x[9] = {1, 2, 3, 4, 0, 6, 7, 8, 9};
    static float endless[9] = {-3, -3, 2, INFINITY, -2, 0, -4, -2, -4};
    char text[300];
    stria_array made[MOST] = {{0}};
    stria_view a, none, one, wide;
    x[4] = NAN;
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_F64), 2, (int64_t[]){3, 3}, NULL, 0));
    assert_int_equal(stria_eig_new(&made[0], NULL, &a, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "not finite"));
    assert_int_equal(stria_svd_new(NULL, &made[0], NULL, &a, true, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_view_foreign(&a, endless, stria_dtype_of(STRIA_F32), 2, (int64_t[]){3, 3}, NULL, 0));
    refused(stria_svd_new(&made[0], &made[1], &made[2], &a, false, NULL), STRIA_ERR_ARGUMENT,
            "not finite, by columns (1)"); /* OpenBLAS never ends */
    ok(stria_view_foreign(&none, x, stria_dtype_of(STRIA_F64), 3,
                          (int64_t[]){INT64_C(1) << 40, 0, 0}, NULL, 0));
    ok(stria_inv_new(&made[0], &none, NULL));
    ok(stria_qr_new(&made[0], &made[1], &none, true, NULL));
    ok(stria_svd_new(&made[0], &made[1], &made[2], &none, true, NULL));
    ok(stria_lapack_describe(text, sizeof text, NULL));
    if (strstr(text, "32-bit")) {
        ok(stria_view_foreign(&one, x, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
        ok(stria_expand(&wide, &one, 2, (int64_t[]){70000, 70000}));
        assert_int_equal(stria_eigh_new(&made[0], &made[1], &wide, false, NULL),
                         STRIA_ERR_UNSUPPORTED);
        assert_non_null(strstr(stria_last_error(), "70000 x 70000"));
        assert_int_equal(stria_svd_new(&made[0], &made[1], &made[2], &wide, false, NULL),
                         STRIA_ERR_UNSUPPORTED);
    }
    for (int i = 0; i < MOST; i++)
        stria_array_release(&made[i]);
}

/* Matrices of 4 x 3 and one of lower rank: a pinv(a) a = a, and x that is nearest. */
TEST(test_least_squares)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        stria_array a = matrices(kinds[k], false), inverse = {0}, x = {0}, y = {0}, z = {0},
                    all[4] = {{0}};
        stria_view tall, first, second, b;
        double got = 0;
        int64_t rank = 0;
        ok(stria_narrow(&tall, &a.view, 2, 0, SIDE - 1));
        ok(stria_select(&first, &tall, 2, 0));
        ok(stria_select(&second, &tall, 2, 1));
        ok(stria_narrow(&first, &first, 0, BATCH - 1, 1));
        ok(stria_narrow(&second, &second, 0, BATCH - 1, 1));
        ok(stria_copy(&second, &first, NULL)); /* two columns of the last matrix are the same */
        ok(stria_pinv_new(&inverse, &tall, -1, NULL));
        ok(stria_matmul_new(&x, &tall, &inverse.view, NULL));
        ok(stria_matmul_new(&y, &x.view, &tall, NULL));
        assert_true(are_close(&y.view, &tall));
        ok(stria_matrix_rank_new(&z, &tall, -1, NULL));
        for (int64_t i = 0; i < BATCH; i++) {
            ok(stria_get_i64(&rank, &z.view, 1, &i));
            assert_int_equal(rank, i == BATCH - 1 ? SIDE - 2 : SIDE - 1);
        }
        ok(stria_cond_new(&z, &tall, NULL));
        ok(stria_get_f64(&got, &z.view, 1, (int64_t[]){BATCH - 1}));
        assert_true(got > 1e5);
        ok(stria_select(&b, &a.view, 0, 0));
        ok(stria_lstsq_new(&all[0], &all[1], &all[2], &all[3], &tall, &b, -1, NULL));
        ok(stria_matmul_new(&y, &inverse.view, &b, NULL));
        assert_true(are_close(&y.view, &all[0].view));
        ok(stria_get_f64(&got, &all[1].view, 2, (int64_t[]){0, 0}));
        assert_true(fabs(got) < 1e-4); /* b has the columns of the first matrix */
        ok(stria_get_f64(&got, &all[1].view, 2, (int64_t[]){1, SIDE - 1}));
        assert_true(got > 1e-3);
        assert_int_equal(
            stria_lstsq_new(&all[0], &all[1], &all[2], &all[3], &tall, &first, -1, NULL),
            STRIA_ERR_SHAPE);
        assert_int_equal(stria_lstsq_new(&all[0], NULL, &all[2], &all[3], &tall, &b, -1, NULL),
                         STRIA_ERR_ARGUMENT);
        ok(stria_narrow(&first, &a.view, 2, 0, 0));
        assert_int_equal(stria_cond_new(&z, &first, NULL), STRIA_ERR_SHAPE);
        ok(stria_pinv_new(&z, &first, -1, NULL));
        stria_array *const rest[] = {&a, &inverse, &x, &y, &z, &all[0], &all[1], &all[2], &all[3]};
        for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
            stria_array_release(rest[i]);
    }
}

/* Threads that divide a batch give the same, and tell of the first matrix that cannot be done. */
TEST(test_threads)
{
    enum { MANY = 3000, EACH = 8, BAD = 2000 };
    static const stria_exec one = {.threads = 1}, two = {.threads = 2};
    stria_array a = {0}, w[2] = {{0}, {0}}, v[2] = {{0}, {0}};
    ok(stria_empty(&a, stria_dtype_of(STRIA_F64), 3, (int64_t[]){MANY, EACH, EACH}));
    double *const x = (void *)a.view.data;
    for (int i = 0; i < MANY * EACH * EACH; i++)
        x[i] = sin(i) + (i % (EACH * EACH) % (EACH + 1) == 0 ? 4 : 0);
    for (int f = 0; f < 4; f++) {
        for (int i = 0; i < 2; i++) {
            const stria_exec *const exec = i ? &two : &one;
            ok(f == 0   ? stria_inv_new(&v[i], &a.view, exec)
               : f == 1 ? stria_eigh_new(&w[i], &v[i], &a.view, false, exec)
               : f == 2 ? stria_qr_new(&w[i], &v[i], &a.view, true, exec)
                        : stria_eig_new(&w[i], &v[i], &a.view, exec));
        }
        bool equal = false;
        ok(stria_array_equal(&equal, &v[0].view, &v[1].view, true, NULL));
        assert_true(equal);
    }
    for (int i = BAD; i < MANY; i += 300)
        for (int k = 0; k < EACH; k++)
            x[i * EACH * EACH + k] = 0;
    assert_int_equal(stria_inv_new(&v[0], &a.view, &two), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "inv: matrix (2000,) is singular"));
    stria_array_release(&a);
    for (int i = 0; i < 2; i++) {
        stria_array_release(&w[i]);
        stria_array_release(&v[i]);
    }
}

TEST(test_description)
{
    char text[8];
    size_t length = 0;
    ok(stria_lapack_describe(text, sizeof text, &length));
    assert_true(length > strlen(text));
    assert_int_equal(stria_lapack_describe(NULL, 0, NULL), STRIA_ERR_ARGUMENT);
}

/* Least squares check what they take before they compute. */
TEST(test_least_squares_refusals)
{
    stria_array a = matrices(STRIA_F64, false), made[4] = {{0}, {0}, {0}, {0}}, narrow = {0};
    stria_view meta, line;
    stria_buffer *nowhere = NULL;
    ok(stria_buffer_meta(&nowhere, SIDE * (int64_t)sizeof(double)));
    ok(stria_view_make(&meta, nowhere, stria_dtype_of(STRIA_F64), 2, (int64_t[]){SIDE, 1}, NULL,
                       0));
    ok(stria_zeros(&narrow, stria_dtype_of(STRIA_F16), 1, (int64_t[]){SIDE}));
#define LSTSQ(b, rtol)                                                                             \
    stria_lstsq_new(&made[0], &made[1], &made[2], &made[3], &a.view, b, rtol, NULL)
    refused(LSTSQ(&meta, -1), STRIA_ERR_UNSUPPORTED, "meta");
    refused(LSTSQ(&narrow.view, -1), STRIA_ERR_DTYPE, "f16");
    ok(stria_narrow(&line, &a.view, 0, 0, 2));
    refused(LSTSQ(&line, -1), STRIA_ERR_BROADCAST, "");
    refused(LSTSQ(&a.view, NAN), STRIA_ERR_ARGUMENT, "rtol is NaN");
    refused(stria_pinv_new(&made[0], &a.view, NAN, NULL), STRIA_ERR_ARGUMENT, "rtol is NaN");
    refused(stria_matrix_rank_new(&made[0], &a.view, NAN, NULL), STRIA_ERR_ARGUMENT, "NaN");
    for (int i = 0; i < 4; i++)
        assert_null(made[i].view.data);
    stria_buffer_release(nowhere);
    stria_array_release(&a);
    stria_array_release(&narrow);
}

/* Results do not depend on the mode of rounding of the caller. */
TEST(test_rounding_modes)
{
    stria_array a = matrices(STRIA_F64, false), made[2] = {{0}, {0}};
    const int64_t bytes = BATCH * (int64_t)sizeof(double);
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        const stria_status status = stria_cond_new(&made[i], &a.view, NULL);
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        ok(status);
    }
    assert_memory_equal(made[0].view.data, made[1].view.data, (size_t)bytes);
    stria_array_release(&a);
    stria_array_release(&made[0]);
    stria_array_release(&made[1]);
}

int main(void)
{
    char text[300];
    if (stria_lapack_describe(text, sizeof text, NULL) != STRIA_OK || !strcmp(text, "none")) {
        printf("there is no LAPACK\n");
        return 0;
    }
    return run_listed(__FILE__, NULL, NULL);
}
