/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the rows of one operand of a transposition begin: anywhere, by a table of offsets, or
 * evenly spaced. What takes them is always inlined, so that compilers know which: the addresses of
 * evenly spaced rows are made of a few registers, and nothing is loaded but items.
 */
#ifndef STRIA_SIMD_ROWS_AT_H
#define STRIA_SIMD_ROWS_AT_H

/* How they are written: past the caches, or into them while the line that follows is fetched. */
enum put { PUT, PUT_PAST, PUT_ON };

struct rows_at {
    bool even;
    const int64_t *table; /* of rows that are not evenly spaced */
    int64_t first, pitch; /* of those that are */
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

/* Without the first k. */
static ALWAYS_INLINE struct rows_at rows_from(struct rows_at rows, int64_t k)
{
    if (rows.even)
        rows.first += k * rows.pitch;
    else
        rows.table += k;
    return rows;
}

/* The same, but that `base` moves on where rows are evenly spaced: one addition in a loop. */
static ALWAYS_INLINE void rows_on(char **base, struct rows_at *rows, int64_t k)
{
    if (rows->even)
        *base += k * rows->pitch;
    else
        rows->table += k;
}

#endif
