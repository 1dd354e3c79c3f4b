/* SPDX-License-Identifier: BSD-3-Clause */
/* The copy engine: what is done once everything has been checked. */
#ifndef STRIA_SRC_OPS_COPY_ENGINE_H
#define STRIA_SRC_OPS_COPY_ENGINE_H

#include "stria/plan.h"
#include "stria/threads.h"
#include "strategy.h"

/* How a copy will run. */
struct decision {
    const struct strategy *strategy;
    int64_t item; /* bytes of an element of the plan */
    int threads;
    bool stream;
};

/* Whether a copy of so many bytes bypasses the caches. exec may be NULL, here and below. */
bool stria__streams(const struct strategy *strategy, const struct nest *nest, int64_t bytes,
                    const stria_exec *exec);

/*
 * The nest is made from a plan over (dst, src), which do not overlap, with items of `item` bytes;
 * the strategy is the one for that nest.
 */
struct decision stria__decide(const struct nest *nest, const struct strategy *strategy,
                              int64_t item, const stria_exec *exec);
/* Runs that plan. */
void stria__execute(const stria_plan *plan, const struct decision *decision,
                    const stria_exec *exec);

/* Both at once; the plan may be empty. */
void stria__engine(const stria_plan *plan, int64_t item, const stria_exec *exec);

#endif
