/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways to run a program over a part of a call's plan. They are rows of a table in ways.c; the
 * first that takes a plan runs it. Blocks, the last, take every plan.
 */
#pragma once

#include "engine/block.h"

struct way {
    /* Name, in explanations, of the unit that passes through the program at once. */
    const char *name;
    /*
     * Returns 0 for a plan that it does not take. If `stage` is not NULL, it sets the stages of
     * operands that have some, and returns the items that pass at once; else any other number.
     */
    int64_t (*takes)(enum stage *stage, const struct call *call, const stria_plan *plan);
    /*
     * Runs a plan that it takes. Returns false, with nothing done, if there is no scratch memory.
     * Its non-temporal stores are ordered by the caller.
     */
    bool (*run)(const struct call *call, const stria_plan *plan);
};

/* Defined in direct.c. */
extern const struct way stria__way_direct, stria__way_small_cast, stria__way_streamed_cast;
extern const struct way stria__way_panels;     /* Defined in panels.c. */
extern const struct way stria__way_row_pieces; /* Defined in row_pieces.c. */
extern const struct way stria__way_blocks;     /* Defined in run.c. */

/*
 * Runs row pieces over a part of a block; each operand that has a bit in `staged` lies where it was
 * staged. Returns false if row pieces do not take it.
 */
bool stria__run_row_pieces(const struct call *call, const stria_plan *plan, uint32_t staged);
