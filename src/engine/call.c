/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plan, the dtypes and the settings of a call decide about how it runs. */
#include "call.h"

#include "checked.h"
#include "machine.h"
#include "plan.h"
#include "threads.h"

/* Bytes of memory that operand k has part in: elements that it repeats count once. */
static int64_t bytes_of(const struct call *call, int k)
{
    int64_t bytes = call->program.item[k];
    for (int d = 0; d < call->plan.ndim; d++)
        if (call->plan.dims[d].s[k] != 0 && mul_overflows(bytes, call->plan.dims[d].n, &bytes))
            return INT64_MAX;
    return bytes;
}

static int64_t all_bytes(const struct call *call)
{
    int64_t bytes = 0;
    for (int k = 0; k < call->program.nops; k++)
        if (add_overflows(bytes, bytes_of(call, k), &bytes)) return INT64_MAX;
    return bytes;
}

static double cycles_of(const struct call *call)
{
    return call->program.cycles * (double)stria__plan_numel(&call->plan);
}

/* What an input has already brought into the caches is not written past them. */
static bool streams(const struct call *call, const stria_exec *exec)
{
    if (call->in_place || (exec && (exec->hints & STRIA_WILL_READ_SOON))) return false;
    return call->far && bytes_of(call, 0) >= stria__machine()->stream_casts_from;
}

/*
 * A lone cast whose operands are dense along different dims: the side whose elements are smaller is
 * rearranged. By input: rows are read as they lie, cast, and scattered.
 */
static bool goes_by_input(const struct call *call)
{
    const struct program *const p = &call->program;
    if (p->nops != 2 || p->count != 1 || p->code[0].loop || call->in_place) return false;
    if (p->item[0] >= p->item[1] || call->plan.dims[0].s[1] == p->item[1]) return false;
    for (int d = 1; d < call->plan.ndim; d++)
        if (call->plan.dims[d].s[1] == p->item[1]) return true;
    return false;
}

void stria__call_decide(struct call *call, const stria_exec *exec)
{
    const int64_t bytes = all_bytes(call);
    call->by_input = goes_by_input(call);
    call->far = bytes >= stria__machine()->stream_cast_rows_from;
    call->stream = streams(call, exec);
    call->threads = stria__threads_for(exec, bytes, cycles_of(call));
}
