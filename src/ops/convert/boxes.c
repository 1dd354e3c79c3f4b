/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes and scratch layout of boxes, from strides alone. Both operands are asked for their dims in
 * the order in which they move; dims in which the input stands still take part in neither order.
 */
#include "boxes.h"

#include <string.h>

#include "checked.h"

enum {
    LINE = 64,
    /* Bytes of output that a box should write in a row: a few lines where it is scattered, more */
    /* where rows share their first and last lines with others, or are what a kernel writes. */
    ROW_SCATTERED = 256,
    ROW_RAGGED = 1024,
    ROW_CONVERTED = 512,
    ROW_PADDED = 512,      /* bytes of a row in scratch that make it long */
    NEAR_BYTES = 16 << 10, /* of a box in the first-level cache */
    ALL = INT32_MAX
};

/* The dims in which operand k moves, from its smallest steps to its largest; returns how many. */
static int moving_dims(int *dims, const stria_plan *plan, int k)
{
    int count = 0;
    for (int d = 0; d < plan->ndim; d++) {
        const uint64_t s = magnitude(plan->dims[d].s[k]);
        if (plan->dims[d].s[SRC] == 0) continue;
        int i = count++;
        for (; i > 0 && magnitude(plan->dims[dims[i - 1]].s[k]) > s; i--)
            dims[i] = dims[i - 1];
        dims[i] = d;
    }
    return count;
}

/* Lengthens the box along the dims in turn until `wanted` items are reached or the room is used. */
static int64_t grow(struct boxes *b, const int *dims, int count, int64_t wanted, int64_t room)
{
    for (int i = 0; i < count && wanted > 1 && room > 1; i++) {
        int64_t *size = &b->size[dims[i]];
        const int64_t n = b->plan.dims[dims[i]].n, most = *size * room;
        int64_t longer = wanted < most ? wanted : most;
        if (longer > n) longer = n;
        if (longer > *size) {
            room = room * *size / longer;
            *size = longer;
        }
        wanted = (wanted + *size - 1) / *size;
        if (*size < n) break;
    }
    return room;
}

/* Items that follow one another in a dense row of operand k, however long a box could get. */
static int64_t run_of(const stria_plan *plan, int k, const int *dims, int count, int64_t item)
{
    int64_t run = 1;
    for (int i = 0; i < count && run < BOX_ROW; i++) {
        const stria_dim *d = &plan->dims[dims[i]];
        if (d->s[k] != run * item) break;
        run *= d->n;
    }
    return run;
}

static int64_t moving_items(const stria_plan *plan, const int *dims, int count)
{
    int64_t n = 1;
    for (int i = 0; i < count && n < BOX_ROW; i++)
        n *= plan->dims[dims[i]].n;
    return n;
}

/* Every row of the output begins on a line. */
static bool lines_up(const stria_plan *plan)
{
    uintptr_t bits = (uintptr_t)plan->ptr[DST];
    for (int d = 1; d < plan->ndim; d++)
        bits |= (uintptr_t)plan->dims[d].s[DST];
    return bits % LINE == 0;
}

/* The whole plan is one box. */
static bool fits(const stria_plan *plan, int64_t room)
{
    int64_t items = 1;
    for (int d = 0; d < plan->ndim && items <= room; d++) {
        if (plan->dims[d].s[SRC] == 0) continue;
        if (plan->dims[d].n > room) return false;
        items *= plan->dims[d].n;
    }
    return items <= room;
}

/*
 * A row of some lines in the output first, then as much of the input in a row as there is room for:
 * long runs of reads are what memory is fastest at. Where both operands go through the dims in the
 * same order, small boxes have them too. Items that repeat take no room.
 */
static void choose_sizes(struct boxes *b, const int *out_dims, const int *in_dims, int count,
                         const struct conversion *how)
{
    const int32_t larger = how->out_item > how->in_item ? how->out_item : how->in_item;
    const int32_t item = !b->gather ? how->out_item : !b->scatter ? how->in_item : 2 * larger;
    const int32_t row = !b->scatter          ? ROW_CONVERTED
                        : lines_up(&b->plan) ? ROW_SCATTERED
                                             : ROW_RAGGED;
    const bool alike = memcmp(out_dims, in_dims, (size_t)count * sizeof *in_dims) == 0;
    const int64_t bytes = alike ? NEAR_BYTES : BOX_BYTES;
    int64_t room = (bytes - bytes / (ROW_PADDED / LINE)) / item;
    const bool all = fits(&b->plan, room);
    for (int d = 0; d < b->plan.ndim; d++)
        b->size[d] = all || b->plan.dims[d].s[SRC] == 0 ? b->plan.dims[d].n : 1;
    if (all) return;
    room = grow(b, out_dims, count, row / how->out_item, room);
    room = grow(b, in_dims, count, ALL, room);
    (void)grow(b, out_dims, count, ALL, room);
}

/*
 * Dense, but for one line after the first dims that make a long row: rows at a distance of a power
 * of two would compete for the same few sets of the caches.
 */
static void set_scratch(struct boxes *b, int operand, const int *dims, int count, int64_t item)
{
    int64_t bytes = item;
    for (int d = 0; d < b->plan.ndim; d++)
        b->plan.dims[d].s[operand] = 0;
    for (int i = 0; i < count; i++) {
        const bool was_short = bytes < ROW_PADDED;
        b->plan.dims[dims[i]].s[operand] = bytes;
        bytes *= b->size[dims[i]];
        if (was_short && bytes >= ROW_PADDED) bytes += LINE;
    }
}

/* The moving dims in the order given, then the others. */
static void set_order(int *order, const stria_plan *plan, const int *dims, int count)
{
    memcpy(order, dims, (size_t)count * sizeof dims[0]);
    for (int d = 0; d < plan->ndim; d++)
        if (plan->dims[d].s[SRC] == 0) order[count++] = d;
}

void stria__boxes_make(struct boxes *out, const stria_plan *plan, const struct conversion *how,
                       bool keep_src)
{
    int out_dims[STRIA_MAX_NDIM], *const in_dims = out->by_input;
    out->plan.ndim = plan->ndim;
    out->plan.nops = BOX_OPERANDS;
    memcpy(out->plan.dims, plan->dims, (size_t)plan->ndim * sizeof plan->dims[0]);
    memcpy(out->plan.ptr, plan->ptr, 2 * sizeof plan->ptr[0]);
    const int count = moving_dims(out_dims, plan, DST);
    out->moving = moving_dims(in_dims, plan, SRC);
    out->in_item = how->in_item;
    const int64_t worth = least(moving_items(plan, in_dims, count), BOX_ROW);
    const bool rows_in = !keep_src && run_of(plan, SRC, in_dims, count, how->in_item) >= worth;
    const bool rows_out =
        count == plan->ndim && run_of(plan, DST, out_dims, count, how->out_item) >= worth;
    /* Where both have rows, the side with the smaller items is rearranged. */
    out->gather = !rows_in || (rows_out && how->in_item < how->out_item);
    out->scatter = !rows_out || !out->gather;
    choose_sizes(out, out_dims, in_dims, count, how);
    const int *dims = out->gather ? out_dims : in_dims;
    set_scratch(out, GATHERED, dims, count, how->in_item);
    set_scratch(out, CONVERTED, dims, count, how->out_item);
    set_order(out->order, plan, dims, count);
}
