/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Permutations of dims within the memory of an array. All of them consist of two moves, which need
 * a fixed amount of scratch memory whatever the size of the array:
 *
 *     square       (n, n): pairs of tiles are swapped
 *     rectangle    (a, b) -> (b, a): panels that fit into the scratch memory are transposed, and
 *                  then whole blocks move along the cycles of the permutation
 */
#pragma once

#include <stdint.h>

#include "stria/plan.h"

enum {
    PANEL_BYTES = 512 << 10, /* Bytes of a panel that is rearranged in the second-level cache. */
    BLOCK_BYTES = 64 << 10,  /* Bytes of the largest block that moves along a cycle. */
    MARK_BYTES = 384 << 10   /* Bytes of marks, one bit for every block that has moved. */
};

/* Scratch memory, of less than 1 MiB. */
struct scratch {
    _Alignas(64) char panel[PANEL_BYTES];
    _Alignas(64) char block[BLOCK_BYTES];
    uint64_t marks[MARK_BYTES / sizeof(uint64_t)];
};

/*
 * Swaps elements (x, y) and (y, x), 0 <= x, y < n, which are runs of `run` bytes at base + x * sx +
 * y * sy.
 */
struct square {
    char *base;
    int64_t n, sx, sy, run;
};
void stria__square(const struct square *square, struct scratch *scratch);

/* Transposes `count` adjacent arrays: a x b dense runs of `run` bytes become b x a. */
struct rectangle {
    char *base;
    int64_t count, a, b, run;
};
void stria__rectangle(const struct rectangle *rectangle, struct scratch *scratch);

/*
 * Does the same for a count of 1, run by run along the cycles of the permutation, which suits long
 * runs.
 */
void stria__cycles(const struct rectangle *rectangle, struct scratch *scratch);

/*
 * Permutes a dense array of ndim dims, n[0] outermost, with items of `item` bytes: rank[d] is the
 * place of dim d in the new order, 0 for the outermost.
 */
void stria__reorder_dense(char *base, int ndim, const int64_t *n, const int *rank, int64_t item,
                          struct scratch *scratch);

/* Copies dense runs, on this thread and through the caches; dims are those of out and in. */
void stria__copy_runs(char *out, char *in, int64_t run, const stria_dim dims[3]);
