/* SPDX-License-Identifier: BSD-3-Clause */
/* What the caches hold, and what comes from memory. */
#include "derive.h"

/*
 * Address caches: 48 entries in the first level is what the smallest of them had when the costs of
 * lines.c were fitted (Zen 4: 72, Golden Cove: 96, other data needs some), and 1536 is the second
 * level of Zen 2 and Skylake; larger ones only gain from more than is counted on.
 *
 * Rows that the prefetcher follows: a Xeon with a second-level cache of 2 MiB reads more than 32
 * rows side by side at three quarters of the speed. On a Zen 4 longer pieces of output gain more
 * than its prefetchers do, so that there is no limit.
 */
static void set_pages_and_rows(struct stria__machine *m)
{
    m->page = PAGE;
    m->pages_l1 = 48;
    m->pages_l2 = 1536;
    m->rows_followed = m->l2.size > MIB ? 32 : 0;
    m->run_followed = PAGE;
}

/*
 * First-level caches have 8 ways or more, and second-level ones 8 (Skylake) to 16.
 *
 * few_sets: lines in less than a sixth of the sets of the first level cost more to fetch again
 * (Zen 4). padded_period: rows of scratch that are a multiple of an eighth of a WAY apart would
 * fill every eighth set.
 *
 * slab_columns: slabs of transposed f32 of 1000x33 to 1000x1000 take 1.05 to 1.3 times as long as
 * whole source rows on a Zen 4, and 0.8 times from 33x1000 on, whose output has more rows than the
 * first level has lines. CPUs with a larger first level were measured with slabs alone.
 */
static void set_ways(struct stria__machine *m)
{
    m->ways_for_input = 6;
    m->ways_for_rows = 4;
    m->l2_ways_least = 8;
    m->l2_period = m->l2.size / m->l2_ways_least;
    m->few_sets = 6;
    m->padded_row = 4 * LINE;
    m->padded_period = WAY / 8;
    m->slab_columns = m->l1.size <= 32 * KIB ? 4 : 0;
}

/*
 * near_l1: 8 KiB of indexed rows on a Zen 4, whose first level has 32 KiB.
 *
 * fits_l1: up to 24 KiB of output, tiles that visit two lines of each source row are no faster than
 * others (Zen 4; a first level of 48 KiB holds so much with its input).
 *
 * lies_in_l2: more loses some percent where it does lie there, and takes half the time from memory
 * (Zen 4 and Xeon, transposed tiles).
 */
static void set_fits(struct stria__machine *m)
{
    const int64_t l2 = m->l2.size;
    m->near_l1 = m->l1.size / 4;
    m->fits_l1 = 24 * KIB;
    m->fits_l2 = l2 / 2;
    m->lies_in_l2 = l2 / 4;
    m->repeats = l2 / 2 > 32 * KIB ? l2 / 2 : 32 * KIB;
    m->repeats_few = l2 / 64;
    m->many_items = l2 / 128;
    m->few_items = 256;
}

/*
 * Where prefetching by hand begins to pay (Zen 4 and Xeon). The kinds of access differ in how well
 * the hardware reads ahead by itself from the third level.
 */
static void set_far(struct stria__machine *m)
{
    const int64_t l2 = m->l2.size;
    m->far_items = 8 * l2;
    m->far_boxes = 6 * l2;
    m->far_lines = 6 * l2;
    m->far_gaps = 4 * l2;
    m->far_stream = 16 * l2;
}

void stria__machine_caches(struct stria__machine *m)
{
    set_pages_and_rows(m);
    set_ways(m);
    set_fits(m);
    set_far(m);
}
