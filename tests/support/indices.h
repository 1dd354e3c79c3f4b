/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks over all indices of a view, and the i32 item at each, for tests that compute which element
 * of which input each must be; and such inputs.
 */
#pragma once

#include "stria/array.h"

char *address(const stria_view *v, const int64_t *index);
int32_t at(const stria_view *v, const int64_t *index);
/* Advances to the next index in C order; after the last one returns false and sets all to 0. */
bool next(int64_t *index, const stria_view *v);

/* Makes i32 counting up from `first`; up to 4 dims, in reverse memory order. */
stria_array counting(int32_t first, int ndim, const int64_t *shape);
/* Makes the array that counting makes, with the last dim read backwards. */
stria_array awkward(int32_t first, int ndim, const int64_t *shape);

/* Makes a dense view of data. */
stria_view of(void *data, stria_kind kind, int ndim, const int64_t *shape);

void assert_shape(const stria_array *a, int ndim, const int64_t *shape);
/* Also asserts that it is contiguous in C order. */
void assert_dense_shape(const stria_array *a, int ndim, const int64_t *shape);

/* The functions above with the shape written out. */
#define COUNT(...)           ((int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))
#define COUNTING(first, ...) counting(first, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define AWKWARD(first, ...)  awkward(first, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define OF(data, kind, ...)  of(data, STRIA_##kind, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define ASSERT_SHAPE(a, ...) assert_shape(a, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define ASSERT_DENSE(a, ...) assert_dense_shape(a, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})
