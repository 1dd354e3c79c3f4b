/* SPDX-License-Identifier: BSD-3-Clause */
/* What every call checks of its operands before anything is written: rights and overlap. */
#ifndef STRIA_OPS_OPERANDS_H
#define STRIA_OPS_OPERANDS_H

#include <stdint.h>

#include "buffer.h"
#include "plan.h"
#include "stria/plan.h"
#include "threads.h"
#include "view/view.h"

/* Checks the arguments of a copy first: two views, and an exec or NULL. */
static inline stria_status stria__check_operands(const stria_view *dst, const stria_view *src,
                                                 const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(dst, "copy", "dst"));
    STRIA_TRY(stria__check_view(src, "copy", "src"));
    return stria__check_exec(exec, "copy");
}

/* Checks that `what` is a view and not read-only. op and what are for messages. */
stria_status stria__check_writable(const stria_view *a, const char *op, const char *what);

/*
 * Tells whether each dim of the output steps over everything that the dims inside it span, so that
 * no two elements share a byte. If it is false they may.
 */
bool stria__steps_clear(const stria_plan *plan, int64_t item);

/* Checks that no two elements of dst share a byte; dst is operand 0 of plan. OVERLAP. */
stria_status stria__check_itself(const stria_view *dst, const stria_plan *plan, const char *op,
                                 const char *what);

/* Tells whether dst may be written and has memory: stria_is_writable, and no meta buffer. */
static inline bool stria__is_open(const stria_view *dst)
{
    return !(dst->flags & STRIA_READONLY) && stria__buffer_is_open(dst->buffer);
}

#endif
