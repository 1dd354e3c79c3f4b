/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways to run a program over a part of a call's plan: rows of a table in ways.c, the first of
 * which that takes a plan runs it, and tells how. Blocks, the last, take every plan.
 */
#ifndef STRIA_SRC_ENGINE_WAYS_H
#define STRIA_SRC_ENGINE_WAYS_H

#include "engine/block.h"

struct way {
    const char *name; /* of what passes through the program at once, in explanations */
    /*
     * Returns 0 for a plan that it does not take. Where stages are asked for, it sets those of
     * operands that have some, and returns the items that pass at once; else any other number.
     */
    int64_t (*takes)(enum stage *stage, const struct call *call, const stria_plan *plan);
    /*
     * Runs a plan that it takes. Returns false, and has done nothing, where there is no scratch
     * memory. What it stores non-temporally is ordered by who called it.
     */
    bool (*run)(const struct call *call, const stria_plan *plan);
};

/* direct.c */
extern const struct way stria__way_direct, stria__way_small_cast, stria__way_streamed_cast;
extern const struct way stria__way_panels;     /* panels.c */
extern const struct way stria__way_row_pieces; /* row_pieces.c */
extern const struct way stria__way_blocks;     /* run.c */

/*
 * Does what row pieces do over a part of a block, of which each operand that has a bit in `staged`
 * lies where it was staged. Returns false where they do not take it.
 */
bool stria__run_row_pieces(const struct call *call, const stria_plan *plan, uint32_t staged);

#endif
