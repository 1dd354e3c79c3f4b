/* SPDX-License-Identifier: BSD-3-Clause */
#include "abreast.h"

#include "checked.h"
#include "engine/machine.h"
#include "simd/kernels.h"

/* How many sets of a first-level cache n rows fall onto, of the 64 that it has or more. */
static int sets_of(const int64_t *at, int64_t pitch, int64_t n)
{
    uint64_t sets = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t line = (uint64_t)(at ? at[i] : i * pitch) / LINE;
        sets |= (uint64_t)1 << line % 64;
    }
    return __builtin_popcountll(sets);
}

bool stria__collides(const struct side *side, int64_t rows)
{
    const int64_t n = side->inner * side->block;
    if (rows > n) rows = n;
    return rows > stria__machine()->ways_for_rows * sets_of(side->at, 0, rows);
}

/*
 * Two neighbouring lines of a row arrive sooner than lone ones, but the output has to have room for
 * twice as many rows meanwhile. What the second-level cache does not hold gains more by the former,
 * but for items of one byte, which have 64 rows to a line.
 */
int64_t stria__columns_beyond(int64_t bytes, int64_t item, const int64_t *at, int64_t pitch,
                              int64_t n)
{
    const struct stria__machine *const m = stria__machine();
    if (item == 1) return 1;
    const int64_t rows = least(n, 2 * LINE / item), crowd = 2 * m->ways_for_rows;
    return bytes > m->fits_l2 || rows <= crowd * sets_of(at, pitch, rows) ? 2 : 1;
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

int64_t stria__twofold_most(const struct tiling *t, int64_t rows)
{
    if (!stria__side_by_side(t, rows)) return ROWS_MOST;
    return stria__follows_rows() ? 0 : ROWS_MOST / 2;
}
