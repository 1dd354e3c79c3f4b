/* SPDX-License-Identifier: BSD-3-Clause */
/* Square transpositions: a tile and its mirror image are swapped through the scratch memory. */
#include <string.h>

#include "base/integers.h"
#include "in_place.h"
#include "plan/threads.h"
#include "engine/program.h"
#include "machine/machine.h"
#include "plan/plan.h"

void stria__copy_runs(char *out, char *in, int64_t run, const stria_dim dims[3])
{
    static const stria_exec near = {.threads = 1, .hints = STRIA_WILL_READ_SOON};
    stria_plan plan;
    plan.nops = 2;
    plan.ndim = 3;
    plan.ptr[0] = out;
    plan.ptr[1] = in;
    memcpy(plan.dims, dims, 3 * sizeof dims[0]);
    stria__plan_collapse(&plan, 0);
    stria__move(&plan, run, &near);
}

/* Copies rows x columns runs; strides may have either sign. */
static void copy_tile(char *out, int64_t so_row, int64_t so_column, char *in, int64_t si_row,
                      int64_t si_column, const int64_t n[2], int64_t run)
{
    stria__copy_runs(
        out, in, run,
        (stria_dim[]){{n[1], {so_column, si_column}}, {n[0], {so_row, si_row}}, {1, {0}}});
}

/* Swaps the tile of n[0] x n[1] runs at (x, y) with the one at (y, x). */
static void swap_tiles(const struct square *s, int64_t x, int64_t y, const int64_t n[2],
                       struct scratch *scratch)
{
    char *const tile = s->base + x * s->sx + y * s->sy, *const mirror =
                                                            s->base + y * s->sx + x * s->sy;
    const int64_t row = n[1] * s->run;
    copy_tile(scratch->panel, row, s->run, tile, s->sx, s->sy, n, s->run);
    if (x != y) copy_tile(tile, s->sx, s->sy, mirror, s->sy, s->sx, n, s->run);
    copy_tile(mirror, s->sy, s->sx, scratch->panel, row, s->run, n, s->run);
}

static void swap_all(const struct square *s, struct scratch *scratch)
{
    const int64_t side = s->run < SQUARE_ROW ? least(SQUARE_ROW / s->run, SQUARE_SIDE) : 1;
    for (int64_t x = 0; x < s->n && !stria__is_stopped(); x += side)
        for (int64_t y = x; y < s->n; y += side)
            swap_tiles(s, x, y, (int64_t[]){least(side, s->n - x), least(side, s->n - y)}, scratch);
}

void stria__square(const struct square *square, struct scratch *scratch)
{
    const int64_t run = SQUARE_RUN;
    for (int64_t at = 0; at < square->run; at += run) {
        struct square piece = *square;
        piece.base += at;
        piece.run = least(run, square->run - at);
        swap_all(&piece, scratch);
    }
}
