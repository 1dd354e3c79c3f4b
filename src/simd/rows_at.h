/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The addresses of the rows of a transposition's operand, given by a table of offsets or evenly
 * spaced. Functions that take them are always inlined, so that the compiler knows which: the
 * addresses of evenly spaced rows are then computed in a few registers and no offsets are loaded.
 */
#pragma once

/* Lines are stored through the caches, past them, or through them while the next is prefetched. */
enum store { STORE_PLAIN, STORE_STREAM, STORE_PREFETCH };

struct rows_at {
    bool even;
    const int64_t *table; /* offsets of rows that are not evenly spaced */
    int64_t first, pitch; /* offset of the first row and distance, for evenly spaced rows */
};

static inline struct rows_at listed(const int64_t *table)
{
    return (struct rows_at){false, table, 0, 0};
}

static inline struct rows_at spaced(int64_t pitch)
{
    return (struct rows_at){true, NULL, 0, pitch};
}

static ALWAYS_INLINE int64_t row_at(struct rows_at rows, int64_t k)
{
    return rows.even ? rows.first + k * rows.pitch : rows.table[k];
}

/* Drops the first k rows. */
static ALWAYS_INLINE struct rows_at rows_from(struct rows_at rows, int64_t k)
{
    if (rows.even)
        rows.first += k * rows.pitch;
    else
        rows.table += k;
    return rows;
}

/* Drops the first k rows; if evenly spaced, by advancing `base`, one addition in a loop. */
static ALWAYS_INLINE void rows_on(char **base, struct rows_at *rows, int64_t k)
{
    if (rows->even)
        *base += k * rows->pitch;
    else
        rows->table += k;
}
