/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/order/match.h"

#include "array.h"
#include "stria/copy.h"
#include "stria/join.h"
#include "stria/sort.h"

stria_status stria__match(stria_array *out, const stria_view *a, const stria_view *b,
                          bool equal_nan)
{
    OWNED_ARRAY(first);
    OWNED_ARRAY(second);
    OWNED_ARRAY(joined);
    OWNED_ARRAY(values);
    const int64_t n = stria_numel(a), m = stria_numel(b);
    STRIA_TRY(stria_reshape(&first, a, 1, &n, STRIA_COPY_IF_NEEDED, NULL));
    STRIA_TRY(stria_reshape(&second, b, 1, &m, STRIA_COPY_IF_NEEDED, NULL));
    STRIA_TRY(stria_cat_as(&joined, 2, (const stria_view *[]){&first.view, &second.view}, 0, NULL,
                           STRIA_PROMOTE_NUMPY));
    return stria_unique(&values, NULL, out, NULL, &joined.view, equal_nan);
}
