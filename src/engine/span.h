/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that an operand of a plan spans, from which two operands are quickly told apart. */
#ifndef STRIA_SRC_ENGINE_SPAN_H
#define STRIA_SRC_ENGINE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "stria/plan.h"

/* Steps of the exact overlap decision before a call settles for a temporary. */
enum { OVERLAP_WORK = 4096 };

/* As addresses, from the lowest byte to the one after the highest. */
struct span {
    uintptr_t low, high;
};

/* Of operand k, whose items have `item` bytes; the plan is not empty. */
struct span stria__span_of(const stria_plan *plan, int k, int64_t item);

static inline bool stria__apart(struct span a, struct span b)
{
    return a.high <= b.low || b.high <= a.low;
}

#endif
