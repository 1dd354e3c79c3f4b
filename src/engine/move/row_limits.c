/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_limits.h"

#include "checked.h"
#include "engine/machine.h"
#include "simd/kernels.h"

/*
 * Counts the sets of a first-level cache, of the 64 or more that it has, that n of the rows fall
 * onto.
 */
static int sets_of(const struct row_places *rows, int64_t n)
{
    uint64_t sets = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t line = (uint64_t)(rows->at ? rows->at[i] : i * rows->pitch) / LINE;
        sets |= (uint64_t)1 << line % 64;
    }
    return __builtin_popcountll(sets);
}

/* Tells whether a line of each of n rows, or of all, takes more than so many ways of their sets. */
static bool are_crowded(const struct row_places *rows, int64_t n, int64_t ways)
{
    if (n > rows->n) n = rows->n;
    return n > ways * sets_of(rows, n);
}

bool stria__collides(const struct side *side, int64_t rows)
{
    const struct row_places places = {side->at, 0, side->inner * side->block};
    return are_crowded(&places, rows, stria__machine()->ways_for_rows);
}

/*
 * Two adjacent lines of a source row arrive sooner than single ones, except for items of one byte,
 * which have 64 rows to a line.
 */
struct column_slabs stria__slabs(int64_t item, const struct row_places *out,
                                 const struct row_places *in)
{
    const struct stria__machine *const m = stria__machine();
    if (item > LANE) return (struct column_slabs){0};
    const int64_t lane = LANE / item, line = LINE / item, columns = item == 1 ? line : 2 * line,
                  ways = 2 * m->ways_for_rows;
    struct column_slabs slabs = {.columns = columns};
    if (!are_crowded(out, columns, ways)) return slabs;
    const int64_t most = ways * sets_of(out, least(out->n, columns));
    slabs.few = most < lane ? lane : most / lane * lane;
    slabs.height = m->fits_l1 / (columns * item + LINE) / line * line;
    if (are_crowded(in, slabs.height, ways)) slabs.height = 0;
    return slabs;
}

bool stria__side_by_side(const struct tiling *t, int64_t rows)
{
    const struct stria__machine *const m = stria__machine();
    const uint64_t period = (uint64_t)m->l2_period;
    const int64_t n = t->q.inner * t->q.block;
    int64_t same = 0;
    for (int64_t i = 0; i < n && i < rows; i++)
        same += ((uint64_t)t->q.at[i] & (period - 1)) < LINE;
    return same <= m->l2_ways_least;
}

bool stria__follows_rows(void)
{
    return stria__machine()->rows_followed > 0;
}

int64_t stria__rows_most(int64_t item)
{
    const int64_t followed = stria__machine()->rows_followed;
    if (followed == 0) return ROWS_MOST;
    return item < LANE / 4 ? 2 * followed : followed;
}

int64_t stria__two_line_rows(const struct tiling *t, int64_t rows)
{
    if (!stria__side_by_side(t, rows)) return ROWS_MOST;
    return stria__follows_rows() ? 0 : ROWS_MOST / 2;
}
