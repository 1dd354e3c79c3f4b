/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips, blocks and pieces of programs. */
#include "derive.h"

/*
 * strip, box: a third of a first-level cache of 48 KiB, and less than a sixth of a second-level one
 * of 1 MiB, of which the rest is left to the lines that are read; sizes from half to twice of
 * either are within 10 % on a Zen 5.
 *
 * direct_strip: as much as a first-level cache of 32 KiB holds on a Zen 4: what an instruction
 * reads from further away passes through once. Against a third of that, programs of 2 to 5
 * instructions on arrays in the caches take 0.77 to 0.95 of the time, and with twice as much 1.05
 * to 1.15. Where strips are gathered from memory a third is better: 0.8 for A[:, ::2] + B.
 *
 * far_strip: nothing is read while a strip is stored past the caches, so that shorter ones leave
 * the hardware less to catch up on: i64 [::3] to f64 takes 0.75 of the time with 6 KiB instead
 * of 10.7, f32 [::-1, ::-2] to i32 0.7; with 3 KiB more of them are slower (Zen 4).
 *
 * block: room for 512 rows of four lines in a second level of 512 KiB; A + B.T of f32 from memory
 * is 1.3 times as fast as with half of it on a Zen 3, whose pages of 4 KiB are then used up.
 *
 * lines_ahead: few enough to stay in a second level of 8 ways where rows at distances of a power of
 * two share some of its sets. A block of B.T from memory takes 0.7 of the time with 128 instead of
 * 32 on a Zen 4, and 0.8 with 64.
 *
 * piece, piece_ahead: f32 additions and `where` from memory on a Zen 5, where pieces of 2 to 6 KiB
 * and prefetches from 1 to 4 KiB ahead are within 10 %; `where` without prefetches takes three
 * times as long. Rows of a block begin on other pages, before which the hardware does not read
 * ahead: A + B.T takes 12.4 ms with these pieces and prefetches, and 14.5 with those of whole rows
 * (Zen 4).
 *
 * unfetched_row, unfetched_flipped: f32 a * b + c * d - e / f from memory takes 0.65 of the time
 * without prefetches on a Zen 4, where(a < b, c, d) 0.8, of three inputs 0.95 to 1.1; in rows of 16
 * KiB with gaps 1.1 to 1.3. A sum with a flipped operand takes 0.7 to 0.9, in rows of a kilobyte
 * 1.4. Every second element takes 0.85 while the machine is quiet, and up to 1.5 beside other work.
 * Of a Zen 5 and others with a larger first level, where three inputs want prefetches, it is not
 * known.
 */
static void set_blocks(struct stria__machine *m)
{
    m->strip = between(4 * KIB, m->l1.size / 3, 32 * KIB);
    m->direct_strip = between(4 * KIB, m->l1.size, 32 * KIB);
    m->far_strip = 6 * KIB;
    m->block = between(16 * KIB, m->l2.size / 16 * 5, 256 * KIB);
    m->block_rows.row = 2 * KIB;
    m->block_rows.least = 512;
    m->block_rows.run = 4 * LINE;
    m->lines_ahead = between(32, m->l2.size / (8 * KIB), 128);
    m->box = between(16 * KIB, m->l2.size / 32 * 5, 256 * KIB);
    m->piece = 3 * KIB;
    m->piece_ahead = KIB;
    m->block_piece = 3 * KIB / 2;
    m->block_piece_ahead = 2 * KIB;
    m->piece_output = KIB;
    m->piece_scratch = 16 * KIB;
    m->adjacent_row = 512;
    m->unfetched_inputs = 4;
    m->unfetched_row = m->l1.size <= 32 * KIB ? 64 * KIB : INT64_MAX;
    m->unfetched_flipped = m->l1.size <= 32 * KIB ? 2 * KIB : INT64_MAX;
}

/*
 * joined_row, direct_items, call_rows: of so few a call of a kernel is much of the work.
 *
 * kept_from: the cost of planning does not matter beside so much, and one thread is enough below.
 *
 * lines.rows and what follows: of transposed lines, tiles of half or twice as many rows as simd has
 * room for side by side take 1.05 to 1.2 times as long (Zen 4).
 *
 * panel.row: sums of 4096^2 and 8192x2048 f32 and f64 from memory on a Zen 4 take 1.1 to 1.3 times
 * as long with 512 bytes, since rows of A that are read in longer pieces come faster, and 1.0
 * to 1.4 times with 2 KiB, as more rows of B are read side by side.
 */
static void set_rows(struct stria__machine *m)
{
    m->joined_row = 32;
    m->direct_items = 64;
    m->direct_row = 16;
    m->call_rows = 8;
    m->prepared_strips = 4;
    m->kept_from = 128 * KIB;
    m->lines.rows = 64;
    m->lines.row = 4;
    m->lines.fetched = 256;
    m->lines.loaded = 16;
    m->lines.tile = 64 * KIB;
    m->panel.row = KIB;
    m->panel.tile = 48 * KIB;
    m->panel.least_row = 2 * LINE;
    m->panel.lines = 4;
}

void stria__machine_programs(struct stria__machine *m)
{
    set_blocks(m);
    set_rows(m);
}
