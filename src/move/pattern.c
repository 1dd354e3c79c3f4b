/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies whose output is dense over short dims: some of them make a block, whose bytes come from
 * the same places relative to it wherever it lies. How shuffles put it together is listed once.
 *
 *     f16 [16: 2 6][3: 32 2][2170: 96 96]    blocks of 192 bytes: lines of three shuffles each
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "cost.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "simd/pattern.h"
#include "strategy.h"

enum {
    BLOCK_UNITS = 128, /* Most units of a block, each of which has to be listed. */
    LONGEST_ROW = 16,  /* Most items near each other along dim 0. */
    LONGEST = 2 * LINE /* Bytes of longer items are copied as fast one item at a time. */
};

/* A nest of units of 1 to LANE bytes, cut into blocks. */
struct blocks {
    struct nest nest;
    int whole;     /* Number of dims that are whole in a block. */
    int64_t inner; /* Units in these dims. */
    int64_t n;     /* Size of a block along the next dim, 1 if there is none. */
    int64_t bytes;
};

/* Places of the units of a block in the input, from the first one. */
struct places {
    int64_t at[BLOCK_UNITS], low, high; /* Offsets, and where the first and the last byte is. */
    int chunk;                          /* Bytes of a chunk of struct pattern. */
};

/* Cuts the nest; false if no block is as long as a vector. */
static bool cut_blocks(struct blocks *b, const struct nest *nest)
{
    const int64_t unit = least(nest->item & -nest->item, LANE),
                  most = least(PATTERN_BYTES / unit, BLOCK_UNITS);
    int dense;
    if (nest->ndim == STRIA_MAX_NDIM) return false;
    stria__nest_begin(&b->nest, nest->out, nest->in, unit);
    if (nest->item > unit)
        b->nest.d[b->nest.ndim++] = (struct nest_dim){nest->item / unit, unit, unit};
    for (int d = 0; d < nest->ndim; d++)
        b->nest.d[b->nest.ndim++] = nest->d[d];
    (void)stria__nest_run(&b->nest, &dense);
    b->inner = b->n = 1;
    for (b->whole = 0; b->whole < dense && b->nest.d[b->whole].n <= most / b->inner; b->whole++)
        b->inner *= b->nest.d[b->whole].n;
    if (b->whole < dense) b->n = most / b->inner;
    b->bytes = b->inner * b->n * unit;
    return b->bytes >= stria__kernels()->pattern_width;
}

/*
 * Tells whether no neighbours in the input are a page apart, so that all that lies between elements
 * is readable.
 */
static bool is_close(const struct nest *nest)
{
    struct nest sorted;
    int64_t extent = nest->item;
    stria__nest_by_input(&sorted, nest, 0);
    for (int d = 0; d < nest->ndim; d++) {
        if (sorted.d[d].si == 0 || sorted.d[d].si >= extent + PAGE) return false;
        extent += (sorted.d[d].n - 1) * sorted.d[d].si;
    }
    return true;
}

/* Finds the places; false if there is no chunk. Chunks of lines are made of words. */
static bool find_places(struct places *p, const struct blocks *b)
{
    const int64_t unit = b->nest.item;
    uint64_t bits = (uint64_t)unit;
    int64_t n = 1;
    p->at[0] = p->low = p->high = 0;
    for (int d = 0; d < b->nest.ndim && d <= b->whole; d++) {
        const int64_t times = d == b->whole ? b->n : b->nest.d[d].n, s = b->nest.d[d].si;
        for (int64_t k = 1; k < times; k++)
            for (int64_t i = 0; i < n; i++)
                p->at[k * n + i] = p->at[i] + k * s;
        n *= times;
        *(s < 0 ? &p->low : &p->high) += (times - 1) * s;
        bits |= (uint64_t)s;
    }
    p->high += unit;
    const int64_t span = least(p->high - p->low, b->bytes);
    p->chunk = bits % 2 == 0 && span >= LINE ? stria__kernels()->pattern_chunk : LANE;
    return span >= LANE;
}

/* The units of a chunk of output, and a bit for each of them that is left to be found. */
struct rest {
    const int64_t *at;
    int64_t units, unit;
    uint64_t left;
};

static struct rest rest_of(const struct places *p, int64_t byte, int64_t unit)
{
    const int64_t units = p->chunk / unit;
    return (struct rest){p->at + byte / unit, units, unit, ~UINT64_C(0) >> (64 - units)};
}

/* Takes the chunk of input from the lowest unit on; sets the bits of the units that are found. */
static int64_t next_chunk(struct rest *r, const struct places *p, uint64_t *found)
{
    int64_t chunk = p->high - p->chunk;
    for (uint64_t left = r->left; left; left &= left - 1)
        chunk = least(chunk, r->at[__builtin_ctzll(left)]);
    *found = 0;
    for (uint64_t left = r->left; left; left &= left - 1) {
        const int i = __builtin_ctzll(left);
        if (r->at[i] + r->unit <= chunk + p->chunk) *found |= (uint64_t)1 << i;
    }
    r->left &= ~*found;
    return chunk;
}

/* Selects units by the numbers of their bytes or, with a mask, of their words. */
static void select_units(char *select, uint32_t *mask, const struct rest *r, int64_t chunk,
                         uint64_t found)
{
    const int64_t unit = r->unit;
    for (; found; found &= found - 1) {
        const int i = __builtin_ctzll(found);
        const int64_t at = r->at[i] - chunk;
        for (int64_t j = 0; j < unit; j += mask ? 2 : 1) {
            const uint16_t word = (uint16_t)((at + j) / 2);
            if (mask)
                memcpy(select + i * unit + j, &word, sizeof word);
            else
                select[i * unit + j] = (char)(at + j);
        }
        if (mask) *mask |= (((uint32_t)1 << unit / 2) - 1) << (i * unit / 2);
    }
}

/* Lists the steps of a chunk of output; false if there are too many. */
static bool list_steps(struct pattern *p, struct rest r, const struct places *places, int v, int c)
{
    const int width = stria__kernels()->pattern_width, chunks = width / p->chunk;
    int64_t chunk = 0;
    for (int k = 0; k < PATTERN_STEPS; k++) {
        const int step = v * PATTERN_STEPS + k;
        if (r.left) {
            uint64_t found;
            chunk = next_chunk(&r, places, &found);
            select_units(p->select + step * width + c * p->chunk,
                         p->chunk == LINE ? p->mask + step : NULL, &r, chunk, found);
            if (p->steps <= k) p->steps = k + 1;
        }
        p->at[step * chunks + c] = chunk;
    }
    return !r.left;
}

static bool make_pattern(struct pattern *p, const struct blocks *b, const struct places *places)
{
    const int width = stria__kernels()->pattern_width;
    p->chunk = places->chunk;
    p->steps = 1;
    p->vectors = (int)((b->bytes - 1) / width + 1);
    memset(p->mask, 0, sizeof p->mask);
    memset(p->select, p->chunk == LINE ? 0 : 0x80, (size_t)(p->vectors * PATTERN_STEPS * width));
    for (int v = 0; v < p->vectors; v++) {
        p->out_at[v] = least(v * width, b->bytes - width);
        for (int c = 0; c < width / p->chunk; c++) {
            const int64_t byte = p->out_at[v] + c * p->chunk;
            if (!list_steps(p, rest_of(places, byte, b->nest.item), places, v, c)) return false;
        }
    }
    return true;
}

/* Returns the most steps for a chunk that can pay, where its units could be copied one by one. */
static int steps_most(int chunk, int64_t unit)
{
    const int64_t most = chunk / (chunk == LINE ? 8 : 4) / unit;
    return most < 1 ? 1 : (int)least(most, PATTERN_STEPS);
}

/*
 * Tells at once whether the units along dim 0 alone take too many steps, as in most transpositions,
 * or are so many and so near each other that gathers are better.
 */
static bool is_scattered(const struct nest *nest)
{
    const int64_t unit = least(nest->item & -nest->item, LANE),
                  chunk = unit > 1 ? stria__kernels()->pattern_chunk : LANE,
                  step = (int64_t)magnitude(nest->d[0].si),
                  each = step > 0 && step < chunk ? (chunk - unit) / step + 1 : 1;
    if (nest->d[0].n > LONGEST_ROW && step < LANE && nest->item == unit) return true;
    return nest->item == unit &&
           least(nest->d[0].n, chunk / unit) > steps_most((int)chunk, unit) * each;
}

/* Counts the steps for the chunk of output at a byte of the block, up to one too many. */
static int steps_at(const struct places *p, int64_t byte, int64_t unit)
{
    struct rest r = rest_of(p, byte, unit);
    uint64_t found;
    int count = 0;
    for (; r.left && count <= steps_most(p->chunk, unit); count++)
        (void)next_chunk(&r, p, &found);
    return count;
}

/* Estimates the steps by three of the chunks. */
static double cost(const struct facts *f)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const double bytes = f->items * (double)f->nest->item;
    struct blocks b;
    struct places places;
    if (!stria__kernels()->pattern || f->nest->item > LONGEST ||
        bytes < (double)(stria__machine()->l2.size / 128) || is_scattered(f->nest) ||
        !cut_blocks(&b, f->nest) || !is_close(f->nest) || !find_places(&places, &b))
        return CANNOT;
    const int64_t unit = b.nest.item, last = b.bytes - places.chunk;
    const int64_t chunk_at[] = {0, last / 2 / places.chunk * places.chunk, last};
    int steps = 0;
    for (int i = 0; i < 3; i++) {
        const int here = steps_at(&places, chunk_at[i], unit);
        if (here > steps) steps = here;
    }
    if (steps > steps_most(places.chunk, unit)) return CANNOT;
    const double each = places.chunk == LINE ? c->pattern.line + c->pattern.line_step * steps
                                             : c->pattern.lane + c->pattern.step * steps;
    return c->pattern.prepared + c->pattern.item * (double)(b.inner * b.n) +
           bytes / (double)b.bytes * c->pattern.block + bytes / places.chunk * each +
           stria__lines_again(f->nest, f->items);
}

/* Makes the nest of blocks, whose last one along dim 0 covers a part of the one before. */
static void make_outer(struct nest *out, struct pattern *p, const struct blocks *b)
{
    *out = b->nest;
    out->ndim = b->nest.ndim - b->whole;
    memmove(out->d, out->d + b->whole, (size_t)out->ndim * sizeof *out->d);
    p->last_out = p->last_in = 0;
    if (out->ndim == 0) return;
    struct nest_dim *const d = &out->d[0];
    p->last_out = (d->n - b->n) * d->so;
    p->last_in = (d->n - b->n) * d->si;
    *d = (struct nest_dim){(d->n - 1) / b->n + 1, d->so * b->n, d->si * b->n};
}

static void run_pattern(const struct nest *nest, bool stream)
{
    struct blocks b;
    struct places places;
    struct pattern p;
    struct nest outer;
    struct nest_walk walk;
    (void)(cut_blocks(&b, nest) && find_places(&places, &b));
    if (!make_pattern(&p, &b, &places)) {
        stria__copy_strided.run(nest, stream);
        return;
    }
    make_outer(&outer, &p, &b);
    struct strided t = stria__strided_args(&outer, false);
    stria__nest_continue(&t, &walk, &outer);
    stria__kernels()->pattern(&t, &p);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    struct blocks b;
    (void)cut_blocks(&b, nest);
    (void)snprintf(text, size, "blocks of %" PRId64 " bytes, shuffled alike", b.bytes);
}

const struct strategy stria__copy_pattern = {"pattern", DIMS | OUT_DENSE | WHOLE, cost, run_pattern,
                                             explain,   .write = WRITE_ITEMS};
