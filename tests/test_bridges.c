/* SPDX-License-Identifier: BSD-3-Clause */
/* Views as matrices of a BLAS, and the headers for FFTW and LAPACK against their definitions. */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/random.h"
#include "support/test.h"

TEST(test_blas_matrix)
{
    static float memory[64];
    static double _Complex pairs[16];
    stria_blas_matrix m;
    stria_view rows = OF(memory, F32, 3, 4), turned, part;
    ok(stria_as_blas_matrix(&m, &rows));
    assert_true(m.trans == 'T' && m.ld == 4 && m.rows == 3 && m.columns == 4 && !m.why);
    ok(stria_reverse_dims(&turned, &rows));
    ok(stria_as_blas_matrix(&m, &turned));
    assert_true(m.trans == 'N' && m.ld == 4 && m.rows == 4 && m.columns == 3);
    ok(stria_slice(&part, &rows, 1, 0, 2, 1));
    ok(stria_as_blas_matrix(&m, &part));
    assert_true(m.trans == 'T' && m.ld == 4 && m.columns == 2);
    ok(stria_slice(&part, &rows, 1, STRIA_NONE, STRIA_NONE, 2));
    ok(stria_as_blas_matrix(&m, &part));
    assert_true(!m.trans && strstr(m.why, "dense") && m.order == STRIA_ORDER_C);
    ok(stria_slice(&part, &rows, 0, STRIA_NONE, STRIA_NONE, -1));
    ok(stria_as_blas_matrix(&m, &part));
    assert_true(!m.trans && strstr(m.why, "backwards"));
    ok(stria_slice(&part, &rows, 0, 0, 1, 1));
    ok(stria_as_blas_matrix(&m, &part));
    assert_true(m.trans == 'T' && m.ld == 4 && m.rows == 1);
    stria_view complex_rows = OF(pairs, C128, 4, 4), conjugated;
    ok(stria_conj(&conjugated, &complex_rows));
    ok(stria_as_blas_matrix(&m, &conjugated));
    assert_true(m.trans == 'C');
    ok(stria_reverse_dims(&conjugated, &conjugated));
    ok(stria_as_blas_matrix(&m, &conjugated));
    assert_true(!m.trans && strstr(m.why, "conjugated"));
    stria_array copy = {0};
    ok(stria_clone_ordered_new(&copy, &conjugated, m.order, NULL));
    ok(stria_as_blas_matrix(&m, &copy.view));
    assert_true(m.trans == 'N');
    stria_array_release(&copy);
    stria_view whole = OF(memory, I32, 3, 4), deep = OF(memory, F32, 2, 3, 4);
    assert_int_equal(stria_as_blas_matrix(&m, &whole), STRIA_ERR_DTYPE);
    assert_int_equal(stria_as_blas_matrix(&m, &deep), STRIA_ERR_SHAPE);
}

#if defined STRIA_HAVE_LAPACKE || defined STRIA_HAVE_FFTW
/* Makes random numbers, every second element of a larger array, transposed. */
static stria_array numbers(uint64_t *seed, stria_kind kind, int64_t count, int64_t rows,
                           int64_t columns)
{
    stria_array out = {0}, real = {0};
    ok(stria_empty(&out, stria_dtype_of(kind), 3, (int64_t[]){count, columns, 2 * rows}));
    ok(stria_empty(&real, stria_dtype_of(STRIA_C128), 3, out.view.shape));
    for (int64_t i = 0; i < 2 * stria_numel(&real.view); i++)
        ((double *)(void *)real.view.data)[i] = ldexp((double)(int64_t)random_bits(seed), -63);
    ok(stria_copy(&out.view, &real.view, NULL));
    stria_array_release(&real);
    ok(stria_slice(&out.view, &out.view, 2, STRIA_NONE, STRIA_NONE, 2));
    ok(stria_matrix_transpose(&out.view, &out.view));
    return out;
}

/* Returns how far the product a b (b^H if `adjoint`) is from the wanted one, at most. */
static double distance(const stria_view *a, const stria_view *b, bool adjoint,
                       const stria_view *wanted)
{
    stria_array product = {0}, largest = {0}, difference = {0};
    stria_view turned = *b;
    double most;
    if (adjoint) {
        ok(stria_matrix_transpose(&turned, b));
        ok(stria_conj(&turned, &turned));
    }
    ok(stria_matmul_new(&product, a, &turned, NULL));
    const stria_view *const both[] = {&product.view, wanted}, *const one[] = {&difference.view};
    ok(stria_elementwise_new(&difference, STRIA_SUBTRACT, 2, both, NULL));
    ok(stria_elementwise_new(&difference, STRIA_ABS, 1, one, NULL));
    ok(stria_reduce_dims_new(&largest, STRIA_MAX, &difference.view, STRIA_ALL_DIMS, NULL, NULL,
                             NULL));
    const stria_view to = of(&most, STRIA_F64, 0, NULL);
    ok(stria_copy(&to, &largest.view, NULL));
    stria_array_release(&product);
    stria_array_release(&largest);
    stria_array_release(&difference);
    return most;
}
#endif

#ifdef STRIA_HAVE_LAPACKE
#include "stria/stria_lapack.h"

/* Scales the columns of a copy of u by real numbers. */
static stria_array scaled(const stria_view *u, const stria_view *by)
{
    stria_array out = {0};
    stria_view row;
    ok(stria_unsqueeze(&row, by, -2));
    const stria_view *const both[] = {u, &row};
    ok(stria_elementwise_new(&out, STRIA_MULTIPLY, 2, both, NULL));
    return out;
}

TEST(test_lapack)
{
    uint64_t seed = 3;
    for (int kind = STRIA_F32; kind <= STRIA_C128; kind++) {
        const double close = kind == STRIA_F32 || kind == STRIA_C64 ? 1e-4 : 1e-12;
        const stria_kind k = (stria_kind)kind;
        stria_array a = numbers(&seed, k, 3, 5, 5), b = numbers(&seed, k, 3, 5, 2), x = {0},
                    tall = numbers(&seed, k, 3, 7, 4), q = {0}, r = {0}, hermitian = {0}, l = {0},
                    w = {0}, v = {0}, u = {0}, s = {0}, vh = {0}, product = {0}, pivots = {0};
        stria_view turned;
        lapack_int info = 7;
        ok(stria_lapack_solve(&x, &a.view, &b.view, &info));
        assert_int_equal(info, 0);
        assert_true(distance(&a.view, &x.view, false, &b.view) < 10 * close);
        ok(stria_lapack_qr(&q, &r, &tall.view));
        assert_true(distance(&q.view, &r.view, false, &tall.view) < close);
        ok(stria_matrix_transpose(&turned, &tall.view));
        ok(stria_lapack_qr(&q, &r, &turned));
        assert_true(distance(&q.view, &r.view, false, &turned) < close);
        ok(stria_conj(&turned, &turned));
        ok(stria_matmul_new(&hermitian, &turned, &tall.view, NULL));
        ok(stria_lapack_cholesky(&l, &hermitian.view, NULL));
        assert_true(distance(&l.view, &l.view, true, &hermitian.view) < close);
        ok(stria_lapack_eigh(&w, &v, &hermitian.view, &info));
        product = scaled(&v.view, &w.view);
        assert_true(distance(&product.view, &v.view, true, &hermitian.view) < close);
        ok(stria_lapack_svd(&u, &s, &vh, &tall.view, &info));
        stria_array_release(&product);
        product = scaled(&u.view, &s.view);
        assert_true(distance(&product.view, &vh.view, false, &tall.view) < close);
        ok(stria_lapack_lu(&u, &pivots, &tall.view));
        assert_int_equal(pivots.view.shape[1], 4);
        (void)stria_fail(STRIA_ERR_IO, "another failure");
        assert_int_equal(stria_lapack_solve(&x, &tall.view, &b.view, NULL), STRIA_ERR_SHAPE);
        assert_non_null(strstr(stria_last_error(), "lapack: a is not square"));
        stria_array *const all[] = {&a, &b, &x, &tall, &q,  &r,       &hermitian, &l,
                                    &w, &v, &u, &s,    &vh, &product, &pivots};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            stria_array_release(all[i]);
    }
    /* A singular matrix is refused, and the output stays as it was. */
    stria_array zero = {0}, x = {0};
    lapack_int info = 0;
    ok(stria_zeros(&zero, stria_dtype_of(STRIA_F64), 2, (int64_t[]){3, 3}));
    assert_int_equal(stria_lapack_solve(&x, &zero.view, &zero.view, &info), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "info is"));
    assert_true(info == 1 && !x.owned);
    stria_array_release(&zero);
}
#else
TEST(test_lapack)
{
    print_message("no LAPACKE (liblapacke-dev): its header is not tested\n");
    skip();
}
#endif

#ifdef STRIA_HAVE_FFTW
#include "stria/stria_fftw.h"
#include "support/by_value.h"

/* Returns the matrix of a Fourier transform of n numbers. */
static stria_array transform(int n, int sign)
{
    stria_array out = {0};
    ok(stria_empty(&out, stria_dtype_of(STRIA_C128), 2, (int64_t[]){n, n}));
    double *const at = (double *)(void *)out.view.data;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double angle = sign * 2 * 3.14159265358979323846 * i * j / n;
            at[2 * (i * n + j)] = cos(angle);
            at[2 * (i * n + j) + 1] = sin(angle);
        }
    return out;
}

static void run_fft(const stria_view *out, const stria_view *in, int dim, int sign)
{
    fftw_plan plan;
    ok(stria_fftw_plan(&plan, out, in, 1, &dim, sign, FFTW_ESTIMATE));
    fftw_execute(plan);
    fftw_destroy_plan(plan);
}

TEST(test_fftw)
{
    uint64_t seed = 4;
    stria_array a = numbers(&seed, STRIA_C128, 2, 6, 5), out = numbers(&seed, STRIA_C128, 2, 6, 5),
                f = transform(5, -1), real = numbers(&seed, STRIA_F64, 2, 6, 5),
                half = numbers(&seed, STRIA_C128, 2, 6, 3),
                back = numbers(&seed, STRIA_F64, 2, 6, 5);
    stria_view part, few;
    fftw_plan plan;
    run_fft(&out.view, &a.view, -1, FFTW_FORWARD);
    assert_true(distance(&a.view, &f.view, false, &out.view) < 1e-12);
    run_fft(&half.view, &real.view, 2, FFTW_FORWARD);
    ok(stria_slice(&few, &f.view, 1, 0, 3, 1));
    assert_true(distance(&real.view, &few, false, &half.view) < 1e-12);
    run_fft(&back.view, &half.view, 2, FFTW_BACKWARD);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 6; j++)
            for (int64_t k = 0; k < 5; k++) {
                const int64_t index[] = {i, j, k};
                const double x = *(double *)(void *)address(&back.view, index),
                             y = *(double *)(void *)address(&real.view, index);
                assert_true(fabs(x - 5 * y) < 1e-12);
            }
    ok(stria_conj(&part, &a.view));
    assert_int_equal(stria_fftw_plan(&plan, &out.view, &part, 1, (int[]){0}, -1, FFTW_ESTIMATE),
                     STRIA_ERR_DTYPE);
    assert_int_equal(stria_fftw_plan(&plan, &out.view, &a.view, 1, (int[]){3}, -1, FFTW_ESTIMATE),
                     STRIA_ERR_DIM);
    assert_non_null(strstr(stria_last_error(), "fftw: dim 3 of 3"));
    assert_int_equal(
        stria_fftw_plan(&plan, &out.view, &real.view, 1, (int[]){2}, -1, FFTW_ESTIMATE),
        STRIA_ERR_SHAPE);
    part = readonly_of(&out.view);
    assert_int_equal(stria_fftw_plan(&plan, &part, &a.view, 1, (int[]){0}, -1, FFTW_ESTIMATE),
                     STRIA_ERR_READONLY);
    stria_array *const all[] = {&a, &out, &f, &real, &half, &back};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stria_array_release(all[i]);
}
#else
TEST(test_fftw)
{
    print_message("no FFTW (libfftw3-dev): its header is not tested\n");
    skip();
}
#endif

TEST_MAIN(NULL, NULL)
