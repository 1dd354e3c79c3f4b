/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All indices of a view, and the i32 item at each: what tests walk that say from which element of
 * which input each must come.
 */
#ifndef STRIA_TESTS_SUPPORT_INDICES_H
#define STRIA_TESTS_SUPPORT_INDICES_H

#include "stria/array.h"

char *address(const stria_view *v, const int64_t *index);
int32_t at(const stria_view *v, const int64_t *index);
/* The next index in C order; false after the last one, when it is all zeros again. */
bool next(int64_t *index, const stria_view *v);

/* i32 counting up from first; up to 4 dims, in reverse memory order. */
stria_array counting(int32_t first, int ndim, const int64_t *shape);

#endif
