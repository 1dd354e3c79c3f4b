/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies beyond the edges of an array, and boxes of it. */
#ifndef STRIA_OPS_WINDOW_PADDING_H
#define STRIA_OPS_WINDOW_PADDING_H

#include "stria/window_ops.h"

struct padding {
    stria_pad_mode mode;
    const stria_view *value; /* 0-d; NULL: 0 */
};

/* Checks the mode and the value, for results of a dtype. */
stria_status stria__check_padding(const struct padding *p, stria_dtype dtype, const char *op);

/*
 * Copies a box of the array that goes on beyond its edges: element i of dst is element i + first of
 * a. Everything has been checked; dst and a are apart, and have the same number of dims, of which
 * those before `from` are within both.
 */
stria_status stria__copy_padded(const stria_view *dst, const stria_view *a, const int64_t *first,
                                int from, const struct padding *p, const stria_exec *exec);

#endif
