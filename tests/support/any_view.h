/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random small views of every kind: dense in any order, with gaps, backwards, broadcast,
 * overlapping, unaligned, with sizes of 0 and 1, whose strides do not matter and may be anything.
 */
#pragma once

#include "stria/view.h"

enum { ANY_VIEW_BYTES = 1 << 22 }; /* each view fits a buffer of that size */

/* Makes a view of at most max_ndim (up to 6) dims of at most max_size (up to 6) elements. */
void any_view(stria_view *out, stria_buffer *buffer, uint64_t *seed, int max_ndim, int max_size);

/* Returns a text of a view for messages, in a static buffer: "f32 (2, 3) strides (12, 4) at 0". */
const char *view_text(const stria_view *a);
