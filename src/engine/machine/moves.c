/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs that are worth streaming, and transposed tiles. */
#include "derive.h"

/*
 * long_run, long_items, long_repeat: a partial line is read before it is written, which costs
 * little beside so many whole ones. gap_share: the caches write runs with gaps of two or three
 * lines like one run where gaps are a twelfth of them.
 *
 * span: up to twice of that where the runs of input would be shorter than span_run. Its tiles stay
 * in the first level.
 */
static void set_runs(struct stria__machine *m)
{
    m->long_run = KIB;
    m->long_items = STEPS_STREAMED;
    m->long_repeat = 512;
    m->gap_share = 12;
    m->sparse = 8;
    m->span = 32 * KIB;
    m->span_run = 2 * LINE;
    m->span_tile = 8 * KIB;
}

/*
 * tile_run, tile_row: the hardware prefetcher follows rows of a page of the input, and the constant
 * step between rows of the output. tile_small: of a smaller matrix it takes longer to cut tiles
 * than to transpose it.
 *
 * stream_side: beginning and ending shorter rows costs more than reading many side by side gains.
 * Where the hardware follows them, that is so of less than two lines.
 *
 * stage_run, stage_row: the buffer stays in the second level. stage_whole: rows of so many bytes
 * lie side by side in the input, so that memory is read in order.
 */
static void set_tiles(struct stria__machine *m)
{
    m->tile_run = PAGE;
    m->tile_row = KIB;
    m->tile_small = 64;
    m->stream_tile = 16 * KIB;
    m->stream_side = m->rows_followed > 0 ? 2 * LINE : m->long_run;
    m->stream_piece = 512;
    m->stage_run = 256;
    m->stage_row = 384;
    m->stage_whole = 2 * KIB;
    m->stage_few = 4;
    m->stage_few_row = 2 * KIB;
    m->finished_row = 2 * KIB;
    m->rows_tile_run = KIB;
    m->rows_tile = 2 * KIB;
}

void stria__machine_moves(struct stria__machine *m)
{
    set_runs(m);
    set_tiles(m);
}
