/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A box is a small copy, for which a move is chosen and run as for any other. An input with gaps
 * between its elements that is brought into another order takes two moves: gathered as it lies, so
 * that it is dense, then transposed.
 */
#include "stage.h"

#include "arena.h"
#include "integers.h"
#include "dispatch.h"
#include "engine/move/fetch.h"
#include "plan.h"
#include "simd/kernels.h"

int64_t stria__padded(int64_t row)
{
    const int64_t lines = round_up(row, LINE);
    return lines % PADDED_PERIOD == 0 ? lines + LINE : lines;
}

static const struct strategy *chosen(const struct nest *nest, struct stage_way *way)
{
    if (!way->move) way->move = stria__choose_part(nest).best;
    return way->move;
}

/* Sorts the dims of the box by the output's steps; returns how many have two elements or more. */
static int sort_dims(int *order, const struct box *box)
{
    int count = 0;
    for (int i = 0; i < box->ndim; i++) {
        if (box->n[i] == 1) continue;
        int k = count++;
        for (; k > 0 && magnitude(box->in_memory[order[k - 1]]) > magnitude(box->in_memory[i]); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return count;
}

/* ---- prefetches ----------------------------------------------------------------------------- */

/* Elements that share lines, or lie in adjacent ones, are one run. */
void stria__stage_ahead(const struct box *box, const char *first)
{
    const int64_t followed = RUN_FOLLOWED;
    int order[STRIA_MAX_NDIM];
    const int count = sort_dims(order, box);
    int64_t run = box->item;
    stria_plan between;
    struct odometer at;
    between.ndim = 0;
    between.nops = 1;
    for (int k = 0; k < count; k++) {
        const int64_t n = box->n[order[k]], s = box->in_memory[order[k]],
                      apart = (int64_t)magnitude(s);
        if (s < 0) first += (n - 1) * s;
        if (apart <= run + LINE)
            run += (n - 1) * apart;
        else
            between.dims[between.ndim++] = (stria_dim){n, {apart}};
    }
    if (run > followed) return;
    between.ptr[0] = (char *)(uintptr_t)first;
    stria__odometer_start(&at, &between, 0);
    do
        stria__fetch_lines(at.ptr[0], run);
    while (stria__odometer_next(&at, &between));
}

/* ---- in ------------------------------------------------------------------------------------- */

/* Makes the move from memory to scratch. */
static void nest_in(struct nest *nest, const struct box *box)
{
    stria__nest_begin(nest, box->scratch, box->memory, box->item);
    for (int i = 0; i < box->ndim; i++)
        if (box->n[i] > 1 && box->in_scratch[i] != 0)
            stria__nest_push(nest, box->n[i], box->in_scratch[i], box->in_memory[i]);
}

/*
 * A move from memory to scratch in two steps, by way of a buffer without gaps in the order of
 * memory.
 */
struct detour {
    struct nest gather, turn;
    int64_t bytes; /* of the buffer */
};

/*
 * Returns false where one move is better: the rows in memory have no gaps, or are rows of scratch.
 */
static bool find_detour(struct detour *out, const struct box *box)
{
    int order[STRIA_MAX_NDIM];
    int64_t at[STRIA_MAX_NDIM], s = box->item, dense = box->item;
    const int count = sort_dims(order, box);
    int first = 0;
    while (first < count && box->in_memory[order[first]] == 0)
        at[order[first++]] = 0;
    if (first == count || box->in_scratch[order[first]] == box->item) return false;
    stria__nest_begin(&out->gather, NULL, box->memory, box->item);
    for (int k = first; k < count; k++) {
        const int i = order[k];
        if ((int64_t)magnitude(box->in_memory[i]) == dense) dense *= box->n[i];
        stria__nest_push(&out->gather, box->n[i], at[i] = s, box->in_memory[i]);
        const bool was_short = s < PADDED_ROW;
        s *= box->n[i];
        if (was_short && s >= PADDED_ROW) s = stria__padded(s);
    }
    if (dense >= LINE) return false;
    out->bytes = s;
    stria__nest_begin(&out->turn, box->scratch, NULL, box->item);
    for (int i = 0; i < box->ndim; i++)
        if (box->n[i] > 1 && box->in_scratch[i] != 0)
            stria__nest_push(&out->turn, box->n[i], box->in_scratch[i], at[i]);
    return true;
}

static double cycles(const struct nest *nest)
{
    return stria__choose_part(nest).best_cost;
}

/*
 * Runs both moves. Returns false where there is no scratch for the buffer; nothing happened then.
 */
static bool take_detour(struct detour *d, const struct box *box, struct stage_way *way)
{
    char *const memory = stria__arena_take(d->bytes);
    if (!memory) return false;
    d->gather.out = memory;
    d->turn.in = memory;
    if (!way->turn) way->turn = stria__choose_part(&d->turn).best;
    chosen(&d->gather, way)->run(&d->gather, false);
    if (box->far && box->next) stria__stage_ahead(box, box->next);
    way->turn->run(&d->turn, false);
    stria__arena_give(memory);
    return true;
}

/*
 * Takes both moves where they together take less time than one. Never inlined, so that its nests
 * are not on the stack of the moves of other boxes.
 */
__attribute__((noinline)) static bool stage_in_twice(const struct box *box, struct stage_way *way)
{
    struct detour detour;
    struct nest nest;
    if (!find_detour(&detour, box)) return false;
    nest_in(&nest, box);
    return (way->turn || cycles(&detour.gather) + cycles(&detour.turn) < cycles(&nest)) &&
           take_detour(&detour, box, way);
}

void stria__stage_in(const struct box *box, struct stage_way *way)
{
    struct nest nest;
    if ((!way->move || way->turn) && stage_in_twice(box, way)) return;
    nest_in(&nest, box);
    if (box->far && chosen(&nest, way) == &stria__copy_transpose) {
        stria__transpose_far(&nest, box->next);
        return;
    }
    chosen(&nest, way)->run(&nest, false);
    if (box->far && box->next) stria__stage_ahead(box, box->next);
}

/* ---- out ------------------------------------------------------------------------------------ */

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

/*
 * Brings the box into the order of the output in more scratch, and streams whole rows from there.
 * Returns false where there is no scratch, or rows are no whole lines; nothing happened then.
 */
static bool stream_turned(const struct box *box, const int *order, int count, struct stage_way *way)
{
    struct nest turn, rows;
    int64_t s = box->item;
    char *memory;
    for (int k = 0; k < count; k++)
        s *= box->n[order[k]];
    if (count < 2 || box->in_memory[order[0]] != box->item || box->n[order[0]] * box->item < LINE ||
        !(memory = stria__arena_take(s)))
        return false;
    stria__nest_begin(&turn, memory, box->scratch, box->item);
    stria__nest_begin(&rows, box->memory, memory, box->item);
    s = box->item;
    for (int k = 0; k < count; k++) {
        stria__nest_push(&turn, box->n[order[k]], s, box->in_scratch[order[k]]);
        stria__nest_push(&rows, box->n[order[k]], box->in_memory[order[k]], s);
        s *= box->n[order[k]];
    }
    chosen(&turn, way)->run(&turn, false);
    if (!stream_rows(&rows)) stria__choose_part(&rows).best->run(&rows, true);
    stria__arena_give(memory);
    return true;
}

/* Makes the move from scratch to memory. */
static void nest_out(struct nest *nest, const struct box *box, const int *order, int count)
{
    stria__nest_begin(nest, box->memory, box->scratch, box->item);
    for (int k = 0; k < count; k++)
        stria__nest_push(nest, box->n[order[k]], box->in_memory[order[k]],
                         box->in_scratch[order[k]]);
}

void stria__stage_out(const struct box *box, struct stage_way *way, bool stream)
{
    struct nest nest;
    int order[STRIA_MAX_NDIM];
    const int count = sort_dims(order, box);
    nest_out(&nest, box, order, count);
    if (stream && (stream_rows(&nest) || stream_turned(box, order, count, way))) return;
    chosen(&nest, way)->run(&nest, stream);
}

/* ---- cost ----------------------------------------------------------------------------------- */

double stria__stage_in_cycles(const struct box *box)
{
    struct detour detour;
    struct nest nest;
    nest_in(&nest, box);
    const double direct = cycles(&nest);
    if (!find_detour(&detour, box)) return direct;
    const double twice = cycles(&detour.gather) + cycles(&detour.turn);
    return twice < direct ? twice : direct;
}

double stria__gather_cycles(const struct nest *nest)
{
    int64_t n[STRIA_MAX_NDIM], from[STRIA_MAX_NDIM], to[STRIA_MAX_NDIM];
    const struct box box = {
        .ndim = nest->ndim, .n = n, .in_memory = from, .in_scratch = to, .item = nest->item};
    for (int d = 0; d < nest->ndim; d++) {
        n[d] = nest->d[d].n;
        from[d] = nest->d[d].si;
        to[d] = nest->d[d].so;
    }
    return stria__stage_in_cycles(&box);
}

double stria__stage_out_cycles(const struct box *box)
{
    struct nest nest;
    int order[STRIA_MAX_NDIM];
    nest_out(&nest, box, order, sort_dims(order, box));
    return cycles(&nest);
}
