/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes over views by itself: public walks, transpositions in place, indexing, hashes. */
#include "derive.h"

/*
 * walk.inner: conflict misses leave room for few lines.
 *
 * hash.direct: a call of the hash costs as much as half a kilobyte of it, and so does gathering.
 * hash.near: mostly in the first level, beside the rows that are gathered into it.
 */
void stria__machine_views(struct stria__machine *m)
{
    m->walk.inner = 16;
    m->walk.inner_few = 8;
    m->walk.inner_most = 64;
    m->walk.last = 512;
    m->square.row = 256;
    m->square.side = 64;
    m->square.run = 64 * KIB;
    m->rectangle.long_run = KIB;
    m->rectangle.split_below = 256;
    m->rectangle.squares_below = 3 * KIB / 2;
    m->rectangle.split_least = 512;
    m->rectangle.split_most = 8 * KIB;
    m->indexing.few = 8;
    m->indexing.few_own = 3;
    m->indexing.row = 4;
    m->indexing.columns_least = 128;
    m->indexing.columns_most = 4096;
    m->indexing.unchecked = 2048;
    m->mask.few = 32;
    m->mask.row = 64;
    m->mask.items = 128;
    m->indexing.ordered = 256;
    m->indexing.ordered_share = 4;
    m->repeat_item = 256;
    m->triangle_small = 64 * KIB;
    m->numbers_direct = 4 * KIB;
    m->hash.near = 12 * KIB;
    m->hash.large = MIB;
    m->hash.direct = 700;
}
