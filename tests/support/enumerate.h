/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The definition of a view, executed: visit every index in C order and compute where its element
 * lies. Slow and without cleverness, it is what the layout functions are compared with.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stria/view.h"

/* Advances to the next index in C order; after the last one returns false and sets all to 0. Start
 * with all zeros. */
bool next_index(int64_t *index, int ndim, const int64_t *shape);

/* Returns the bytes from element [0, ..., 0] to the element at index. */
int64_t offset_of(const int64_t *index, int ndim, const int64_t *strides);

/*
 * Copies every element of src, which has dst's shape, to the place of dst's element; but dst's
 * first element is at `to`, not at dst->data. Neither is empty.
 */
void copy_by_index(char *to, const stria_view *dst, const stria_view *src);

/*
 * Does to `memory`, a copy of the bytes at base where dst lies, what copying src, broadcast to dst,
 * does to those bytes.
 */
void reference_copy(char *memory, const char *base, const stria_view *dst, const stria_view *src);

/* Returns the address of the element at index, as a number. */
intptr_t address_at(const stria_view *a, const int64_t *index);

/*
 * Writes the addresses of all elements in C order to out, which has room for `room`; returns the
 * number of elements, or -1 when there are more than that.
 */
int64_t enumerate_addresses(intptr_t *out, int64_t room, const stria_view *a);
