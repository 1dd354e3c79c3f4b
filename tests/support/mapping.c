/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/mapping.h"

#include <string.h>

#include "support/any_view.h"
#include "support/cmocka.h"
#include "support/enumerate.h"

void check_mapping(const stria_view *out, const stria_view *a, int ndim, const int64_t *shape,
                   mapping *map, const void *args)
{
    bool empty = false;
    if (out->ndim != ndim) fail_msg("%s of %s has not %d dims", view_text(out), view_text(a), ndim);
    for (int d = 0; d < ndim; d++) {
        if (out->shape[d] != shape[d])
            fail_msg("%s of %s: size of dim %d is not %d", view_text(out), view_text(a), d,
                     (int)shape[d]);
        empty |= shape[d] == 0;
    }
    assert_ptr_equal(out->buffer, a->buffer);
    assert_true(stria_dtype_equal(out->dtype, a->dtype));
    assert_int_equal(out->flags, a->flags);
    if (empty) {
        assert_ptr_equal(out->data, a->data);
        return;
    }
    int64_t index[STRIA_MAX_NDIM] = {0};
    do {
        int64_t source[STRIA_MAX_NDIM] = {0};
        map(source, index, args);
        for (int d = 0; d < a->ndim; d++)
            assert_true(source[d] >= 0 && source[d] < a->shape[d]);
        if (address_at(out, index) != address_at(a, source))
            fail_msg("%s of %s: element (%d %d %d %d ...) lies %lld bytes off", view_text(out),
                     view_text(a), (int)index[0], (int)index[1], (int)index[2], (int)index[3],
                     (long long)(address_at(out, index) - address_at(a, source)));
    } while (next_index(index, ndim, out->shape));
}

void check_identical(const stria_view *a, const stria_view *b)
{
    assert_ptr_equal(a->data, b->data);
    assert_ptr_equal(a->buffer, b->buffer);
    assert_true(stria_dtype_equal(a->dtype, b->dtype));
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->ndim, b->ndim);
    assert_memory_equal(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape);
    assert_memory_equal(a->strides, b->strides, (size_t)a->ndim * sizeof *a->strides);
}

void scribble(stria_view *out)
{
    memset(out, 0xA5, sizeof *out);
}

void check_scribbled(const stria_view *out)
{
    stria_view fresh;
    scribble(&fresh);
    assert_memory_equal(out, &fresh, sizeof fresh);
}
