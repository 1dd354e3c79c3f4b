/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs over long dense rows that come from memory. A row goes through the program in pieces of
 * a kilobyte, so that memory is read and written side by side: longer pieces would leave it unread
 * while they are written. Later pieces are prefetched, unless the hardware does that better, and
 * results of calls that stream are stored non-temporally. A single short row is one piece, and
 * nothing is prefetched.
 */
#ifndef STRIA_SRC_ENGINE_ROW_PIECES_H
#define STRIA_SRC_ENGINE_ROW_PIECES_H

#include <stdbool.h>

#include "engine/call.h"

/*
 * Runs a call that streams or reads from memory, or has one short row, and whose operands are all
 * dense or repeated along the rows of plan. The plan has them where they lie or, for each bit of
 * `staged`, where that operand was staged. Returns false for other calls, of which nothing
 * happened. A fence must follow where the call streams.
 */
bool stria__run_row_pieces(const struct call *call, const stria_plan *plan, uint32_t staged);

#endif
