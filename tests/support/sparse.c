/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sparse.h"

#include <string.h>

#include "stria/stria.h"
#include "support/cmocka.h"

stria_view view_of(void *data, stria_kind kind, int ndim, const int64_t *shape)
{
    stria_view v;
    assert_int_equal(stria_view_foreign(&v, data, stria_dtype_of(kind), ndim, shape, NULL, 0),
                     STRIA_OK);
    return v;
}

stria_view list_of(int64_t *data, int64_t n)
{
    return view_of(data, STRIA_I64, 1, &n);
}

stria_view floats_of(float *data, int64_t n)
{
    return view_of(data, STRIA_F32, 1, &n);
}

static void assert_items(const stria_view *a, int64_t n, const void *expected, size_t size)
{
    stria_array dense = {0};
    assert_int_equal(stria_clone_new(&dense, a, NULL), STRIA_OK);
    assert_int_equal(stria_numel(a), n);
    assert_memory_equal(dense.view.data, expected, (size_t)n * size);
    stria_array_release(&dense);
}

void assert_i64(const stria_view *a, int64_t n, const int64_t *expected)
{
    assert_items(a, n, expected, sizeof *expected);
}

void assert_f32(const stria_view *a, int64_t n, const float *expected)
{
    assert_items(a, n, expected, sizeof *expected);
}

int64_t places[2][4] = {{0, 1, 1, 0}, {2, 0, 2, 2}};

stria_coo example(float *values)
{
    stria_coo a = {0};
    const stria_view indices = view_of(places, STRIA_I64, 2, (int64_t[]){2, 4});
    const stria_view v = floats_of(values, 4);
    assert_int_equal(stria_coo_make(&a, &indices, &v, 2, (int64_t[]){2, 3}, 0, NULL), STRIA_OK);
    return a;
}
