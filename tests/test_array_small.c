/* SPDX-License-Identifier: BSD-3-Clause */
/* Small arrays: their size, views like those of stria_empty, references and refusals. */
#include <string.h>

#include "stria/stria.h"
#include "support/by_value.h"
#include "support/test.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

TEST(sized_by_their_dims)
{
    static const int64_t shape[STRIA_MAX_NDIM] = {2, 2};
    stria_small *a;
    ok(stria_small_make(&a, stria_dtype_of(STRIA_F64), 2, shape));
    assert_true(stria_small_bytes(a) - 2 * 2 * 8 <= 128);
    stria_small_release(a);
    for (int n = 3; n <= STRIA_MAX_NDIM; n += 61) { /* no elements beyond two dims: sizes of 0 */
        ok(stria_small_make(&a, stria_dtype_of(STRIA_F64), n, shape));
        assert_true(stria_small_bytes(a) <= 112 + 8 * n + 16);
        stria_small_release(a);
    }
    assert_int_equal(stria_small_bytes(NULL), 0);
}

TEST(views_are_those_of_arrays)
{
    static const int64_t shapes[][4] = {{2, 3, 4, 5}, {1, 7, 1, 2}, {0, 3, 2, 2}, {3, 0, 0, 2}};
    for (int i = 0; i < COUNT(shapes); i++)
        for (int n = 0; n <= 4; n++) {
            stria_small *a;
            RELEASED stria_array b = {0};
            stria_view v;
            const stria_dtype dtype = stria_dtype_swap(stria_dtype_of(STRIA_I32));
            ok(stria_small_make(&a, dtype, n, shapes[i]));
            ok(stria_zeros(&b, dtype, n, shapes[i]));
            ok(stria_small_view(&v, a));
            assert_int_equal(v.ndim, n);
            assert_true(stria_dtype_equal(v.dtype, dtype));
            assert_memory_equal(v.shape, b.view.shape, (size_t)n * 8);
            assert_memory_equal(v.strides, b.view.strides, (size_t)n * 8);
            assert_int_equal((uintptr_t)v.data % 16, 0);
            assert_int_equal(stria_retained_bytes(&v), stria_nbytes(&v));
            assert_true(stria_is_writable(&v));
            ok(stria_copy(&v, &b.view, NULL));
            stria_small_release(a);
        }
}

TEST(references)
{
    static const int64_t shape[] = {3};
    const stria_field field = {.name = "x", .dtype = stria_dtype_of(STRIA_F32)};
    stria_dtype record;
    stria_small *a;
    stria_view v;
    double x = 0;
    ok(stria_small_make(&a, stria_dtype_of(STRIA_F64), 1, shape));
    ok(stria_small_view(&v, a));
    ok(stria_set_f64(&v, 1, (const int64_t[]){2}, 5));
    stria_array shared = shared_of(&v); /* outlives the owner */
    assert_ptr_equal(stria_small_retain(a), a);
    stria_small_release(a);
    stria_small_release(a);
    ok(stria_get_f64(&x, &shared.view, 1, (const int64_t[]){2}));
    assert_true(x == 5);
    stria_array_release(&shared);
    ok(stria_record_make(&record, 1, &field, 0, false));
    ok(stria_small_make(&a, record, 1, shape));
    stria_dtype_release(record); /* which the array keeps */
    ok(stria_small_view(&v, a));
    ok(stria_view_field(&v, &v, "x"));
    stria_small_release(a);
    assert_null(stria_small_retain(NULL));
    stria_small_release(NULL);
}

TEST(refusals)
{
    static const int64_t shape[] = {2, -1}, large[] = {INT64_MAX / 8, 1};
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    stria_small *a = NULL;
    stria_view v;
    assert_int_equal(stria_small_make(NULL, f64, 1, shape), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_small_make(&a, f64, 2, shape), STRIA_ERR_SHAPE);
    assert_int_equal(stria_small_make(&a, f64, 65, shape), STRIA_ERR_SHAPE);
    assert_int_equal(stria_small_make(&a, (stria_dtype){.kind = 200}, 1, shape), STRIA_ERR_DTYPE);
    assert_int_equal(stria_small_make(&a, f64, 2, large), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_small_view(&v, NULL), STRIA_ERR_ARGUMENT);
    assert_null(a);
}

TEST_MAIN(NULL, NULL)
