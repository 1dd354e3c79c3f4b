/* SPDX-License-Identifier: BSD-3-Clause */
/* What is checked before a byte moves. */
#ifndef STRIA_SRC_OPS_COPY_CHECK_H
#define STRIA_SRC_OPS_COPY_CHECK_H

#include <stdint.h>

#include "buffer.h"
#include "engine/span.h"
#include "stria/plan.h"
#include "threads.h"
#include "view/view.h"

/* The first check of every copy: two views, and an exec or NULL. */
static inline stria_status stria__check_operands(const stria_view *dst, const stria_view *src,
                                                 const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(dst, "copy", "dst"));
    STRIA_TRY(stria__check_view(src, "copy", "src"));
    return stria__check_exec(exec, "copy");
}

/* `what` may be written: it is a view, and not read-only. op and what are for messages. */
stria_status stria__check_writable(const stria_view *a, const char *op, const char *what);

/*
 * Each dim of the output steps over everything that the dims inside it span, so that no two
 * elements share a byte. Where it is false they may.
 */
bool stria__steps_clear(const stria_plan *plan, int64_t item);

/* No two elements of dst share a byte; plan is over dst first. OVERLAP. */
stria_status stria__check_itself(const stria_view *dst, const stria_plan *plan, const char *op,
                                 const char *what);

/* dst may be written, in memory that exists: stria_is_writable, and no meta buffer. */
static inline bool stria__is_open(const stria_view *dst)
{
    return !(dst->flags & STRIA_READONLY) && stria__buffer_is_open(dst->buffer);
}

#endif
