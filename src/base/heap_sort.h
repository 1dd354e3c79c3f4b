/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STRIA_SRC_HEAP_SORT_H
#define STRIA_SRC_HEAP_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts n items of `size` bytes, at most 128; before(a, b) says that a comes first. */
void stria__heap_sort(void *items, int64_t n, size_t size,
                      bool (*before)(const void *a, const void *b));

#endif
