/* SPDX-License-Identifier: BSD-3-Clause */
/* Small arrays: their size, views like those of stria_empty, references and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "stria/stria.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static void sized_by_their_dims(void **state)
{
    (void)state;
    static const int64_t shape[STRIA_MAX_NDIM] = {2, 2};
    stria_small *a;
    assert_int_equal(stria_small_new(&a, stria_dtype_of(STRIA_F64), 2, shape), STRIA_OK);
    assert_true(stria_small_bytes(a) - 2 * 2 * 8 <= 128);
    stria_small_release(a);
    for (int n = 3; n <= STRIA_MAX_NDIM; n += 61) { /* no elements beyond two dims: sizes of 0 */
        assert_int_equal(stria_small_new(&a, stria_dtype_of(STRIA_F64), n, shape), STRIA_OK);
        assert_true(stria_small_bytes(a) <= 112 + 8 * n + 16);
        stria_small_release(a);
    }
    assert_int_equal(stria_small_bytes(NULL), 0);
}

static void views_are_those_of_arrays(void **state)
{
    (void)state;
    static const int64_t shapes[][4] = {{2, 3, 4, 5}, {1, 7, 1, 2}, {0, 3, 2, 2}, {3, 0, 0, 2}};
    for (int i = 0; i < COUNT(shapes); i++)
        for (int n = 0; n <= 4; n++) {
            stria_small *a;
            stria_array b = {0};
            stria_view v;
            const stria_dtype dtype = stria_dtype_swap(stria_dtype_of(STRIA_I32));
            assert_int_equal(stria_small_new(&a, dtype, n, shapes[i]), STRIA_OK);
            assert_int_equal(stria_zeros(&b, dtype, n, shapes[i]), STRIA_OK);
            assert_int_equal(stria_small_view(&v, a), STRIA_OK);
            assert_int_equal(v.ndim, n);
            assert_true(stria_dtype_equal(v.dtype, dtype));
            assert_memory_equal(v.shape, b.view.shape, (size_t)n * 8);
            assert_memory_equal(v.strides, b.view.strides, (size_t)n * 8);
            assert_int_equal((uintptr_t)v.data % 16, 0);
            assert_int_equal(stria_retained_bytes(&v), stria_nbytes(&v));
            assert_true(stria_is_writable(&v));
            assert_int_equal(stria_copy(&v, &b.view), STRIA_OK);
            stria_small_release(a);
            stria_array_release(&b);
        }
}

static void references(void **state)
{
    (void)state;
    static const int64_t shape[] = {3};
    const stria_field field = {.name = "x", .dtype = stria_dtype_of(STRIA_F32)};
    stria_dtype record;
    stria_small *a;
    stria_view v;
    double x = 0;
    assert_int_equal(stria_small_new(&a, stria_dtype_of(STRIA_F64), 1, shape), STRIA_OK);
    assert_int_equal(stria_small_view(&v, a), STRIA_OK);
    assert_int_equal(stria_set_f64(&v, 1, (const int64_t[]){2}, 5), STRIA_OK);
    stria_array shared = stria_array_share(&v); /* lives longer than the owner */
    assert_ptr_equal(stria_small_retain(a), a);
    stria_small_release(a);
    stria_small_release(a);
    assert_int_equal(stria_get_f64(&x, &shared.view, 1, (const int64_t[]){2}), STRIA_OK);
    assert_true(x == 5);
    stria_array_release(&shared);
    assert_int_equal(stria_record_new(&record, 1, &field, 0, false), STRIA_OK);
    assert_int_equal(stria_small_new(&a, record, 1, shape), STRIA_OK);
    stria_dtype_release(record); /* the array keeps a reference */
    assert_int_equal(stria_small_view(&v, a), STRIA_OK);
    assert_int_equal(stria_view_field(&v, &v, "x"), STRIA_OK);
    stria_small_release(a);
    assert_null(stria_small_retain(NULL));
    stria_small_release(NULL);
}

static void refusals(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, -1}, large[] = {INT64_MAX / 8, 1};
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    stria_small *a = NULL;
    stria_view v;
    assert_int_equal(stria_small_new(NULL, f64, 1, shape), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_small_new(&a, f64, 2, shape), STRIA_ERR_SHAPE);
    assert_int_equal(stria_small_new(&a, f64, 65, shape), STRIA_ERR_SHAPE);
    assert_int_equal(stria_small_new(&a, (stria_dtype){.kind = 200}, 1, shape), STRIA_ERR_DTYPE);
    assert_int_equal(stria_small_new(&a, f64, 2, large), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_small_view(&v, NULL), STRIA_ERR_ARGUMENT);
    assert_null(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sized_by_their_dims),
        cmocka_unit_test(views_are_those_of_arrays),
        cmocka_unit_test(references),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
