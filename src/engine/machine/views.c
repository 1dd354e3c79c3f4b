/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes over views by itself: public walks, transpositions in place, indexing, hashes. */
#include "derive.h"

/*
 * walk_inner: conflict misses leave room for few lines.
 *
 * hash_direct: a call of the hash costs as much as half a kilobyte of it, and so does gathering.
 * hash_near: mostly in the first level, beside the rows that are gathered into it.
 */
void stria__machine_views(struct stria__machine *m)
{
    m->walk_inner = 16;
    m->walk_inner_few = 8;
    m->walk_inner_most = 64;
    m->walk_last = 512;
    m->square_row = 256;
    m->square_side = 64;
    m->square_run = 64 * KIB;
    m->cycle_run = KIB;
    m->split_below = 256;
    m->squares_below = 3 * KIB / 2;
    m->split_least = 512;
    m->split_most = 8 * KIB;
    m->indexed_few = 8;
    m->indexed_few_own = 3;
    m->indexed_rows = 4;
    m->columns_least = 128;
    m->columns_most = 4096;
    m->survey_from = 2048;
    m->mask_few = 32;
    m->mask_row = 64;
    m->mask_items = 128;
    m->ordered_items = 256;
    m->ordered_share = 4;
    m->repeat_item = 256;
    m->triangle_small = 64 * KIB;
    m->numbers_direct = 4 * KIB;
    m->hash_near = 12 * KIB;
    m->hash_large = MIB;
    m->hash_direct = 700;
}
