/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs that are worth streaming, and transposed tiles. */
#include "derive.h"

/*
 * long_run, long_items, long_repeat: a partial line is read before it is written, which costs
 * little beside so many whole ones. gap_share: the caches write runs with gaps of two or three
 * lines like one run where gaps are a twelfth of them.
 *
 * span.bytes: up to twice of that where the runs of input would be shorter than span.run. Its tiles
 * stay in the first level.
 */
static void set_runs(struct stria__machine *m)
{
    m->long_run = KIB;
    m->long_items = STEPS_STREAMED;
    m->long_repeat = 512;
    m->gap_share = 12;
    m->sparse = 8;
    m->span.bytes = 32 * KIB;
    m->span.run = 2 * LINE;
    m->span.tile = 8 * KIB;
}

/*
 * tile.run, tile.row: the hardware prefetcher follows rows of a page of the input, and the constant
 * step between rows of the output. tile.whole: of a smaller matrix it takes longer to cut tiles
 * than to transpose it.
 *
 * side_by_side.run: beginning and ending shorter rows costs more than reading many side by side
 * gains. Where the hardware follows them, that is so of less than two lines.
 *
 * stage.run, stage.row: the buffer stays in the second level. stage.whole_run: rows of so many
 * bytes lie side by side in the input, so that memory is read in order.
 */
static void set_tiles(struct stria__machine *m)
{
    m->tile.run = PAGE;
    m->tile.row = KIB;
    m->tile.whole = 64;
    m->tile.streamed = 16 * KIB;
    m->side_by_side.run = m->rows_followed > 0 ? 2 * LINE : m->long_run;
    m->side_by_side.piece = 512;
    m->stage.run = 256;
    m->stage.row = 384;
    m->stage.whole_run = 2 * KIB;
    m->stage.few = 4;
    m->stage.few_row = 2 * KIB;
    m->stage.finished_row = 2 * KIB;
    m->rows_tile.run = KIB;
    m->rows_tile.least = 2 * KIB;
}

void stria__machine_moves(struct stria__machine *m)
{
    set_runs(m);
    set_tiles(m);
}
