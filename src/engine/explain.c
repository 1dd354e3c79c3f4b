/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the decisions of a run as text. */
#include "engine/program.h"

#include <inttypes.h>
#include <stdio.h>

#include "ways.h"
#include "block.h"
#include "plan.h"

void stria__explain_program(char *text, size_t size, const struct call *call)
{
    const struct program *const p = call->program;
    int kernels = 0;
    for (int i = 0; i < p->count; i++)
        kernels += p->code[i].loop ? 1 : p->cast[p->code[i].cast].count;
    const char *const plural = kernels == 1 ? "" : "s";
    if (stria__is_direct(call, call->plan)) {
        (void)snprintf(text, size, "%d kernel%s over rows of %" PRId64 " items", kernels, plural,
                       call->plan->dims[0].n);
        return;
    }
    if (stria__is_small_cast(call, call->plan)) {
        (void)snprintf(text, size, "%d kernel%s over %" PRId64 " items, gathered first", kernels,
                       plural, stria__plan_numel(call->plan));
        return;
    }
    struct block b;
    int64_t items = 1;
    stria__block_make(&b, call->plan, call, NULL);
    for (int i = 0; i < b.ndim; i++)
        items *= b.size[i];
    size_t used = (size_t)snprintf(text, size, "%d kernel%s, blocks of %" PRId64 " items", kernels,
                                   plural, items);
    for (int k = p->nops - 1; k >= 0 && used < size; k--) {
        static const char *const met[][2] = {
            [STAGE_STRIP] = {"gathered first", "scattered after"},
            [STAGE_BLOCK] = {"transposed first", "transposed after"}};
        const char *const how = met[b.stage[k]][k < p->outputs];
        if (!how || (k == 0 && call->stream && b.stage[k] != STAGE_BLOCK)) continue;
        const int n = p->nops > 2 ? snprintf(text + used, size - used, ", operand %d %s", k, how)
                                  : snprintf(text + used, size - used, ", %s", how);
        used += (size_t)n;
    }
    if (call->stream && used < size) (void)snprintf(text + used, size - used, ", streamed");
}

void stria__explain_copy(stria_copy_plan *out, const struct call *call)
{
    if (call->program) {
        out->strategy = "convert";
        stria__explain_program(out->reason, sizeof out->reason, call);
        return;
    }
    struct nest nest;
    stria__nest_make(&nest, call->plan, call->item);
    const struct choice choice = stria__choose(&nest);
    out->strategy = choice.best->name;
    out->cycles = choice.best_cost;
    if (choice.second) {
        out->second = choice.second->name;
        out->second_cycles = choice.second_cost;
    }
    choice.best->explain(out->reason, sizeof out->reason, &nest);
}
