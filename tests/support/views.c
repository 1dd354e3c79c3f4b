/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/views.h"

#include "support/cmocka.h"

stria_view i32_view(int32_t *data, int ndim, const int64_t *shape, const int64_t *strides)
{
    stria_view v;
    assert_int_equal(
        stria_view_foreign(&v, data, stria_dtype_of(STRIA_I32), ndim, shape, strides, 0), STRIA_OK);
    return v;
}
