/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorizations by C: products give the matrices again, what is refused, and memory. NumPy's
 * results are compared in the tests of the Python package. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stria/linalg.h"
#include "stria/stria.h"

#define OK(call) assert_int_equal(call, STRIA_OK)

enum { BATCH = 3, SIDE = 4 };

/* Makes well-conditioned matrices, of which the last is singular if asked for. */
static stria_array matrices(stria_kind kind, bool singular)
{
    stria_array wide = {0}, made = {0};
    OK(stria_zeros(&wide, stria_dtype_of(STRIA_F64), 3, (int64_t[]){BATCH, SIDE, SIDE}));
    double *const x = (void *)wide.view.data;
    for (int i = 0; i < BATCH * SIDE * SIDE; i++)
        x[i] = sin(i) + (i % (SIDE * SIDE) % (SIDE + 1) == 0 ? 4 : 0);
    if (singular)
        for (int i = 0; i < SIDE; i++)
            x[(BATCH - 1) * SIDE * SIDE + i] = 0;
    OK(stria_empty(&made, stria_dtype_of(kind), 3, wide.view.shape));
    OK(stria_copy_cast(&made.view, &wide.view, STRIA_CAST_SAME_KIND, NULL));
    stria_array_release(&wide);
    return made;
}

static bool are_close(const stria_view *a, const stria_view *b)
{
    bool close = false;
    OK(stria_allclose(&close, a, b, &(stria_tolerance){.rtol = 1e-4, .atol = 1e-4}, NULL));
    return close;
}

static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_C64, STRIA_C128};

static void test_products(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        stria_array a = matrices(kinds[k], false), x = {0}, y = {0}, z = {0}, s = {0}, u = {0},
                    vh = {0}, spread = {0};
        stria_view transposed, row;
        OK(stria_solve_new(&x, &a.view, &a.view, NULL));
        OK(stria_matmul_new(&y, &a.view, &x.view, NULL));
        assert_true(are_close(&y.view, &a.view));
        OK(stria_inv_new(&x, &a.view, NULL));
        OK(stria_matmul_new(&y, &a.view, &x.view, NULL));
        OK(stria_matmul_new(&z, &y.view, &a.view, NULL));
        assert_true(are_close(&z.view, &a.view));
        OK(stria_matrix_transpose(&transposed, &a.view));
        OK(stria_qr_new(&x, &y, &transposed, false, NULL));
        OK(stria_matmul_new(&z, &x.view, &y.view, NULL));
        assert_true(are_close(&z.view, &transposed));
        OK(stria_svd_new(&u, &s, &vh, &a.view, true, NULL));
        OK(stria_unsqueeze(&row, &s.view, 1));
        OK(stria_multiply_new(&spread, &u.view, &row, NULL));
        OK(stria_matmul_new(&z, &spread.view, &vh.view, NULL));
        assert_true(are_close(&z.view, &a.view));
        OK(stria_matrix_adjoint(&transposed, &a.view));
        OK(stria_matmul_new(&x, &a.view, &transposed, NULL));
        OK(stria_cholesky_new(&y, &x.view, false, NULL));
        OK(stria_matrix_adjoint(&transposed, &y.view));
        OK(stria_matmul_new(&z, &y.view, &transposed, NULL));
        assert_true(are_close(&z.view, &x.view));
        OK(stria_eigh_new(&s, NULL, &x.view, false, NULL));
        stria_array *const all[] = {&a, &x, &y, &z, &s, &u, &vh, &spread};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            stria_array_release(all[i]);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    stria_array a = matrices(STRIA_F64, true), out = {0}, more = {0};
    stria_view cut;
    assert_int_equal(stria_inv_new(&out, &a.view, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "inv: matrix (2,) is singular"));
    assert_int_equal(stria_cholesky_new(&out, &a.view, false, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "is not positive definite"));
    assert_null(out.owned);
    OK(stria_det_new(&out, &a.view, NULL));
    assert_true(((double *)(void *)out.view.data)[2] == 0);
    OK(stria_narrow(&cut, &a.view, 2, 0, 2));
    assert_int_equal(stria_det_new(&out, &cut, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_solve_new(&out, &a.view, &cut, &(stria_exec){.threads = -1}),
                     STRIA_ERR_ARGUMENT);
    OK(stria_narrow(&cut, &a.view, 1, 0, 2));
    assert_int_equal(stria_solve_new(&out, &a.view, &cut, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_inv_new(NULL, &a.view, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_inv_new(&out, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_svd_new(&out, &more, NULL, &a.view, true, NULL), STRIA_ERR_ARGUMENT);
    stria_array_release(&a);
    stria_array_release(&out);
    stria_array_release(&more);
}

static void test_description(void **state)
{
    (void)state;
    char text[8];
    size_t length = 0;
    OK(stria_lapack_describe(text, sizeof text, &length));
    assert_true(length > strlen(text));
    assert_int_equal(stria_lapack_describe(NULL, 0, NULL), STRIA_ERR_ARGUMENT);
}

int main(void)
{
    char text[300];
    if (stria_lapack_describe(text, sizeof text, NULL) != STRIA_OK || !strcmp(text, "none")) {
        printf("there is no LAPACK\n");
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_description)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
