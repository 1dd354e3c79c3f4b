/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/order/match.h"

#include "array.h"
#include "stria/copy.h"
#include "stria/join.h"
#include "stria/sort.h"

stria_status stria__match(stria_array *out, const stria_view *a, const stria_view *b,
                          bool equal_nan)
{
    stria_array lines[2], joined, values;
    const stria_view *const from[] = {a, b};
    stria_status status = STRIA_OK;
    array_none(&lines[0]);
    array_none(&lines[1]);
    array_none(&joined);
    array_none(&values);
    for (int i = 0; i < 2 && status == STRIA_OK; i++) {
        const int64_t n = stria_numel(from[i]);
        status = stria_reshape(&lines[i], from[i], 1, &n, STRIA_COPY_IF_NEEDED, NULL);
    }
    if (status == STRIA_OK)
        status = stria_cat_as(&joined, 2, (const stria_view *[]){&lines[0].view, &lines[1].view}, 0,
                              NULL, STRIA_PROMOTE_NUMPY);
    if (status == STRIA_OK)
        status = stria_unique(&values, NULL, out, NULL, &joined.view, equal_nan);
    stria_array_release(&values);
    stria_array_release(&joined);
    stria_array_release(&lines[0]);
    stria_array_release(&lines[1]);
    return status;
}
