/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns the stored bytes of a view's items in C order, gathered one by one from where they
 * lie. */
#pragma once

#include "stria/view.h"

/* The result has stria_nbytes(a) bytes and is freed by free; conj and neg bits are ignored. */
char *elements_of(const stria_view *a);

/*
 * Makes any view of up to 6 dims with about `most` elements at the most, in a buffer of its own
 * that is filled with noise: strides of both signs, 0 and no multiple of the item size, overlapping
 * ones. The caller releases out->buffer.
 */
void noisy_view(stria_view *out, uint64_t *random, stria_dtype dtype, int64_t most);
