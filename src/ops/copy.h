/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy that was checked: a call, and how its operands overlap. And fills of one dense run. */
#ifndef STRIA_SRC_OPS_COPY_H
#define STRIA_SRC_OPS_COPY_H

#include "engine/program.h"

struct copy_job {
    struct call call;             /* not decided yet */
    stria_plan plan;              /* over (dst, src) */
    struct short_program program; /* one cast, where there is one */
    enum {
        NOTHING, /* no bytes to move: empty, or the same elements */
        META,    /* no bytes to move, but a plan to explain */
        DISJOINT,
        SAME, /* both are the same elements, whose values change */
        OVERLAPPING
    } operands;
};

/*
 * Makes every check of a copy, in this order: rights, conversion, shapes, a destination that
 * overlaps itself, operands that overlap where exec forbids it. exec may be NULL.
 */
stria_status stria__check_copy(struct copy_job *out, const stria_view *dst, const stria_view *src,
                               const stria_exec *exec);

/* Checks the arguments of a copy first: two views, and an exec or NULL. */
stria_status stria__check_operands(const stria_view *dst, const stria_view *src,
                                   const stria_exec *exec);

/*
 * Fills and returns true where a checked view is one dense run, so small that neither threads nor
 * streaming pay; item is not NULL. Otherwise returns false and has done nothing.
 */
bool stria__fill_flat(const stria_view *dst, const void *item, const stria_exec *exec);

#endif
