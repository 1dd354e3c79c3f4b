/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of C arrays, comparisons of elements with a C array, and a small sparse array. */
#pragma once

#include "stria/sparse.h"

stria_view view_of(void *data, stria_kind kind, int ndim, const int64_t *shape);
stria_view list_of(int64_t *data, int64_t n);
stria_view floats_of(float *data, int64_t n);
/* Asserts that a's n elements, in C order, are these. */
void assert_i64(const stria_view *a, int64_t n, const int64_t *expected);
void assert_f32(const stria_view *a, int64_t n, const float *expected);
/* The indices of torch.sparse_coo_tensor([[0, 1, 1, 0], [2, 0, 2, 2]], values, (2, 3)), over
 * `places`. */
extern int64_t places[2][4];
stria_coo example(float *values);
