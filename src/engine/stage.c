/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves boxes between memory and scratch. A box is a small copy, for which a move is chosen and run
 * as for any other. An input with gaps between its elements that is brought into another order
 * takes two moves: gathered in its own order, so that it is dense, then transposed.
 */
#include "stage.h"

#include "plan/arena.h"
#include "base/integers.h"
#include "machine/dispatch.h"
#include "move/fetch.h"
#include "simd/kernels.h"

int64_t stria__padded_step(int64_t step, int64_t n)
{
    const int64_t row = step * n, lines = round_up(row, LINE);
    if (step >= PADDED_ROW || row < PADDED_ROW) return row;
    return lines % PADDED_PERIOD == 0 ? lines + LINE : lines;
}

static const struct strategy *chosen(const struct nest *nest, struct stage_way *way)
{
    if (!way->move) way->move = stria__choose_part(nest).best;
    return way->move;
}

/*
 * Sorts the dims of a nest from the smallest steps of its input to the largest; those with stride 0
 * come last.
 */
static void sort_by_input(int *order, const struct nest *nest)
{
    for (int d = 0; d < nest->ndim; d++) {
        const uint64_t s = magnitude(nest->d[d].si) - 1;
        int k = d;
        for (; k > 0 && magnitude(nest->d[order[k - 1]].si) - 1 > s; k--)
            order[k] = order[k - 1];
        order[k] = d;
    }
}

/* ---- prefetches ------------------------------------------------------------------------------ */

/* Prefetches a box. Elements that share lines, or lie in adjacent ones, are one run. */
void stria__stage_ahead(const struct nest *box, const char *first)
{
    const int64_t followed = RUN_FOLLOWED;
    int order[STRIA_MAX_NDIM];
    int64_t run = box->item;
    struct nest between;
    struct nest_walk walk;
    sort_by_input(order, box);
    stria__nest_begin(&between, (char *)(uintptr_t)first, first, 1);
    for (int k = 0; k < box->ndim; k++) {
        const int64_t n = box->d[order[k]].n, s = box->d[order[k]].si,
                      apart = (int64_t)magnitude(s);
        if (s < 0) between.in += (n - 1) * s;
        if (apart <= run + LINE)
            run += (n - 1) * apart;
        else
            stria__nest_push(&between, n, 0, apart);
    }
    if (run > followed) return;
    stria__nest_start(&walk, &between, 0);
    do
        stria__fetch_lines(walk.in, run);
    while (stria__nest_next(&walk));
}

/* ---- in -------------------------------------------------------------------------------------- */

/* Makes the move from memory to scratch. */
static void nest_in(struct nest *nest, const struct nest *box)
{
    stria__nest_begin(nest, box->out, box->in, box->item);
    for (int d = 0; d < box->ndim; d++)
        if (box->d[d].so != 0) stria__nest_push(nest, box->d[d].n, box->d[d].so, box->d[d].si);
}

/*
 * A move from memory to scratch in two steps, through a buffer without gaps in the order of memory.
 */
struct detour {
    struct nest gather, turn;
    int64_t bytes; /* Bytes of the buffer. */
};

/*
 * Finds both moves; false if one move is better, because the rows in memory have no gaps or are
 * rows of scratch.
 */
static bool find_detour(struct detour *out, const struct nest *box)
{
    int order[STRIA_MAX_NDIM], count = box->ndim;
    int64_t at[STRIA_MAX_NDIM], s = box->item, dense = box->item;
    sort_by_input(order, box);
    for (; count > 0 && box->d[order[count - 1]].si == 0; count--)
        at[order[count - 1]] = 0;
    if (count == 0 || box->d[order[0]].so == box->item) return false;
    stria__nest_begin(&out->gather, NULL, box->in, box->item);
    for (int k = 0; k < count; k++) {
        const struct nest_dim *const dim = &box->d[order[k]];
        if ((int64_t)magnitude(dim->si) == dense) dense *= dim->n;
        stria__nest_push(&out->gather, dim->n, at[order[k]] = s, dim->si);
        s = stria__padded_step(s, dim->n);
    }
    if (dense >= LINE) return false;
    out->bytes = s;
    stria__nest_begin(&out->turn, box->out, NULL, box->item);
    for (int d = 0; d < box->ndim; d++)
        if (box->d[d].so != 0) stria__nest_push(&out->turn, box->d[d].n, box->d[d].so, at[d]);
    return true;
}

static double cycles(const struct nest *nest)
{
    return stria__choose_part(nest).best_cost;
}

/* Runs both moves. Returns false, with nothing done, if there is no scratch for the buffer. */
static bool take_detour(struct detour *d, const struct nest *box, bool far, const char *next,
                        struct stage_way *way)
{
    char *const memory = stria__arena_take(d->bytes);
    if (!memory) return false;
    d->gather.out = memory;
    d->turn.in = memory;
    if (!way->turn) way->turn = stria__choose_part(&d->turn).best;
    chosen(&d->gather, way)->run(&d->gather, false);
    if (far && next) stria__stage_ahead(box, next);
    way->turn->run(&d->turn, false);
    stria__arena_give(memory);
    return true;
}

/*
 * Runs both moves if together they take less time than one. Never inlined, so that its nests are
 * not on the stack of the moves of other boxes.
 */
__attribute__((noinline)) static bool stage_in_twice(const struct nest *box, bool far,
                                                     const char *next, struct stage_way *way)
{
    struct detour detour;
    struct nest nest;
    if (!find_detour(&detour, box)) return false;
    nest_in(&nest, box);
    return (way->turn || cycles(&detour.gather) + cycles(&detour.turn) < cycles(&nest)) &&
           take_detour(&detour, box, far, next, way);
}

void stria__stage_in(const struct nest *box, bool far, const char *next, struct stage_way *way)
{
    struct nest nest;
    if ((!way->move || way->turn) && stage_in_twice(box, far, next, way)) return;
    nest_in(&nest, box);
    if (far && chosen(&nest, way) == &stria__copy_transpose) {
        stria__transpose_far(&nest, next);
        return;
    }
    chosen(&nest, way)->run(&nest, false);
    if (far && next) stria__stage_ahead(box, next);
}

/* ---- out ------------------------------------------------------------------------------------- */

/* Streams rows that are dense on both sides. */
static bool stream_rows(const struct nest *nest)
{
    if (nest->ndim > 1 || nest->item < LINE) return false;
    const int64_t rows = nest->ndim == 1 ? nest->d[0].n : 1;
    for (int64_t i = 0; i < rows; i++)
        stria__kernels()->stream(nest->out + i * (rows > 1 ? nest->d[0].so : 0),
                                 nest->in + i * (rows > 1 ? nest->d[0].si : 0), nest->item);
    return true;
}

/* Makes the move from scratch to memory, in the order of memory. */
static void nest_out(struct nest *nest, const struct nest *box)
{
    int order[STRIA_MAX_NDIM];
    sort_by_input(order, box);
    stria__nest_begin(nest, (char *)(uintptr_t)box->in, box->out, box->item);
    for (int k = 0; k < box->ndim; k++) {
        const struct nest_dim *const dim = &box->d[order[k]];
        stria__nest_push(nest, dim->n, dim->si, dim->so);
    }
}

/*
 * Brings the elements of a nest into the order of the output in more scratch, and streams whole
 * rows from there. Returns false, with nothing done, if there is no scratch, or if rows are no
 * whole lines.
 */
static bool stream_turned(const struct nest *nest, struct stage_way *way)
{
    struct nest turn, rows;
    int64_t s = nest->item;
    char *memory;
    if (nest->ndim < 2 || nest->d[0].so != nest->item || nest->d[0].n * nest->item < LINE ||
        !(memory = stria__arena_take(stria__nest_bytes(nest))))
        return false;
    stria__nest_begin(&turn, memory, nest->in, nest->item);
    stria__nest_begin(&rows, nest->out, memory, nest->item);
    for (int d = 0; d < nest->ndim; d++) {
        stria__nest_push(&turn, nest->d[d].n, s, nest->d[d].si);
        stria__nest_push(&rows, nest->d[d].n, nest->d[d].so, s);
        s *= nest->d[d].n;
    }
    chosen(&turn, way)->run(&turn, false);
    if (!stream_rows(&rows)) stria__choose_part(&rows).best->run(&rows, true);
    stria__arena_give(memory);
    return true;
}

void stria__stage_out(const struct nest *box, struct stage_way *way, bool stream)
{
    struct nest nest;
    nest_out(&nest, box);
    if (stream && (stream_rows(&nest) || stream_turned(&nest, way))) return;
    chosen(&nest, way)->run(&nest, stream);
}

/* ---- cost ------------------------------------------------------------------------------------ */

double stria__stage_in_cycles(const struct nest *box)
{
    struct detour detour;
    struct nest nest;
    nest_in(&nest, box);
    const double direct = cycles(&nest);
    if (!find_detour(&detour, box)) return direct;
    const double twice = cycles(&detour.gather) + cycles(&detour.turn);
    return twice < direct ? twice : direct;
}

double stria__stage_out_cycles(const struct nest *box)
{
    struct nest nest;
    nest_out(&nest, box);
    return cycles(&nest);
}

/* ---- ports ----------------------------------------------------------------------------------- */

void stria__port_nest(struct nest *out, const struct port *port, const struct box *box,
                      const struct cut *cut, char *scratch)
{
    int64_t dense = port->item;
    stria__nest_begin(out, scratch, box->ptr[port->operand], port->item);
    for (int d = 0; d < cut->plan->ndim; d++) {
        stria__nest_push(out, box->n[d], port->s ? port->s[d] : dense,
                         cut->plan->dims[d].s[port->operand]);
        dense *= box->n[d];
    }
}

void stria__port_in(struct port *port, const struct box *box, const struct cut *cut, char *scratch)
{
    struct stage_way other = {NULL, NULL};
    struct nest nest;
    stria__port_nest(&nest, port, box, cut, port->cast.row ? port->raw : scratch);
    const bool dense = port->cast.row && nest.ndim == 0; /* Elements are converted in place. */
    if (!dense)
        stria__stage_in(&nest, port->far,
                        port->far ? stria__box_after(box, cut, port->operand) : NULL,
                        stria__box_is_full(box, cut) ? &port->way : &other);
    if (port->cast.row)
        port->cast.row(&port->cast, scratch, dense ? nest.in : port->raw,
                       stria__nest_bytes(&nest) / port->cast.in_item);
}

void stria__port_out(struct port *port, const struct box *box, const struct cut *cut, char *scratch)
{
    struct stage_way other = {NULL, NULL};
    struct nest nest;
    stria__port_nest(&nest, port, box, cut, port->cast.row ? port->raw : scratch);
    if (port->cast.row)
        port->cast.row(&port->cast, port->raw, scratch,
                       stria__nest_bytes(&nest) / port->cast.out_item);
    stria__stage_out(&nest, stria__box_is_full(box, cut) ? &port->way : &other, false);
}
