/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts n items of `size` bytes, at most 128; before(a, b) says that a comes first. */
void stria__heap_sort(void *items, int64_t n, size_t size,
                      bool (*before)(const void *a, const void *b));
