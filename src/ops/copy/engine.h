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

/* plan is over (dst, src) that do not overlap; an empty one is allowed. */
struct decision stria__decide(const stria_plan *plan, int64_t item, const stria_exec *exec);
void stria__execute(const stria_plan *plan, const struct decision *decision,
                    const stria_exec *exec);

/* Both at once. */
void stria__engine(const stria_plan *plan, int64_t item, const stria_exec *exec);

#endif
