/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of reductions and scans. */
#include "derive.h"

/*
 * reduce_again: 8 bytes each in a quarter of the second level: var(1) of rows of 4096 f32 on a Zen
 * 4 reads memory once. So many are gathered at a time of several dims, f32 in an eighth of it.
 * reduce_staged: 64 KiB of f64 on a Zen 4, whose second level holds them with what is
 * read. reduce_lanes: half of its first level.
 *
 * wide_row: what fetches ahead knows long runs: rows of 512 bytes come from memory at half the
 * speed of rows of 16 KiB (sum(0) of f32, Zen 4). wide_scratch: such a tile has 16 lanes of 8 bytes
 * for each column, and the rest of the second level is left to what is read.
 *
 * reduce_direct: a plan costs 200 ns on a Zen 4, a tenth of what a maximum of so many f32 takes;
 * no thread is worth it before.
 *
 * passed_width: sums of rows of 2 to 8 f32 from memory take 0.6 to 0.8 of the time that they take
 * in tiles of 1024 outputs, if results are stored non-temporally, too (Zen 4).
 *
 * runs_block: 64 MiB of f32 in runs of 128 and 256 are summed 2.3 and 3 times as fast in blocks of
 * as many bytes, at most, as leaf by leaf (Zen 4).
 *
 * rows_ahead, columns_ahead: 64 MiB of f32 from memory on an Emerald Rapids, without prefetches and
 * so far ahead: sum 8.0 and 4.9 ms, max 6.3 and 4.3, argmax 6.3 and 4.5, var 17.2 and 10.5 (4 KiB
 * ahead is within 10 % of that), sum(0) 5.9 and 4.9 (8 KiB ahead no gain). On a Zen 4 all of them
 * lose 5 to 20 %.
 *
 * None is larger than what was measured, since scratch comes from an arena of one size.
 */
static void set_tiles(struct stria__machine *m)
{
    const int64_t l1 = m->l1.size, l2 = m->l2.size;
    m->reduce_again = between(4 * KIB, l2 / 32, 32 * KIB);
    m->reduce_staged = between(2 * KIB, l2 / 128, 8 * KIB);
    m->reduce_lanes = between(512, l1 / 16, 2 * KIB);
    m->wide_scratch = between(64 * KIB, l2 / 4 * 3, 768 * KIB);
    m->wide_row = between(4 * KIB, l1 / 2, 16 * KIB);
    m->reduce_direct = between(4 * KIB, l2 / 8, 128 * KIB);
    m->lanes_near = l1 / 4 * 3;
    m->passed = 4 * l2;
    m->passed_width = 512;
    m->runs_block = 4 * KIB;
    m->rows_ahead = m->rows_followed > 0 ? 8 * KIB : 0;
    m->columns_ahead = m->rows_followed > 0 ? KIB : 0;
}

/*
 * turned_row: fewer elements take a fraction of the time side by side as columns; of first extremes
 * more, since their rows are visited twice.
 *
 * across_rows: f32 of a line that lies across the rows.
 *
 * rows_passed: short rows come in narrow tiles, which let results be written while the next
 * elements are on their way.
 */
static void set_rows(struct stria__machine *m)
{
    m->turned_row = 96;
    m->turned_first = 96;
    m->staged_rows = 4;
    m->computed = 2;
    m->across_rows = LINE / 4;
    m->narrow = 8;
    m->run_called = 64;
    m->runs_together = 8;
    m->rows_passed = 5;
}

/* reduce_panel.store: 4096 columns of 32,000 elements. */
static void set_panels(struct stria__machine *m)
{
    m->reduce_panel.row = 512;
    m->reduce_panel.store = 4 * MIB;
    m->reduce_panel.leaves = 64;
    m->reduce_panel.columns = 32;
    m->reduce_panel.near_row = 2 * KIB;
}

/*
 * scan.tile: 64 KiB of f64 in the second level of a Zen 4, with what is read. scan.states: three
 * numbers for each line. scan.floats: along one line every result waits for the one before it, four
 * cycles where floats are added or multiplied; integers take one.
 */
static void set_scans(struct stria__machine *m)
{
    m->scan.tile = between(2 * KIB, m->l2.size / 128, 8 * KIB);
    m->scan.lines = 256;
    m->scan.states = KIB;
    m->scan.turned = 64;
    m->scan.floats = 512;
    m->scan.integers = 32;
}

void stria__machine_reductions(struct stria__machine *m)
{
    set_tiles(m);
    set_rows(m);
    set_panels(m);
    set_scans(m);
}
