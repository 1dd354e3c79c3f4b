/* SPDX-License-Identifier: BSD-3-Clause */
#include "abreast.h"

#include "cpu.h"
#include "simd/kernels.h"

bool stria__collides(const struct side *side, int64_t rows)
{
    enum { WAYS = 4 /* left to the rows; the output and the next lines need some too */ };
    const int64_t n = side->inner * side->block;
    uint64_t sets = 0;
    if (rows > n) rows = n;
    for (int64_t i = 0; i < rows; i++)
        sets |= (uint64_t)1 << (((uint64_t)side->at[i] / LINE) % 64);
    return rows > WAYS * __builtin_popcountll(sets);
}

bool stria__side_by_side(const struct tiling *t, int64_t rows)
{
    enum { WAYS = 8 };
    const uint64_t period = (uint64_t)stria__cpu_l2() / WAYS;
    const int64_t n = t->q.inner * t->q.block;
    int64_t same = 0;
    for (int64_t i = 0; i < n && i < rows; i++)
        same += ((uint64_t)t->q.at[i] & (period - 1)) < LINE;
    return same <= WAYS;
}

bool stria__follows_rows(void)
{
    return stria__cpu_l2() > 1 << 20;
}

int64_t stria__rows_most(int64_t item)
{
    enum { FOLLOWED = 32 };
    if (!stria__follows_rows()) return ROWS_MOST;
    return item < LANE / 4 ? 2 * FOLLOWED : FOLLOWED;
}

int64_t stria__twofold_most(const struct tiling *t, int64_t rows)
{
    if (!stria__side_by_side(t, rows)) return ROWS_MOST;
    return stria__follows_rows() ? 0 : ROWS_MOST / 2;
}
