/* SPDX-License-Identifier: BSD-3-Clause */
/* The sides, tables and order of tiles. */
#include "tiling.h"

#include "plan/arena.h"
#include "base/integers.h"
#include "machine/machine.h"

struct tiling *stria__tiling_take(void)
{
    return (struct tiling *)(void *)stria__arena_take(sizeof(struct tiling));
}

void stria__tiling_give(struct tiling *tiling)
{
    stria__arena_give((char *)tiling);
}

int stria__tiling_dim(const struct nest *nest)
{
    for (int d = 1; d < nest->ndim; d++)
        if (nest->d[d].si == nest->item || nest->d[d].si == -nest->item) return d;
    return 0;
}

int64_t stria__dense_run(const struct nest *nest, int first, bool in_input)
{
    int64_t run = nest->item * nest->d[first].n;
    for (int d = 1; d < nest->ndim; d++) {
        const int64_t s = in_input ? nest->d[d].si : nest->d[d].so;
        if (d == first || (s != run && s != -run)) continue;
        run *= nest->d[d].n;
        d = 0;
    }
    return run;
}

/*
 * Computes the length to which grow would bring the side; `taken` has a bit for each dim that a
 * side has.
 */
static int64_t side_length(const struct nest *nest, int first, bool in_input, uint64_t *taken,
                           int64_t most)
{
    int64_t n = nest->d[first].n;
    for (int d = 1; d < nest->ndim && n * 2 <= most; d++) {
        const int64_t s = in_input ? nest->d[d].si : nest->d[d].so;
        if (s != n * nest->item || *taken >> d & 1) continue;
        n *= nest->d[d].n;
        *taken |= (uint64_t)1 << d;
        d = 0;
    }
    return least(n, most);
}

/* Counts the items before the first line. `first` is the lowest address of a side that is dense in
 * `dim`. */
static int64_t head_of(const struct nest *nest, int dim, bool in_input, const char *first)
{
    const int64_t bytes = (int64_t)(-(uintptr_t)first % LINE), item = nest->item;
    uint64_t bits = 0;
    for (int d = 0; d < nest->ndim; d++)
        if (d != dim) bits |= (uint64_t)(in_input ? nest->d[d].si : nest->d[d].so);
    if (bits % LINE || bytes % item || bytes + LINE > nest->d[dim].n * item) return 0;
    return bytes / item;
}

struct heads stria__tiling_heads(const struct nest *nest, int p)
{
    const struct nest_dim *d = &nest->d[p];
    const char *in = d->si < 0 ? nest->in + (d->n - 1) * d->si : nest->in;
    return (struct heads){head_of(nest, p, true, in), head_of(nest, 0, false, nest->out)};
}

/* Computes how many items a tile has along either side. A dim that could continue both sides goes
 * to the input's if `input` is true, else to the output's. */
static void sides_by(const struct nest *nest, int p, int64_t most, bool input, int64_t *np,
                     int64_t *nq)
{
    uint64_t taken = 1 | (uint64_t)1 << p;
    if (input) *np = side_length(nest, p, true, &taken, most);
    *nq = side_length(nest, 0, false, &taken, most);
    if (!input) *np = side_length(nest, p, true, &taken, most);
}

/*
 * Tells whether the side that is dense in the input chooses first: its own run is shorter than a
 * lane, and that of the other side is not, or the shorter side becomes longer, so that items need
 * not be moved one by one.
 */
static bool input_chooses(const struct nest *nest, int p)
{
    const int64_t lane = LANE / nest->item, most = TILE_RUN / nest->item;
    int64_t by_input[2], by_output[2];
    if (nest->d[p].n >= lane) return false;
    if (nest->d[0].n >= lane) return true;
    sides_by(nest, p, most, true, &by_input[0], &by_input[1]);
    sides_by(nest, p, most, false, &by_output[0], &by_output[1]);
    return least(by_input[0], by_input[1]) > least(by_output[0], by_output[1]);
}

void stria__tiling_sides(const struct nest *nest, int p, int64_t most, int64_t *np, int64_t *nq)
{
    sides_by(nest, p, most, input_chooses(nest, p), np, nq);
}

/*
 * Grows a side from dim `first` on: the next dim is the one in which the run continues where it
 * ends, in the operand in which the side is dense, if no side has taken it. The last dim is the one
 * that fills the side.
 */
static void grow_side(struct side *side, const struct nest *nest, int first, bool in_input,
                      bool *taken, int64_t most)
{
    side->ndim = 0;
    side->inner = 1;
    side->block = 1;
    for (int next = first; next >= 0;) {
        const int64_t n = nest->d[next].n;
        side->inner *= side->block;
        side->dims[side->ndim++] = next;
        taken[next] = true;
        const int64_t room = most / side->inner;
        side->block = n < room ? n : room;
        side->first = side->block;
        if (side->block < n || side->block * side->inner * 2 > most) break;
        const int64_t end = nest->item * side->inner * side->block;
        next = -1;
        for (int d = 0; d < nest->ndim && next < 0; d++)
            if (!taken[d] && (in_input ? nest->d[d].si : nest->d[d].so) == end) next = d;
    }
}

/* Computes the offsets of a whole block of a side in the operand in which it is not dense. */
static void fill_table(struct side *side, const struct nest *nest, bool in_input)
{
    const struct nest_dim *first = &nest->d[side->dims[0]];
    int64_t n = 1;
    side->even = side->ndim == 1;
    side->pitch = in_input ? first->so : first->si;
    side->at[0] = 0;
    for (int i = 0; i < side->ndim; i++) {
        const struct nest_dim *dim = &nest->d[side->dims[i]];
        const int64_t s = in_input ? dim->so : dim->si;
        const int64_t times = i == side->ndim - 1 ? side->block : dim->n;
        for (int64_t k = 1; k < times; k++)
            for (int64_t j = 0; j < n; j++)
                side->at[k * n + j] = side->at[j] + k * s;
        n *= times;
    }
}

/* Returns the key by which loops are sorted: the step in one of the operands. */
static uint64_t key_of(const struct tile_loop *loop, enum tile_order order)
{
    return magnitude(order == BY_OUTPUT ? loop->so : loop->si) * (uint64_t)loop->step;
}

/* Inserts a loop in order; the one with the smallest step is innermost. */
static void insert_loop(struct tiling *t, struct tile_loop loop, enum tile_order order)
{
    int i = t->nloops++;
    const uint64_t key = key_of(&loop, order);
    for (; i > 0 && key_of(&t->loops[i - 1], order) > key; i--)
        t->loops[i] = t->loops[i - 1];
    t->loops[i] = loop;
}

/* Makes those loops innermost that continue where rows of tiles end, until rows are long enough. */
static void finish_rows(struct tiling *t)
{
    const int64_t finished = STAGE_FINISHED_ROW;
    int64_t run = t->item * t->q.inner * t->q.block;
    int done = 0;
    for (int i = 0; i < t->nloops && run < finished; i++) {
        const struct tile_loop loop = t->loops[i];
        if (loop.so * loop.step != run) continue;
        for (int k = i; k > done; k--)
            t->loops[k] = t->loops[k - 1];
        t->loops[done++] = loop;
        run *= (loop.n + loop.step - 1) / loop.step;
        i = done - 1;
    }
}

static void insert_blocks(struct tiling *t, struct side *side, const struct nest_dim *d,
                          enum tile_order order)
{
    if (side->first < d->n)
        insert_loop(t, (struct tile_loop){d->n, side->first, side->block, d->so, d->si, side},
                    order);
}

void stria__tiling_make(struct tiling *out, const struct nest *nest, int64_t np, int64_t nq,
                        const struct heads *heads, enum tile_order order)
{
    struct nest flipped;
    const int p = stria__tiling_dim(nest);
    bool taken[STRIA_MAX_NDIM] = {false};
    stria__nest_begin(&flipped, nest->out, nest->in, nest->item);
    flipped.ndim = nest->ndim;
    for (int d = 0; d < nest->ndim; d++) {
        struct nest_dim dim = nest->d[d];
        if (dim.si < 0 && d == p) {
            flipped.out += (dim.n - 1) * dim.so;
            flipped.in += (dim.n - 1) * dim.si;
            dim.so = -dim.so;
            dim.si = -dim.si;
        }
        flipped.d[d] = dim;
    }
    out->out = flipped.out;
    out->in = flipped.in;
    out->item = flipped.item;
    taken[0] = taken[p] = true;
    const bool input = input_chooses(nest, p);
    if (input) grow_side(&out->p, &flipped, p, true, taken, np);
    grow_side(&out->q, &flipped, 0, false, taken, nq);
    if (!input) grow_side(&out->p, &flipped, p, true, taken, np);
    if (heads && heads->q && out->q.inner == 1) out->q.first = heads->q;
    if (heads && heads->p && out->p.inner == 1) out->p.first = heads->p;
    fill_table(&out->q, &flipped, false);
    fill_table(&out->p, &flipped, true);
    out->nloops = 0;
    for (int d = 0; d < flipped.ndim; d++) {
        const struct nest_dim *dim = &flipped.d[d];
        if (d == out->q.dims[out->q.ndim - 1])
            insert_blocks(out, &out->q, dim, order);
        else if (d == out->p.dims[out->p.ndim - 1])
            insert_blocks(out, &out->p, dim, order);
        else if (!taken[d])
            insert_loop(out, (struct tile_loop){dim->n, 1, 1, dim->so, dim->si, NULL}, order);
    }
    if (order == ROWS_FIRST) finish_rows(out);
}

/* Advances to the next tile; false after the last. */
static bool advance(const struct tiling *tiling, struct tile *tile, int64_t *index)
{
    for (int i = 0; i < tiling->nloops; i++) {
        const struct tile_loop *loop = &tiling->loops[i];
        const int64_t end = index[i] + (index[i] ? loop->step : loop->first);
        const bool more = end < loop->n;
        const int64_t to = more ? end : 0, by = to - index[i];
        index[i] = to;
        if (loop->side) {
            const int64_t n =
                loop->side->inner * least(to ? loop->step : loop->first, loop->n - to);
            if (loop->side == &tiling->p)
                tile->np = n;
            else
                tile->nq = n;
        }
        tile->out += by * loop->so;
        tile->in += by * loop->si;
        if (more) return true;
    }
    return false;
}

void stria__tiling_walk(const struct tiling *tiling, stria__tile_body *body, void *arg)
{
    int64_t index[STRIA_MAX_NDIM];
    struct tile next = {.out = tiling->out,
                        .in = tiling->in,
                        .np = tiling->p.inner * tiling->p.first,
                        .nq = tiling->q.inner * tiling->q.first};
    for (int i = 0; i < tiling->nloops; i++)
        index[i] = 0;
    for (bool more = true; more;) {
        struct tile tile = next;
        more = advance(tiling, &next, index);
        tile.next = more ? &next : NULL;
        body(tiling, &tile, arg);
    }
}

struct transpose stria__tiling_args(const struct tiling *t)
{
    return (struct transpose){.out_at = t->p.at,
                              .in_at = t->q.at,
                              .item = t->item,
                              .even = t->p.even && t->q.even,
                              .in_even = t->q.even,
                              .out_pitch = t->p.pitch,
                              .in_pitch = t->q.pitch};
}

void stria__tile_args(struct transpose *out, const struct tile *tile)
{
    out->out = tile->out;
    out->in = tile->in;
    out->np = tile->np;
    out->nq = tile->nq;
    out->next = tile->next ? tile->next->in : NULL;
}
