/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy that was checked: its plan, what happens to the values, how the operands lie. */
#ifndef STRIA_SRC_OPS_COPY_JOB_H
#define STRIA_SRC_OPS_COPY_JOB_H

#include "ops/convert/convert.h"
#include "stria/plan.h"

struct copy_job {
    stria_plan nest; /* over (dst, src) */
    struct conversion how;
    enum {
        NOTHING, /* no bytes to move: empty, or the same elements already */
        META,    /* no bytes to move, but a plan to tell about */
        DISJOINT,
        SAME, /* the very same elements, whose values change */
        OVERLAPPING
    } operands;
};

/*
 * Every check that a copy makes, in this order: rights, conversion, shapes, a destination that
 * overlaps itself, operands that overlap where exec forbids it. exec may be NULL.
 */
stria_status stria__check_copy(struct copy_job *out, const stria_view *dst, const stria_view *src,
                               const stria_exec *exec);

#endif
