/* SPDX-License-Identifier: BSD-3-Clause */
/* What the caches hold, what comes from memory, and the sizes of blocks and tiles. */
#include "derive.h"

/*
 * rows_followed: a Xeon with a second-level cache of 2 MiB reads more than 32 rows side by side at
 * three quarters of the speed. On a Zen 4 longer pieces of output gain more than its prefetchers
 * do, so that there is no limit. side_by_side.run: beginning and ending shorter rows costs more
 * than reading many side by side gains. Where the hardware follows them, that is so of less than
 * two lines.
 *
 * slab_columns: slabs of transposed f32 of 1000x33 to 1000x1000 take 1.05 to 1.3 times as long as
 * whole source rows on a Zen 4, and 0.8 times from 33x1000 on, whose output has more rows than the
 * first level has lines. CPUs with a larger first level were measured with slabs alone.
 *
 * near_l1: 8 KiB of indexed rows on a Zen 4, whose first level has 32 KiB. lies_in_l2: more loses
 * some percent where it does lie there, and takes half the time from memory (Zen 4 and Xeon,
 * transposed tiles). far_*: where prefetching by hand begins to pay (Zen 4 and Xeon). The kinds of
 * access differ in how well the hardware reads ahead by itself from the third level.
 */
static void set_caches(struct stria__machine *m)
{
    const int64_t l2 = m->l2.size;
    m->page = PAGE;
    m->rows_followed = l2 > MIB ? 32 : 0;
    m->side_by_side_run = m->rows_followed > 0 ? 2 * LINE : LONG_RUN;
    m->l2_period = l2 / L2_WAYS_LEAST;
    m->slab_columns = m->l1.size <= 32 * KIB ? 4 : 0;
    m->near_l1 = m->l1.size / 4;
    m->fits_l2 = l2 / 2;
    m->lies_in_l2 = l2 / 4;
    m->repeats = l2 / 2 > 32 * KIB ? l2 / 2 : 32 * KIB;
    m->repeats_few = l2 / 64;
    m->many_items = l2 / 128;
    m->far_items = 8 * l2;
    m->far_boxes = m->far_lines = 6 * l2;
    m->far_gaps = 4 * l2;
    m->far_stream = 16 * l2;
}

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
 * block: room for 512 rows of four lines in a second level of 512 KiB; A + B.T of f32 from memory
 * is 1.3 times as fast as with half of it on a Zen 3, whose pages of 4 KiB are then used up.
 *
 * lines_ahead: few enough to stay in a second level of 8 ways where rows at distances of a power of
 * two share some of its sets. A block of B.T from memory takes 0.7 of the time with 128 instead of
 * 32 on a Zen 4, and 0.8 with 64.
 *
 * unfetched_row, unfetched_flipped: f32 a * b + c * d - e / f from memory takes 0.65 of the time
 * without prefetches on a Zen 4, where(a < b, c, d) 0.8, of three inputs 0.95 to 1.1; in rows of 16
 * KiB with gaps 1.1 to 1.3. A sum with a flipped operand takes 0.7 to 0.9, in rows of a kilobyte
 * 1.4. Every second element takes 0.85 while the machine is quiet, and up to 1.5 beside other work.
 * Of a Zen 5 and others with a larger first level, where three inputs want prefetches, it is not
 * known.
 */
static void set_programs(struct stria__machine *m)
{
    m->strip = between(4 * KIB, m->l1.size / 3, 32 * KIB);
    m->direct_strip = between(4 * KIB, m->l1.size, 32 * KIB);
    m->block = between(16 * KIB, m->l2.size / 16 * 5, 256 * KIB);
    m->lines_ahead = between(32, m->l2.size / (8 * KIB), 128);
    m->box = between(16 * KIB, m->l2.size / 32 * 5, 256 * KIB);
    m->unfetched_row = m->l1.size <= 32 * KIB ? 64 * KIB : INT64_MAX;
    m->unfetched_flipped = m->l1.size <= 32 * KIB ? 2 * KIB : INT64_MAX;
}

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
 * rows_ahead, columns_ahead: 64 MiB of f32 from memory on an Emerald Rapids, without prefetches and
 * so far ahead: sum 8.0 and 4.9 ms, max 6.3 and 4.3, argmax 6.3 and 4.5, var 17.2 and 10.5 (4 KiB
 * ahead is within 10 % of that), sum(0) 5.9 and 4.9 (8 KiB ahead no gain). On a Zen 4 all of them
 * lose 5 to 20 %.
 *
 * None is larger than what was measured, since scratch comes from an arena of one size.
 *
 * scan_tile: 64 KiB of f64 in the second level of a Zen 4, with what is read.
 */
static void set_reductions(struct stria__machine *m)
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
    m->rows_ahead = m->rows_followed > 0 ? 8 * KIB : 0;
    m->columns_ahead = m->rows_followed > 0 ? KIB : 0;
    m->scan_tile = between(2 * KIB, l2 / 128, 8 * KIB);
}

void stria__machine_sizes(struct stria__machine *m)
{
    set_caches(m);
    set_programs(m);
    set_reductions(m);
}
