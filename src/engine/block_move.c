/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies whose operands have short steps along different dims, at least one of them with gaps, so
 * that there are no tiles. They are programs without instructions: the engine brings a block of the
 * input into scratch in the order of the output, and from there into the output, so that each line
 * of either operand is used up while it is cached. Each of these moves is another strategy.
 *
 *     u16 [2048: 2 2048][256: 4224 8]     blocks of 256 x 256
 *     u8 [15250: 2 64][48: 30500 1]       blocks of 1344 x 48
 *
 * The output is written in rows of some hundred bytes, not in columns of a tile: a few lines in one
 * page. Streaming is not faster, because rows seldom begin on lines.
 */
#include <inttypes.h>
#include <stdio.h>

#include "integers.h"
#include "block.h"
#include "engine/move/cost.h"
#include "stage.h"

/* The nest as a call that the engine runs. */
struct staged {
    struct short_program program;
    struct call call;
    stria_plan plan;
};

static void make(struct staged *out, const struct nest *nest)
{
    stria_plan *const plan = &out->plan;
    stria__program_move(&out->program, nest->item);
    out->call.program = &out->program.is;
    out->call.plan = plan;
    out->call.way = NULL;
    out->call.threads = 1;
    out->call.shift = NULL;
    out->call.led = 0;
    out->call.in_place = out->call.by_input = out->call.stream = false;
    plan->nops = 2;
    plan->ndim = nest->ndim;
    plan->ptr[0] = nest->out;
    plan->ptr[1] = (char *)(uintptr_t)nest->in;
    for (int d = 0; d < nest->ndim; d++)
        plan->dims[d] = (stria_dim){nest->d[d].n, {nest->d[d].so, nest->d[d].si}};
    out->call.far = 2 * stria__nest_bytes(nest) >= stria__machine()->far_boxes;
}

static void run(const struct nest *nest, bool stream)
{
    struct staged staged;
    (void)stream;
    make(&staged, nest);
    stria__run_blocks(&staged.plan, &staged.call);
}

/* Returns the dim behind dim 0 that has the smallest steps in the input; 0 if there is none. */
static int nearest(const struct nest *nest)
{
    int p = 0;
    for (int d = 1; d < nest->ndim; d++)
        if (nest->d[d].si != 0 && (p == 0 || magnitude(nest->d[d].si) < magnitude(nest->d[p].si)))
            p = d;
    return p;
}

/* Tells whether two items or more share lines of both operands, along different dims. */
static bool is_across(const struct nest *nest)
{
    enum { NEAR = LINE / 2 };
    const int p = nearest(nest);
    const uint64_t near = magnitude(nest->d[p].si);
    if (p == 0 || near > NEAR || nest->d[0].so > NEAR) return false;
    return magnitude(nest->d[0].si) >= 2 * near &&
           (near > (uint64_t)nest->item || nest->d[0].so > nest->item);
}

/* Items of half a lane are the longest that gain: longer ones are as fast one by one. */
static double cost(const struct facts *f)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    struct staged staged;
    struct block b;
    int64_t in[BLOCK_DIMS], out[BLOCK_DIMS];
    double items = 1;
    if (f->nest->item > LANE / 2 || !is_across(f->nest)) return CANNOT;
    make(&staged, f->nest);
    stria__block_of(&b, &staged.plan, &staged.call);
    for (int i = 0; i < b.ndim; i++) {
        in[i] = f->nest->d[b.dim[i]].si;
        out[i] = f->nest->d[b.dim[i]].so;
        items *= (double)b.size[i];
    }
    struct box box = {
        .ndim = b.ndim, .n = b.size, .in_memory = in, .in_scratch = b.s[1], .item = f->nest->item};
    double cycles = stria__stage_in_cycles(&box);
    box.in_memory = out;
    cycles += stria__stage_out_cycles(&box);
    return f->items / items * (c->staged.block + c->staged.times * cycles);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "every %" PRId64 " bytes to every %" PRId64 " along another dim",
                   nest->d[nearest(nest)].si, nest->d[0].so);
}

const struct strategy stria__copy_staged = {
    "staged", TWO_DIMS | SIZED | MANY | WHOLE, cost, run, explain, .write = WRITE_ITEMS};
