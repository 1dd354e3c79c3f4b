/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways to run a program over a part of a call's plan that need no blocks, in the order in which
 * stria__run_blocks tries them. Each returns false for calls that it does not take, and where there
 * is no scratch; nothing happened then. The three that are said to be streamed are for calls that
 * stream, and end with a fence.
 */
#ifndef STRIA_SRC_ENGINE_WAYS_H
#define STRIA_SRC_ENGINE_WAYS_H

#include "engine/program.h"

/* One instruction that takes the operands as they lie. */
bool stria__is_direct(const struct call *call, const stria_plan *plan);
void stria__run_direct(const struct call *call, const stria_plan *plan);

/*
 * A cast to a dense output whose whole input fits in scratch: it is gathered there as a copy would
 * be, in the order of the output, and cast in one row. Blocks and strips cost more than that.
 */
bool stria__is_small_cast(const struct call *call, const stria_plan *plan);
bool stria__run_small_cast(const struct call *call, const stria_plan *plan);

/* A cast by one kernel of long dense rows, streamed, without a strip of scratch. */
bool stria__stream_cast(const struct call *call, const stria_plan *plan);

/*
 * Runs a streaming call whose output rows begin on lines, and whose inputs lie so, but for those
 * that repeat one element; the items of one input are no smaller than the output's.
 */
bool stria__transposed_lines(const struct call *call, const stria_plan *plan);

/* A streamed call some of whose inputs are dense along another dim than the output. */
bool stria__run_panels(const struct call *call, const stria_plan *plan);

/*
 * Runs a call that streams or reads from memory, or has one short row, and whose operands are all
 * dense or repeated along the rows of plan. The plan has them where they lie or, for each bit of
 * `staged`, where that operand was staged. A fence must follow where the call streams.
 */
bool stria__run_row_pieces(const struct call *call, const stria_plan *plan, uint32_t staged);

#endif
