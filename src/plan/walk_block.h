/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of a walk, for operands that disagree on the innermost dim. A transposed operand takes its
 * steps of a few bytes along an outer dim: one row of the output touches a different cache line of
 * it for each element, and all of these lines have left the cache when the next row needs them
 * again. A block is a box of the plan so small that they stay until every byte of them is used:
 *
 *     y += x.T, f32, rows of 16 KiB    n 4096 4096,  y 4 16384,  x 16384 4
 *     block of dims 0 and 1            16 x 512: one line of each of 512 rows of y,
 *                                      2 KiB of each of 16 rows of x
 */
#pragma once

#include <stdbool.h>

#include "stria/plan.h"

struct walk_block {
    int ndim;                /* Number of dims of the plan that blocks are cut along, 2 or more. */
    int dim[STRIA_MAX_NDIM]; /* These dims in ascending order; the first is dim 0. */
    int64_t size[STRIA_MAX_NDIM]; /* Elements of a full block along each of them. */
};

/*
 * Finds the blocks in which to walk a plan, by the sizes and the strides of all operands alone.
 * False when the order of the plan's own dims is as good, and then *out is unspecified. `cache` is
 * the size in bytes of the first-level data cache, at least 4096.
 */
bool stria__walk_block(struct walk_block *out, const stria_plan *plan, int64_t cache);
