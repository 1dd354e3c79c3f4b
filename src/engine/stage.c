/* SPDX-License-Identifier: BSD-3-Clause */
/* A box is a small copy, for which a move is chosen and run as for any other. */
#include "stage.h"

#include "arena.h"
#include "checked.h"
#include "dispatch.h"
#include "simd/kernels.h"

static void start(struct nest *nest, char *out, const char *in, int64_t item)
{
    nest->out = out;
    nest->in = in;
    nest->item = item;
    nest->ndim = 0;
}

/* Adds a dim, merged with the last one if it continues that in both operands. */
static void push(struct nest *nest, int64_t n, int64_t so, int64_t si)
{
    struct nest_dim *const last = &nest->d[nest->ndim - 1];
    if (nest->ndim > 0 && last->so * last->n == so && last->si * last->n == si)
        last->n *= n;
    else
        stria__nest_push(nest, n, so, si);
}

static const struct strategy *chosen(const struct nest *nest, const struct strategy **way)
{
    if (!*way) *way = stria__choose_part(nest).best;
    return *way;
}

void stria__stage_in(const struct box *box, const struct strategy **way)
{
    struct nest nest;
    start(&nest, box->scratch, box->memory, box->item);
    for (int i = 0; i < box->ndim; i++)
        if (box->n[i] > 1 && box->in_scratch[i] != 0)
            push(&nest, box->n[i], box->in_scratch[i], box->in_memory[i]);
    if (box->far && chosen(&nest, way) == &stria__copy_transpose) {
        stria__transpose_far(&nest, box->next);
        return;
    }
    chosen(&nest, way)->run(&nest, false);
}

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

/*
 * Brings the box into the order of the output in more scratch, and streams whole rows from there.
 * False where there is no scratch, or no rows of lines: nothing happened.
 */
static bool stream_turned(const struct box *box, const int *order, int count,
                          const struct strategy **way)
{
    struct nest turn, rows;
    int64_t s = box->item;
    char *memory;
    for (int k = 0; k < count; k++)
        s *= box->n[order[k]];
    if (count < 2 || box->in_memory[order[0]] != box->item || box->n[order[0]] * box->item < LINE ||
        !(memory = stria__arena_take(s)))
        return false;
    start(&turn, memory, box->scratch, box->item);
    start(&rows, box->memory, memory, box->item);
    s = box->item;
    for (int k = 0; k < count; k++) {
        push(&turn, box->n[order[k]], s, box->in_scratch[order[k]]);
        push(&rows, box->n[order[k]], box->in_memory[order[k]], s);
        s *= box->n[order[k]];
    }
    chosen(&turn, way)->run(&turn, false);
    if (!stream_rows(&rows)) stria__choose_part(&rows).best->run(&rows, true);
    stria__arena_give(memory);
    return true;
}

void stria__stage_out(const struct box *box, const struct strategy **way, bool stream)
{
    struct nest nest;
    int order[STRIA_MAX_NDIM];
    const int count = sort_dims(order, box);
    start(&nest, box->memory, box->scratch, box->item);
    for (int k = 0; k < count; k++)
        push(&nest, box->n[order[k]], box->in_memory[order[k]], box->in_scratch[order[k]]);
    if (stream && (stream_rows(&nest) || stream_turned(box, order, count, way))) return;
    chosen(&nest, way)->run(&nest, stream);
}
