/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries the ways of a program in order, and writes as text which one a call takes. */
#include "engine/ways.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/dispatch.h"
#include "plan/plan.h"

static const struct way *const ways[] = {
    &stria__way_direct,        /* One kernel or cast over operands in memory at any strides. */
    &stria__way_small_cast,    /* One cast whose input is gathered whole. */
    &stria__way_streamed_cast, /* One streamed cast, in pieces within the kernel. */
    &stria__way_panels,        /* A streamed program with some inputs dense along another dim. */
    &stria__way_row_pieces,    /* Streamed or masked rows, or a short one. */
    &stria__way_blocks};

void stria__run_part(const stria_plan *part, const void *arg)
{
    const struct call *const call = arg;
    for (int i = 0; !ways[i]->takes(NULL, call, part) || !ways[i]->run(call, part); i++)
        continue;
    if (call->stream) stria__kernels()->fence();
}

/* The text that describes a call, and the room for it. */
struct told {
    char *text;
    size_t size;
    const struct call *call;
};

static void explain_part(const stria_plan *part, const void *arg)
{
    static const char *const met[][2] = {[STAGE_STRIP] = {"gathered first", "scattered after"},
                                         [STAGE_BLOCK] = {"transposed first", "transposed after"}};
    const struct told *const told = arg;
    const struct call *const call = told->call;
    const struct program *const p = call->program;
    enum stage stage[STRIA_MAX_OPERANDS] = {STAGE_NONE};
    int64_t items = 0;
    int kernels = 0, way = -1;
    for (int i = 0; i < p->count; i++)
        kernels += p->code[i].loop ? 1 : p->cast[p->code[i].cast].count;
    while (items == 0)
        items = ways[++way]->takes(stage, call, part);
    size_t used = (size_t)snprintf(told->text, told->size, "%d kernel%s, %s of %" PRId64 " items",
                                   kernels, kernels == 1 ? "" : "s", ways[way]->name, items);
    for (int k = p->nops - 1; k >= 0 && used < told->size; k--) {
        const char *const how = met[stage[k]][k < p->outputs];
        char *const text = told->text + used;
        if (!how) continue;
        used += (size_t)(p->nops > 2 ? snprintf(text, told->size - used, ", operand %d %s", k, how)
                                     : snprintf(text, told->size - used, ", %s", how));
    }
    if (call->stream && used < told->size)
        (void)snprintf(told->text + used, told->size - used, ", streamed");
}

static void run_first(void (*task)(void *data, int64_t i), void *data, int64_t n, void *context)
{
    (void)context;
    if (n > 0) task(data, 0);
}

void stria__explain_program(char *text, size_t size, const struct call *call)
{
    const stria_exec first = {.threads = call->threads, .run = run_first};
    const struct told told = {text, size, call};
    stria__plan_parallel(call->plan, &first, call->threads, WATCHED_PIECE, explain_part, &told);
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
