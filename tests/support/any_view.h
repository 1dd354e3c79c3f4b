/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random small views of every kind: dense in any order, with gaps, backwards, broadcast,
 * overlapping, at odd bytes, with sizes of 0 and 1 and meaningless strides where nobody looks.
 */
#ifndef STRIA_TESTS_ANY_VIEW_H
#define STRIA_TESTS_ANY_VIEW_H

#include "stria/view.h"

enum { ANY_VIEW_BYTES = 1 << 22 }; /* each of them fits a buffer of that size */

/* max_ndim <= 6, sizes <= max_size <= 6. */
void any_view(stria_view *out, stria_buffer *buffer, uint64_t *seed, int max_ndim, int max_size);

/* A text of a view for messages, in a static buffer: "f32 (2, 3) strides (12, 4) at 0". */
const char *view_text(const stria_view *a);

#endif
