/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of rows that lie far apart, turned into rows of a stage. Of each source row only a line
 * or two are read, so that the hardware does not foresee where reading goes on: the next rows are
 * fetched while some are transposed. The rows are those of any number of dims; whatever their
 * distance, they are set aside side by side first, where they cannot push each other out of the
 * caches.
 */
#ifndef STRIA_SRC_OPS_PANEL_H
#define STRIA_SRC_OPS_PANEL_H

#include "stria/plan.h"

enum {
    PANEL_ITEM = 16, /* longest item, in bytes */
    PANEL_RUN = 256  /* most bytes of a row */
};

/* The rows are the first `ndim` dims of operand 0 of a plan, each of `columns` dense items. */
struct panel {
    const stria_plan *plan;
    int ndim;
    const char *from; /* the first item of the first row */
    int64_t columns, item;
};

/* To `stage`, dense: the first item of every row, the second of every row, and so on. */
void stria__panel_gather(char *stage, const struct panel *panel);

#endif
