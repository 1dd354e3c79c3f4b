/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packs columns of rows that lie far apart into rows of a buffer. Only a cache line or two are read
 * of each source row, so the hardware prefetcher does not know where the next row begins: the next
 * rows are prefetched while others are transposed. The rows may have any number of dims and any
 * distance. They are packed side by side first, where they cause no conflict misses.
 */
#ifndef STRIA_SRC_OPS_PANEL_H
#define STRIA_SRC_OPS_PANEL_H

#include "stria/plan.h"

enum {
    PANEL_ITEM = 16, /* longest item, in bytes */
    PANEL_RUN = 256  /* most bytes of a row */
};

/* The rows are the first `ndim` dims of operand 0 of a plan, and each has `columns` dense items. */
struct panel {
    const stria_plan *plan;
    int ndim;
    const char *from; /* the first item of the first row */
    int64_t columns, item;
};

/*
 * Writes to `stage`, densely, the first item of every row, then the second of every row, and so on.
 */
void stria__panel_gather(char *stage, const struct panel *panel);

#endif
