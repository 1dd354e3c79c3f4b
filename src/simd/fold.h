/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds: many elements of one dtype become one accumulator. The order in which floats are combined
 * is part of the result, and docs/reductions.md defines it: LEAF elements are a leaf, element r of
 * it belongs to lane r % LANES, and leaves are joined as the subtrees of T(m) = T(p) op T(m - p),
 * where p is the largest power of two below m. Every kernel gives these bits at every level.
 *
 * A block of the elements has one of two forms. Rows: the elements of an output are adjacent.
 * Columns: elements of neighbouring outputs are adjacent, and a row of them lies anywhere.
 */
#ifndef STRIA_SIMD_FOLD_H
#define STRIA_SIMD_FOLD_H

#include "convert.h"
#include "scan.h"

enum { LANES = 16, LEAF = LANES * LANES, TREE_LEVELS = 64 };

enum { LANE_LEVELS = 5 }; /* subtrees of 1, 2, 4, 8 and 16 lanes */

/* Columns are combined in up to LANE_ARRAYS arrays, between which a WAY is left free. */
enum { LANE_ARRAYS = 3 };

/*
 * NAME(constant, name): what is combined, and how. Squares, magnitudes and numbers are sums: of the
 * squares of the elements as f64, of their magnitudes, and of those that are no NaN. The largest
 * and the smallest number are of floats that are no NaN, or NaN. Extremes are pairs, of the minimum
 * and the maximum. The first maximum is a struct first, where -0 and +0 are equal and a NaN is more
 * than any number. Deviations are those from a center that each output has: two f64, the sum of
 * their squares and their sum. All, any and count are of items of two bytes and more: bytes are
 * counted as bool.
 */
#define STRIA_FOLD_LIST(NAME)                                                                      \
    NAME(FOLD_SUM, sum)                                                                            \
    NAME(FOLD_PRODUCT, product)                                                                    \
    NAME(FOLD_SQUARES, squares)                                                                    \
    NAME(FOLD_MAGNITUDES, magnitudes)                                                              \
    NAME(FOLD_NUMBERS, numbers)                                                                    \
    NAME(FOLD_MAXIMUM, maximum)                                                                    \
    NAME(FOLD_MINIMUM, minimum)                                                                    \
    NAME(FOLD_LARGEST_NUMBER, largest_number)                                                      \
    NAME(FOLD_SMALLEST_NUMBER, smallest_number)                                                    \
    NAME(FOLD_EXTREMES, extremes)                                                                  \
    NAME(FOLD_FIRST_MAXIMUM, first_maximum)                                                        \
    NAME(FOLD_FIRST_MINIMUM, first_minimum)                                                        \
    NAME(FOLD_DEVIATIONS, deviations)                                                              \
    NAME(FOLD_ALL, all)                                                                            \
    NAME(FOLD_ANY, any)                                                                            \
    NAME(FOLD_COUNT, count)                                                                        \
    NAME(FOLD_BITWISE_AND, bitwise_and)                                                            \
    NAME(FOLD_BITWISE_OR, bitwise_or)                                                              \
    NAME(FOLD_BITWISE_XOR, bitwise_xor)

#define STRIA_FOLD_CONSTANT(constant, name) constant,
enum fold { STRIA_FOLD_LIST(STRIA_FOLD_CONSTANT) FOLDS };
#undef STRIA_FOLD_CONSTANT
enum { TREE_FOLDS = FOLD_NUMBERS + 1 /* sums and products */ };

/* A block of n elements of each of several outputs, in native byte order, at any address. */
struct fold_block {
    char *out; /* an accumulator of each output, adjacent; written, whatever it held */
    const char *in;
    int64_t n, outputs; /* 1 or more */
    int64_t s;          /* rows: bytes from the elements of an output to those of the next one */
    /*
     * Columns: row r, 0 <= r < n <= LEAF, begins at in + at[r]. Rows: NULL, or where every LANES
     * elements of an output begin, which then are adjacent.
     */
    const int64_t *at;
    bool adjacent; /* columns: each row begins where the one before it ends */
    bool far;      /* they come from memory: rows are read at one place, deviations prefetched */
    int64_t ahead; /* bytes by which rows and sums of columns are prefetched; 0: not at all */
    /*
     * Columns: room for LANES accumulators of each output, of deviations for LANE_LEVELS, of a fold
     * that is no tree for up to LANE_ARRAYS of 8 bytes, aligned to LINE; and where a row has a WAY
     * or more, for as much in front of each of LANE_ARRAYS arrays.
     */
    char *lanes;
    int64_t first;        /* first extremes: the number of the first element of the block */
    const double *center; /* deviations: of each output */
};

typedef void fold_kernel(const struct fold_block *f);

/* into = into op more, of n accumulators each; more has the later elements. */
typedef void fold_join(char *into, const char *more, int64_t n);

/* The place of an extreme and, in as many bytes as the elements have, its key. */
struct first {
    int64_t index, key;
};

/* All of one fold of one dtype; NULL where there are none. */
struct fold_kernels {
    fold_kernel *rows, *columns;
    fold_join *join;
};

struct fold_table {
    struct fold_kernels fold[FOLDS][NUMBERS];    /* [fold][stria_kind of the elements] */
    const struct fold_kernels (*small)[NUMBERS]; /* the first TREE_FOLDS of f16 and bf16 */
    /*
     * What is made of n accumulators: x + 0, the same divided by the number of elements, sqrt(x),
     * and of n pairs of deviations n variances, of freedom degrees.
     */
    void (*sums)(double *x, int64_t n);
    void (*means)(double *x, int64_t n, double elements);
    void (*square_root)(double *x, int64_t n);
    void (*variances)(double *x, int64_t n, double elements, double freedom);
    /* i64, u64, f32, f64, products of c128; NULL where there are none */
    scan_kernel *scan[SCANS][NUMBERS];
};

#endif
