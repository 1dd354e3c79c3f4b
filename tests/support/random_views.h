/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of every kind over a piece of memory, from a seed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stria/view.h"

struct random_memory {
    char *start;
    int64_t size;
};

/*
 * Makes a view of up to 11 dims and 20000 elements, no two of which overlap: any order of dims,
 * gaps, either direction, any alignment, sometimes empty. Returns false when it does not fit.
 */
bool random_view(uint64_t *seed, stria_view *out, struct random_memory memory, int64_t item);

/*
 * Makes a view that broadcasts to dst's shape, of dst's dtype: laid out like another random_view,
 * or with dims that repeat, overlap or are missing. Returns false when it does not fit.
 */
bool random_source(uint64_t *seed, stria_view *out, struct random_memory memory,
                   const stria_view *dst);

/* Returns one of the item sizes worth testing. */
int64_t random_item(uint64_t *seed);

/* Prints a view on one line, for the report of a failure. */
void print_view(const char *name, const stria_view *a);
