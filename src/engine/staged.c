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
#include "move/cost.h"
#include "stage.h"

/* Blocks of a nest. */
struct blocks {
    const struct nest *nest;                         /* borrowed */
    struct nest at;                                  /* its items are the blocks */
    int64_t size[STRIA_MAX_NDIM], s[STRIA_MAX_NDIM]; /* of a full block, and strides in scratch */
    int64_t bytes;                                   /* of scratch */
};

/*
 * Sizes blocks that fit in so many bytes, and places them in scratch. They have about as many
 * elements along the input as along the output, or more along the input, whose gaps are read too.
 */
static void make_blocks(struct blocks *out, const struct nest *nest, int64_t bytes)
{
    int input[STRIA_MAX_NDIM], output[STRIA_MAX_NDIM];
    int64_t n[STRIA_MAX_NDIM], room = (bytes - bytes / BLOCK_PADDING) / nest->item, side = 64;
    const int64_t unit = LINE / nest->item;
    while (side * side < room / 5 * 4)
        side *= 2;
    for (int d = 0; d < nest->ndim; d++) {
        output[d] = d;
        n[d] = nest->d[d].n;
        out->size[d] = 1;
    }
    stria__sort_by_input(input, nest);
    room = stria__grow(out->size, n, input, nest->ndim, side, room, unit);
    room = stria__grow(out->size, n, output, nest->ndim, INT32_MAX, room, unit);
    (void)stria__grow(out->size, n, input, nest->ndim, INT32_MAX, room, unit);
    out->nest = nest;
    out->bytes = nest->item;
    stria__nest_begin(&out->at, nest->out, nest->in, nest->item);
    out->at.ndim = nest->ndim;
    for (int d = 0; d < nest->ndim; d++) {
        const struct nest_dim *const dim = &nest->d[d];
        const int64_t size = out->size[d];
        out->at.d[d] = (struct nest_dim){(dim->n - 1) / size + 1, size * dim->so, size * dim->si};
        out->s[d] = size == 1 || dim->si == 0 ? 0 : out->bytes;
        if (out->s[d] != 0) out->bytes = stria__padded_step(out->bytes, size);
    }
}

/* Makes the box of an operand that begins at `memory`; returns whether the block is a full one. */
static bool box_at(struct nest *box, const struct blocks *b, const int64_t *index, char *scratch,
                   const char *memory, bool output)
{
    bool full = true;
    stria__nest_begin(box, scratch, memory, b->nest->item);
    for (int d = 0; d < b->nest->ndim; d++) {
        const struct nest_dim *const dim = &b->nest->d[d];
        const int64_t n = least(b->size[d], dim->n - index[d] * b->size[d]);
        full = full && n == b->size[d];
        stria__nest_push(box, n, b->s[d], output ? dim->so : dim->si);
    }
    return full;
}

static void run_blocks(const struct blocks *b, char *scratch)
{
    const bool far = 2 * stria__nest_bytes(b->nest) >= stria__machine()->far_boxes;
    struct stage_way full_ways[2] = {{NULL, NULL}, {NULL, NULL}};
    struct nest in, out;
    struct nest_walk walk;
    bool more = true;
    stria__nest_start(&walk, &b->at, 0);
    while (more) {
        struct stage_way other_ways[2] = {{NULL, NULL}, {NULL, NULL}}, *ways = full_ways;
        (void)box_at(&out, b, walk.index, scratch, walk.out, true);
        if (!box_at(&in, b, walk.index, scratch, walk.in, false)) ways = other_ways;
        more = stria__nest_next(&walk);
        if (far) stria__stage_ahead(&out, out.in);
        stria__stage_in(&in, far, more ? walk.in : NULL, &ways[0]);
        stria__stage_out(&out, &ways[1], false);
    }
}

/* Item by item where there is no scratch memory. */
static void run(const struct nest *nest, bool stream)
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

/* Items of half a lane are the longest that gain: longer ones are as fast one by one. */
static double cost(const struct facts *f)
{
    static const int64_t first[STRIA_MAX_NDIM];
    const struct stria__cycles *const c = &stria__machine()->cycles;
    struct blocks b;
    struct nest box;
    double items = 1;
    if (f->nest->item > LANE / 2 || !is_across(f->nest)) return CANNOT;
    make_blocks(&b, f->nest, stria__machine()->box);
    for (int d = 0; d < f->nest->ndim; d++)
        items *= (double)b.size[d];
    (void)box_at(&box, &b, first, NULL, NULL, false);
    double cycles = stria__stage_in_cycles(&box);
    (void)box_at(&box, &b, first, NULL, NULL, true);
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
