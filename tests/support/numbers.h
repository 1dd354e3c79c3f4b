/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of the numbers 1, 2, 3 and so on, and their elements. */
#pragma once

#include "stria/array.h"

stria_array numbers(int ndim, const int64_t *shape, stria_kind kind);

/* Returns an element of any real dtype. */
double item(const stria_view *a, int ndim, const int64_t *index);
