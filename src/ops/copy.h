/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that were checked, as a call with the relation of its operands; and fills of one dense
 * run. */
#pragma once

#include "engine/program.h"

struct copy_job {
    struct call call;             /* Not decided yet. */
    stria_plan plan;              /* A plan over (dst, src). */
    struct short_program program; /* The one cast, if there is a conversion. */
    enum {
        NOTHING, /* No bytes have to move: the copy is empty, or of the same elements. */
        META,    /* No bytes have to move, but there is a plan to explain. */
        DISJOINT,
        SAME, /* Both are the same elements, and their values change. */
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
 * Fills a checked view and returns true if it is one dense run, so small that neither threads nor
 * streaming pay; item is not NULL. Otherwise returns false and has done nothing.
 */
bool stria__fill_flat(const stria_view *dst, const void *item, const stria_exec *exec);
