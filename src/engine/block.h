/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the iteration space is cut. A block is a box of it; operands that are dense along another dim
 * than the rows of the program are gathered a block at a time (tile by tile, into scratch in the
 * second-level cache). A strip is the part of a block that goes through the program at once: rows
 * so short that the results of the instructions stay in the first-level cache.
 *
 *     C = A + B.T, f32 1024 x 1024     rows follow C and A
 *     block    512 x 64 elements: 64 rows of 512 of C, for which 512 rows of 64 of B are transposed
 *     strip    one of the 64 rows: 2 KiB of A, of B in scratch, and of C
 *
 * Where no operand has to be transposed a block is one strip.
 */
#pragma once

#include <stdbool.h>

#include "engine/program.h"
#include "plan/box.h"

enum {
    BLOCK_DIMS = 20,  /* Each dim has two elements or more, and a block fewer than 2^20. */
    BLOCK_PADDING = 8 /* The part of scratch that padding may take: 1/8. */
};

/* The ways in which kernels access an operand. */
enum stage {
    STAGE_NONE,  /* Accessed in memory. */
    STAGE_STRIP, /* Accessed in scratch, where each strip is gathered or scattered. */
    STAGE_BLOCK  /* Accessed in scratch, where each block is gathered or scattered. */
};

struct block {
    /* Cuts the plan into blocks; all but the first begin at a cache line of the output. */
    struct cut cut;
    int ndim;
    /* Dims of the plan in the order of the rows, innermost first. Blocks have one element along all
     * others. */
    int dim[BLOCK_DIMS];
    int whole;     /* Number of dims that lie entirely inside a strip. */
    int64_t strip; /* Elements of the next dim in a strip. */
    /* How each operand and the inputs shifted from it are accessed. */
    enum stage stage[STRIA_MAX_OPERANDS];
    int64_t s[VALUES][BLOCK_DIMS]; /* Strides of each value in bytes, in memory or scratch. */
    int64_t at[VALUES];            /* Offset of each value in scratch. */
    int64_t scratch;               /* Bytes of all values. */
};

struct block_room {
    int64_t strip;        /* Bytes of the values of a strip. */
    int64_t direct_strip; /* The same if operands are in the caches and none in scratch. */
    int64_t far_strip; /* The same if inputs are gathered from memory and the output is streamed. */
    int64_t block;     /* Bytes that are gathered for a block. */
};

/*
 * Makes the blocks of a plan, which is a part of the call's plan and not empty. room NULL: the
 * usual room.
 */
void stria__block_make(struct block *out, const stria_plan *plan, const struct call *call,
                       const struct block_room *room);

/* Returns the size of a full block along its dim i, and of a full strip. */
static inline int64_t stria__block_size(const struct block *b, int i)
{
    return b->cut.size[b->dim[i]];
}

static inline int64_t stria__strip_size(const struct block *b, int i)
{
    return i < b->whole ? stria__block_size(b, i) : i == b->whole ? b->strip : 1;
}
