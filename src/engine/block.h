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
#ifndef STRIA_SRC_ENGINE_BLOCK_H
#define STRIA_SRC_ENGINE_BLOCK_H

#include <stdbool.h>

#include "engine/program.h"
#include "plan/box.h"

enum {
    BLOCK_DIMS = 20,  /* each has two elements or more, and a block has fewer than 2^20 */
    BLOCK_PADDING = 8 /* of scratch, one part in so many */
};

/* The ways in which kernels access an operand. */
enum stage {
    STAGE_NONE,  /* in memory, directly */
    STAGE_STRIP, /* in scratch: each strip is gathered or scattered */
    STAGE_BLOCK  /* in scratch: each block is */
};

struct block {
    struct cut cut; /* into blocks; after the first one they begin at a cache line of the output */
    int ndim;
    int dim[BLOCK_DIMS]; /* dims of the plan in the order of the rows, innermost first; blocks have
                          */
                         /* one element along the others */
    int whole;           /* number of dims that lie entirely inside a strip */
    int64_t strip;       /* elements of the next dim in a strip */
    enum stage stage[STRIA_MAX_OPERANDS]; /* of an operand and what is shifted from it */
    int64_t s[VALUES][BLOCK_DIMS]; /* strides of each value, in bytes, in memory or scratch */
    int64_t at[VALUES];            /* offset of each value in scratch */
    int64_t scratch;               /* bytes of all values */
};

struct block_room {
    int64_t strip;        /* bytes of the values of a strip, */
    int64_t direct_strip; /* and where operands are in the caches, none in scratch, */
    int64_t far_strip;    /* or where inputs are gathered from memory, and the output streamed */
    int64_t block;        /* bytes that are gathered for a block */
};

/*
 * Makes the blocks of a plan, which is a part of the call's and not empty. room NULL: as much as
 * there usually is.
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

#endif
