/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs from memory to memory whose inputs are all dense along another dim than the output. Many
 * rows of the inputs are read side by side; as many elements of each are computed as make a line of
 * the output, and are transposed from there. Blocks, as of other programs, would take rows of
 * scratch from page to page, at which memory is half as fast.
 */
#ifndef STRIA_SRC_ENGINE_TRANSPOSED_LINES_H
#define STRIA_SRC_ENGINE_TRANSPOSED_LINES_H

#include <stdbool.h>

#include "engine/call.h"

/*
 * Runs a streaming call whose output rows begin on lines, and whose inputs lie so, but for those
 * that repeat one element; the items of one input are no smaller than the output's. Returns false
 * for other calls, of which nothing happened.
 */
bool stria__transposed_lines(const struct call *call, const stria_plan *plan);

#endif
