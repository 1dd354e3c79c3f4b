/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the blocks of a walk. Their dims are dim 0, along which the loop of a walk runs, and
 * every dim along which lines of some operand are visited again after they have left the cache.
 *
 * All dims but the last one of a block are inside: when the walk goes one step along the last dim,
 * it needs the same lines again that one pass over the inside has touched. So the inside is as
 * large as the lines of one pass stay in half of the cache; the rest is for lines that are visited
 * once. The last dim can be long. Its length is limited because each of its steps may lie on
 * another page of memory: the 512 pages of a block are within the second level of the address cache
 * (TLB) of the CPUs we know of.
 *
 * Measured with y += a * x.T of n x n items on one thread of a Zen 5 (milliseconds; x and y have
 * rows of so many bytes, a block has 512 elements of the last dim):
 *
 *     elements of dim 0        8    16    32    64   128   256
 *     f32 4096, rows 16384  21.6  14.1  24.6  35.0  39.4  40.4    unblocked: 116
 *     f32 4096, rows 16512  14.9  18.6  10.9   9.6  10.1  10.8
 *     f64 4096, rows 33024  19.2  20.2  20.6  20.1  17.8  23.2
 *     u16 4096, rows 8256    9.9   9.9   9.2  18.9  11.7   8.6
 *     u8  8192, rows 8256   37.5  34.9  26.2  21.1  90.9  62.9
 *
 * In the first line all lines of one pass fall into one set of the first-level cache, and 12 stay.
 * The second-level cache then serves 16 of them well, and more of them badly.
 */
#include "walk_block.h"

#include "base/integers.h"
#include "machine/machine.h"
#include "plan.h"

static uint64_t step_of(const stria_plan *plan, int d, int k)
{
    return magnitude(plan->dims[d].s[k]);
}

/*
 * Returns how many lines that follow each other at steps of s bytes stay in the cache together: all
 * until one set of it would have to hold more lines than it has ways.
 */
static int64_t lines_that_stay(uint64_t s, int64_t cache)
{
    uint16_t held[WAY / LINE] = {0};
    const int64_t ways = cache / WAY, all = ways * (WAY / LINE);
    uint64_t at = 0;
    for (int64_t i = 0; i < all; i++, at += s)
        if (++held[at % WAY / LINE] > ways) return i;
    return all;
}

/* Returns the number of lines that n elements at steps of s > 0 bytes lie on. */
static int64_t lines_of(int64_t n, uint64_t s)
{
    return s >= LINE ? n : 1 + saturated(n - 1, (int64_t)s) / LINE;
}

/*
 * Tells whether operand k steps within a line along dim d, but only after the walk has gone over so
 * many others that the line has left the cache: over the dims inside d, and over those in the set
 * `block`, which a block moves inside.
 */
static bool comes_back(const stria_plan *plan, int k, int d, uint64_t block, int64_t cache)
{
    const uint64_t own = step_of(plan, d, k);
    int64_t lines = 1;
    if (own == 0 || own >= LINE) return false;
    for (int e = 0; e < plan->ndim; e++) {
        const uint64_t s = step_of(plan, e, k);
        if (e == d || s == 0 || (e > d && !(block >> e & 1))) continue;
        const int64_t n = e < d ? plan->dims[e].n : least(WALK_LAST, plan->dims[e].n);
        if (s >= LINE && n > cache / WAY / 2 && n > lines_that_stay(s, cache) / 2) return true;
        lines = saturated(lines, lines_of(n, s));
    }
    return lines > cache / LINE / 2;
}

/* State of the search for the sizes of a block. */
struct search {
    const stria_plan *plan;
    int64_t cache;
    uint64_t reuse[STRIA_MAX_OPERANDS]; /* Bit d: the operand reads memory again along dim d. */
    int64_t lines;                      /* Lines that one pass over the dims so far touches. */
};

/* Finds the dims of a block. Every one that is added moves inside others, and so may require
 * more. */
static uint64_t find_dims(struct search *in)
{
    uint64_t dims = 1, before;
    do {
        before = dims;
        for (int d = 1; d < in->plan->ndim; d++)
            for (int k = 0; k < in->plan->nops; k++) {
                if (in->reuse[k] >> d & 1 || !comes_back(in->plan, k, d, dims, in->cache)) continue;
                in->reuse[k] |= UINT64_C(1) << d;
                dims |= UINT64_C(1) << d;
            }
    } while (dims != before);
    return dims;
}

/* Tells whether lines of operand k are visited again along a dim of the block outside d. */
static bool is_reused(const struct search *in, int k, int d)
{
    return (in->reuse[k] >> d) > 1;
}

/* Returns the most elements along a dim with steps of s > 0 bytes whose lines stay in half of the
 * cache. */
static int64_t room_for(uint64_t s, int64_t cache)
{
    if (s < LINE) return cache / 2 / (int64_t)s;
    return least(lines_that_stay(s, cache) / 2, WALK_INNER_MOST);
}

/* Returns the size of inner dim i of the block; the last of them takes the room that the others
 * leave. */
static int64_t size_inside(const struct search *in, const struct walk_block *block, int i)
{
    const int inner = block->ndim - 1, d = block->dim[i];
    const int64_t n = in->plan->dims[d].n, fewest = inner > 2 ? WALK_INNER_FEW : WALK_INNER;
    int64_t room = i + 1 < inner ? fewest : INT64_MAX;
    for (int k = 0; k < in->plan->nops; k++) {
        const uint64_t s = step_of(in->plan, d, k);
        if (s > 0 && is_reused(in, k, d)) room = least(room, room_for(s, in->cache) / in->lines);
    }
    room = room < 2 * fewest ? fewest : room / fewest * fewest;
    return least(n, room);
}

static void add_lines(struct search *in, int d, int64_t size)
{
    int64_t most = 1;
    for (int k = 0; k < in->plan->nops; k++) {
        const uint64_t s = step_of(in->plan, d, k);
        if (s > 0 && is_reused(in, k, d) && lines_of(size, s) > most) most = lines_of(size, s);
    }
    in->lines = saturated(in->lines, most);
}

/* Tells whether blocks would change the order; they do not if whole dims follow each other
 * inside. */
static bool reorders(const struct walk_block *block, const stria_plan *plan)
{
    const int last = block->ndim - 1;
    for (int i = 0; i < last; i++)
        if (block->dim[i] != i || block->size[i] < plan->dims[i].n) return true;
    return block->dim[last] != last;
}

bool stria__walk_block(struct walk_block *out, const stria_plan *plan, int64_t cache)
{
    struct search in = {.plan = plan, .cache = cache, .lines = 1};
    if (plan->ndim == 1 || stria__plan_traffic(plan) <= cache) return false;
    const uint64_t dims = find_dims(&in);
    out->ndim = 0;
    for (int d = 0; d < plan->ndim; d++)
        if (dims >> d & 1) out->dim[out->ndim++] = d;
    const int last = out->ndim - 1;
    if (last == 0) return false;
    for (int i = 0; i < last; i++) {
        out->size[i] = size_inside(&in, out, i);
        add_lines(&in, out->dim[i], out->size[i]);
    }
    out->size[last] = least(WALK_LAST, plan->dims[out->dim[last]].n);
    return reorders(out, plan);
}
