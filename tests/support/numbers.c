/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/numbers.h"

#include "stria/stria.h"
#include "support/cmocka.h"
#include "support/statuses.h"

stria_array numbers(int ndim, const int64_t *shape, stria_kind kind)
{
    stria_array out = {0};
    const stria_dtype dtype = stria_dtype_of(kind);
    ok(stria_empty(&out, dtype, ndim, shape));
    for (int64_t i = 0; i < stria_numel(&out.view); i++) {
        stria_view flat;
        ok(stria_view_shape(&flat, &out.view, 1, (const int64_t[]){-1}));
        ok(stria_set_f64(&flat, 1, &i, (double)i + 1));
    }
    return out;
}

double item(const stria_view *a, int ndim, const int64_t *index)
{
    double value = 0;
    ok(stria_get_f64(&value, a, ndim, index));
    return value;
}
