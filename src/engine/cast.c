/* SPDX-License-Identifier: BSD-3-Clause */
/* From a plan and a conversion to a call. */
#include "cast.h"

#include <string.h>

#include "call.h"
#include "plan.h"

/* Elements of several parts, as the characters of a string are, get a dim of their own. */
static void copy_plan(stria_plan *out, const stria_plan *plan, const struct conversion *how)
{
    const int parts = how->parts > 1;
    out->nops = 2;
    out->ndim = plan->ndim + parts;
    memcpy(out->ptr, plan->ptr, 2 * sizeof plan->ptr[0]);
    memcpy(out->dims + parts, plan->dims, (size_t)plan->ndim * sizeof plan->dims[0]);
    if (!parts) return;
    out->dims[0] = (stria_dim){.n = how->parts, .s = {how->out_item, how->in_item}};
    stria__plan_drop(out);
    stria__plan_merge(out);
}

void stria__cast(const stria_plan *plan, const struct conversion *how, const stria_exec *exec)
{
    struct call call;
    struct program *const p = &call.program;
    copy_plan(&call.plan, plan, how);
    p->nops = p->nvalues = 2;
    p->count = p->casts = 1;
    p->item[0] = how->out_item;
    p->item[1] = how->in_item;
    p->like[0] = 1; /* what the input repeats is cast once */
    p->like[1] = -1;
    p->cycles = 0;
    p->code[0] = (struct instruction){.cast = 0, .count = 2, .value = {0, 1}};
    p->cast[0] = *how;
    call.in_place = plan->ptr[0] == plan->ptr[1];
    stria__call_decide(&call, exec);
    stria__call_run(&call, exec);
}
