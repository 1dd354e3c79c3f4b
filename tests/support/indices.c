/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/indices.h"

#include <string.h>

#include "stria/axes.h"
#include "stria/window.h"
#include "support/cmocka.h"

char *address(const stria_view *v, const int64_t *index)
{
    char *p = v->data;
    for (int d = 0; d < v->ndim; d++)
        p += index[d] * v->strides[d];
    return p;
}

int32_t at(const stria_view *v, const int64_t *index)
{
    int32_t value;
    memcpy(&value, address(v, index), sizeof value);
    return value;
}

bool next(int64_t *index, const stria_view *v)
{
    for (int d = v->ndim - 1; d >= 0; d--) {
        if (++index[d] < v->shape[d]) return true;
        index[d] = 0;
    }
    return false;
}

stria_array counting(int32_t first, int ndim, const int64_t *shape)
{
    int64_t reversed[4];
    for (int d = 0; d < ndim; d++)
        reversed[d] = shape[ndim - 1 - d];
    stria_array a = {0};
    assert_int_equal(stria_empty(&a, stria_dtype_of(STRIA_I32), ndim, reversed), STRIA_OK);
    for (int64_t i = 0; i < stria_numel(&a.view); i++)
        memcpy(a.view.data + 4 * i, &(int32_t){first + (int32_t)i}, 4);
    assert_int_equal(stria_reverse_dims(&a.view, &a.view), STRIA_OK);
    return a;
}

stria_array awkward(int32_t first, int ndim, const int64_t *shape)
{
    stria_array a = counting(first, ndim, shape);
    const int last = -1;
    assert_int_equal(stria_flip(&a.view, &a.view, ndim > 0, &last), STRIA_OK);
    return a;
}

stria_view of(void *data, stria_kind kind, int ndim, const int64_t *shape)
{
    stria_view v;
    assert_int_equal(stria_view_foreign(&v, data, stria_dtype_of(kind), ndim, shape, NULL, 0),
                     STRIA_OK);
    return v;
}

void assert_shape(const stria_array *a, int ndim, const int64_t *shape)
{
    assert_int_equal(a->view.ndim, ndim);
    assert_memory_equal(a->view.shape, shape, (size_t)ndim * sizeof *shape);
}

void assert_dense_shape(const stria_array *a, int ndim, const int64_t *shape)
{
    assert_shape(a, ndim, shape);
    assert_true(stria_is_contiguous(&a->view, STRIA_ORDER_C));
}
