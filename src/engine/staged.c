/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies whose operands have short steps along different dims, at least one of them with gaps, so
 * that there are no tiles. A block of the input is brought into scratch in the order of the output,
 * and from there into the output, so that each line of either operand is used up while it is
 * cached. Each of these moves is another strategy.
 *
 *     u16 [2048: 2 2048][256: 4224 8]     blocks of 256 x 256
 *     u8 [15250: 2 64][48: 30500 1]       blocks of 1344 x 48
 *
 * The output is written in rows of some hundred bytes, not in columns of a tile: a few lines in one
 * page. Streaming is not faster, because rows seldom begin on lines.
 */
#include <inttypes.h>
#include <stdio.h>

#include "plan/arena.h"
#include "base/integers.h"
#include "block.h"
#include "machine/dispatch.h"
#include "move/cost.h"
#include "stage.h"

/* A nest as a plan, cut into blocks. */
struct blocks {
    stria_plan plan; /* A plan over (out, in). */
    struct cut cut;
    int64_t s[STRIA_MAX_NDIM]; /* Strides in scratch. */
    int64_t bytes;             /* Bytes of scratch. */
    struct port out, in;
};

static void make_plan(stria_plan *out, const struct nest *nest)
{
    out->nops = 2;
    out->ndim = nest->ndim;
    out->ptr[0] = nest->out;
    out->ptr[1] = (char *)(uintptr_t)nest->in;
    for (int d = 0; d < nest->ndim; d++)
        out->dims[d] = (stria_dim){.n = nest->d[d].n, .s = {nest->d[d].so, nest->d[d].si}};
}

/*
 * Sizes blocks that fit in so many bytes, and places them in scratch. They have about as many
 * elements along the input as along the output, or more along the input, whose gaps are read, too.
 */
static void make_blocks(struct blocks *b, const struct nest *nest, int64_t bytes)
{
    int input[STRIA_MAX_NDIM];
    int64_t room = (bytes - bytes / BLOCK_PADDING) / nest->item, side = 64;
    const int64_t unit = LINE / nest->item;
    while (side * side < room / 5 * 4)
        side *= 2;
    make_plan(&b->plan, nest);
    stria__cut_begin(&b->cut, &b->plan);
    stria__memory_order(input, &b->plan, 1);
    room = stria__cut_grow(&b->cut, input, side, room, unit);
    room = stria__cut_grow(&b->cut, b->cut.order, INT32_MAX, room, unit);
    (void)stria__cut_grow(&b->cut, input, INT32_MAX, room, unit);
    b->bytes = nest->item;
    for (int d = 0; d < nest->ndim; d++) {
        const int64_t size = b->cut.size[d];
        b->s[d] = size == 1 || nest->d[d].si == 0 ? 0 : b->bytes;
        if (b->s[d] != 0) b->bytes = stria__padded_step(b->bytes, size);
    }
    b->out = (struct port){.operand = 0, .item = nest->item, .s = b->s};
    b->in = (struct port){.operand = 1,
                          .item = nest->item,
                          .s = b->s,
                          .far = 2 * stria__nest_bytes(nest) >= stria__machine()->far};
}

static void run_blocks(struct blocks *b, char *scratch)
{
    struct box box;
    stria__box_first(&box, &b->cut);
    do {
        struct nest out;
        stria__port_nest(&out, &b->out, &box, &b->cut, scratch);
        if (b->in.far) stria__stage_ahead(&out, out.in);
        stria__port_in(&b->in, &box, &b->cut, scratch);
        stria__port_out(&b->out, &box, &b->cut, scratch);
    } while (stria__box_next(&box, &b->cut));
}

/* Copies through blocks, or item by item if there is no scratch memory. */
static void run_staged(const struct nest *nest, bool stream)
{
    struct blocks b;
    make_blocks(&b, nest, stria__machine()->box);
    char *const scratch = stria__arena_take(b.bytes);
    if (!scratch) {
        stria__copy_strided.run(nest, stream);
        return;
    }
    run_blocks(&b, scratch);
    stria__arena_give(scratch);
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

/* Tells whether the level gathers items from whole lines at that step, see simd/steps.h. */
static bool gathers_lines(const struct nest *nest)
{
    const struct strided row = {.n = {KIB, 1},
                                .so = {nest->item, 0},
                                .si = {nest->d[nearest(nest)].si, 0},
                                .item = nest->item,
                                .stream = true};
    return stria__kernels()->streams_steps(&row);
}

/* Items of half a lane are the longest that gain: longer ones are as fast one by one. */
static double cost(const struct facts *f)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    struct blocks b;
    struct nest in, out;
    struct box first;
    if (f->nest->item > LANE / 2 || !is_across(f->nest)) return CANNOT;
    make_blocks(&b, f->nest, stria__machine()->box);
    stria__box_first(&first, &b.cut);
    stria__port_nest(&in, &b.in, &first, &b.cut, NULL);
    stria__port_nest(&out, &b.out, &first, &b.cut, NULL);
    const double cycles = stria__stage_in_cycles(&in) + stria__stage_out_cycles(&out),
                 items = (double)stria__cut_items(&b.cut),
                 times = gathers_lines(f->nest) ? c->staged.times : c->staged.lane_times;
    return f->items / items * (c->staged.block + times * cycles);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "every %" PRId64 " bytes to every %" PRId64 " along another dim",
                   nest->d[nearest(nest)].si, nest->d[0].so);
}

const struct strategy stria__copy_staged = {
    "staged", TWO_DIMS | SIZED | MANY | WHOLE, cost, run_staged, explain, .write = WRITE_ITEMS};
