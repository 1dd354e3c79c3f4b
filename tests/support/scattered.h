/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of any layout, and small whole numbers, which every order sums exactly. */
#pragma once

#include <stdbool.h>

#include "stria/array.h"
#include "support/indices.h"

/*
 * Makes an array of any layout: any order of dims, gaps, either direction, any alignment, lazy
 * bits; dims of stride 0 where it is not written.
 */
stria_array scattered(uint64_t *seed, stria_dtype dtype, int ndim, const int64_t *shape,
                      bool written);

/* Fills with small whole numbers, and small imaginary parts. */
void fill_whole(uint64_t *seed, const stria_view *a);

/* Fills a new array with small whole numbers. */
stria_array whole(uint64_t *seed, stria_kind kind, int ndim, const int64_t *shape);

#define WHOLE(seed, kind, ...) whole(seed, kind, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})

/* Whether the elements are equal; NaN equals NaN. */
bool same_elements(const stria_view *a, const stria_view *b);
