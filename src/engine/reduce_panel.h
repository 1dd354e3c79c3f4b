/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of one output whose order goes across memory. */
#ifndef STRIA_SRC_ENGINE_REDUCE_PANEL_H
#define STRIA_SRC_ENGINE_REDUCE_PANEL_H

#include "reduce_plan.h"
#include "stria/alloc.h"

/* Decides whether a plan of rows in scratch is run by panels: panel.across is not 0 then. */
void stria__reduce_panel_plan(struct reduce_plan *plan);

/* Computes the columns and rows of a tile, for which the scratch of the plan has room. */
void stria__reduce_panel_tile(const struct reduce_plan *plan, int64_t *wide, int64_t *tall);

/*
 * Adds room for the accumulators of a panel's leaves to the scratch of the plan; false where there
 * is too little.
 */
bool stria__reduce_panel_place(struct reduce_plan *plan, int64_t accumulator);

/* Memory for the accumulators of a panel's leaves, `each` bytes for every leaf. */
struct reduce_store {
    char *memory;
    int64_t leaves, each;
    stria_allocator from;
    size_t taken; /* bytes from there; 0: it is in scratch */
};

/*
 * Takes memory for up to `leaves` of them; where there is none, the store is the part of the
 * scratch.
 */
void stria__reduce_store_take(struct reduce_store *store, const struct reduce_run *run,
                              int64_t leaves, bool deviations);
void stria__reduce_store_give(struct reduce_store *store);

/*
 * Combines leaves first .. last - 1, at most store->leaves, into the store. center is that of
 * deviations; NULL for other folds.
 */
void stria__reduce_panel(struct reduce_run *run, struct reduce_store *store,
                         const struct fold_kernels *fold, int64_t first, int64_t last,
                         const double *center);

#endif
