/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Casts from memory to items that are no larger, of an input that is dense along another dim than
 * the output. Of many rows of the input, side by side, as many items are cast as make a line of the
 * output, and transposed from there: the block of scratch that other programs go by would take its
 * rows from page to page, which memory is half as fast at.
 */
#ifndef STRIA_SRC_ENGINE_TRANSPOSED_CAST_H
#define STRIA_SRC_ENGINE_TRANSPOSED_CAST_H

#include <stdbool.h>

#include "engine/call.h"

/*
 * Tells whether it ran: a streaming call that is one cast to items that are no larger, whose output
 * rows begin on lines.
 */
bool stria__transposed_cast(const struct call *call, const stria_plan *plan);

#endif
