/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs over long dense rows whose results are stored non-temporally. A row goes through the
 * program in pieces of a kilobyte, so that memory is read and written side by side: longer pieces
 * would leave it unread while they are written.
 */
#ifndef STRIA_SRC_ENGINE_STREAM_ROWS_H
#define STRIA_SRC_ENGINE_STREAM_ROWS_H

#include <stdbool.h>

#include "engine/call.h"

/*
 * Whether it ran: a streaming call of which every operand is dense or repeated along the rows of
 * plan, which has the call's operands where they lie or where they were staged. To be followed by a
 * fence.
 */
bool stria__stream_rows(const struct call *call, const stria_plan *plan);

#endif
