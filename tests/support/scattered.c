/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/scattered.h"

#include <string.h>

#include "stria/stria.h"
#include "support/cmocka.h"
#include "support/random.h"
#include "support/statuses.h"

stria_array scattered(uint64_t *seed, stria_dtype dtype, int ndim, const int64_t *shape,
                      bool written)
{
    stria_array out = {0};
    int64_t strides[STRIA_MAX_NDIM], span = dtype.itemsize, first = 0;
    int order[STRIA_MAX_NDIM];
    const bool plain = random_once(seed, 3);
    for (int d = 0; d < ndim; d++) {
        const int to = plain ? d : (int)random_between(seed, 0, d);
        for (int i = d; i > to; i--)
            order[i] = order[i - 1];
        order[to] = d;
    }
    for (int i = ndim - 1; i >= 0; i--) {
        const int d = order[i];
        const int64_t n = shape[d] > 1 ? shape[d] : 1;
        int64_t step = span;
        if (!plain && random_once(seed, 4)) step += dtype.itemsize * random_between(seed, 1, 3);
        if (!plain && !written && random_once(seed, 12)) step = 0;
        if (step) span = step * n;
        strides[d] = step;
        if (!plain && random_once(seed, 5)) {
            strides[d] = -step;
            first += step * (n - 1);
        }
    }
    if (!plain && random_once(seed, 5)) first += random_between(seed, 1, 7);
    ok(stria_buffer_make(&out.owned, span + first + 8));
    ok(stria_view_make(&out.view, out.owned, dtype, ndim, shape, strides, first));
    memset(stria_buffer_data(out.owned), 0, (size_t)stria_buffer_size(out.owned));
    if (!plain && stria_dtype_is_complex(dtype) && random_once(seed, 3))
        out.view.flags |= STRIA_CONJ;
    if (!plain && dtype.kind >= STRIA_F16 && random_once(seed, 4)) out.view.flags |= STRIA_NEG;
    return out;
}

void fill_whole(uint64_t *seed, const stria_view *a)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    if (stria_numel(a) == 0) return;
    do {
        double x[2] = {(double)random_between(seed, -2, 2), (double)random_between(seed, -1, 1)};
        stria_view item, value;
        const bool is_complex = stria_dtype_is_complex(a->dtype);
        ok(stria_view_foreign(&item, address(a, index), a->dtype, 0, NULL, NULL, 0));
        ok(stria_view_foreign(&value, x, stria_dtype_of(is_complex ? STRIA_C128 : STRIA_F64), 0,
                              NULL, NULL, STRIA_READONLY));
        if (!is_complex && a->dtype.kind < STRIA_F8E4M3 && x[0] < 0) x[0] += 5;
        ok(stria_copy(&item, &value, NULL));
    } while (next(index, a));
}

stria_array whole(uint64_t *seed, stria_kind kind, int ndim, const int64_t *shape)
{
    stria_array out = {0};
    ok(stria_empty(&out, stria_dtype_of(kind), ndim, shape));
    fill_whole(seed, &out.view);
    return out;
}

bool same_elements(const stria_view *a, const stria_view *b)
{
    bool same;
    ok(stria_array_equal(&same, a, b, true, NULL));
    return same;
}
