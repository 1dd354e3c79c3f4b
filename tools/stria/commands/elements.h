/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the elements of an array as numbers, block by block, converted to one of four kinds that
 * hold every number of the dtypes exactly.
 */
#pragma once

#include "inputs.h"
#include "tiles.h"

enum { ELEMENTS_BLOCK = 1 << 15 /* Items of a block: their f64 stay in the second-level cache. */ };

/* Returns I64 for signed integers, U64 for unsigned ones and bools, F64, C128; -1 for other
 * dtypes. */
int elements_kind(stria_dtype dtype);

/* Dense scratch memory for a block of that kind. */
struct elements {
    stria_array room;
    stria_kind kind;
};
stria_status elements_open(struct elements *out, stria_dtype dtype);
/* Converts the block of a at the current tile, in C order; returns its *count elements. */
stria_status elements_read(const struct elements *to, const stria_view *a,
                           const struct tiles *tiles, void **out, int64_t *count);

/* Starts blocks of two arrays of one shape, which may be one array, in an order that suits the
 * strides of both. */
void elements_tiles(struct tiles *tiles, const stria_view *a, const stria_view *b);
