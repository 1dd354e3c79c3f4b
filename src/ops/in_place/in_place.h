/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Permutations of dims within the memory that they already have. All of them come down to two
 * moves, which need no more than a fixed scratch memory whatever the size of the array:
 *
 *     square       (n, n) pairs of tiles change places
 *     rectangle    (a, b) -> (b, a) in panels that fit into the scratch, and whole blocks of what
 *                  the panels leave, along the cycles of the permutation
 */
#ifndef STRIA_SRC_OPS_IN_PLACE_H
#define STRIA_SRC_OPS_IN_PLACE_H

#include <stdint.h>

enum {
    PANEL_BYTES = 512 << 10, /* what is rearranged at once, in the second-level cache */
    BLOCK_BYTES = 64 << 10,  /* most that moves along a cycle at once */
    MARK_BYTES = 384 << 10   /* one bit for every block that has moved */
};

/* Every byte of scratch memory there is: less than 1 MiB. */
struct scratch {
    _Alignas(64) char panel[PANEL_BYTES];
    _Alignas(64) char block[BLOCK_BYTES];
    uint64_t marks[MARK_BYTES / sizeof(uint64_t)];
};

/*
 * Elements (x, y) and (y, x), 0 <= x, y < n, change places: runs of `run` bytes at
 * base + x * sx + y * sy.
 */
struct square {
    char *base;
    int64_t n, sx, sy, run;
};
void stria__square(const struct square *square, struct scratch *scratch);

/* `count` times, one behind the other: a x b dense runs of `run` bytes become b x a. */
struct rectangle {
    char *base;
    int64_t count, a, b, run;
};
void stria__rectangle(const struct rectangle *rectangle, struct scratch *scratch);

/* The same once, run by run along the cycles of the permutation: for long ones; count is 1. */
void stria__cycles(const struct rectangle *rectangle, struct scratch *scratch);

/*
 * A dense array of ndim dims, n[0] outermost, whose items have `item` bytes: the dims are brought
 * into the order in which `rank` counts them, 0 for the one that shall be outermost.
 */
void stria__reorder_dense(char *base, int ndim, const int64_t *n, const int *rank, int64_t item,
                          struct scratch *scratch);

#endif
