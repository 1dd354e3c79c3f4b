/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs from memory to memory whose inputs are all dense along another dim than the output. Of
 * many rows of the inputs, side by side, as many elements are computed as make a line of the
 * output, and transposed from there: the block of scratch that other programs go by would take its
 * rows from page to page, which memory is half as fast at.
 */
#ifndef STRIA_SRC_ENGINE_TRANSPOSED_LINES_H
#define STRIA_SRC_ENGINE_TRANSPOSED_LINES_H

#include <stdbool.h>

#include "engine/call.h"

/*
 * Tells whether it ran: a streaming call whose output rows begin on lines, and whose inputs, but
 * for those that repeat one element, lie so; the items of one of them are no smaller than the
 * output's.
 */
bool stria__transposed_lines(const struct call *call, const stria_plan *plan);

#endif
