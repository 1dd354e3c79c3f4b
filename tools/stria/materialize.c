/* SPDX-License-Identifier: BSD-3-Clause */
#include "materialize.h"

bool materialization_plan(struct materialization *out, const stria_view *a)
{
    *out = (struct materialization){0};
    if (stria_buffer_meta(&out->target.owned, stria_nbytes(a)) != STRIA_OK) return false;
    if (stria_view_make(&out->target.view, out->target.owned, a->dtype, a->ndim, a->shape, NULL,
                        0) == STRIA_OK &&
        stria_copy_plan_make(&out->plan, &out->target.view, a, NULL) == STRIA_OK)
        return true;
    stria_buffer_release(out->target.owned);
    return false;
}

void materialization_end(struct materialization *m)
{
    stria_array_release(&m->target);
}
