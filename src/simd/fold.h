/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds: kernels that combine many elements of one dtype into one accumulator. The order in which
 * floats are combined is part of the result and is defined in docs/reductions.md: LEAF elements are
 * a leaf, element r of a leaf belongs to lane r % LANES, and m leaves are joined as the tree T(m) =
 * T(p) op T(m - p), where p is the largest power of two below m. Every kernel gives these bits at
 * every level.
 *
 * A block of elements has one of two forms. Rows: the elements of one output are adjacent. Columns:
 * each row has one element of every output, adjacent, and the rows may lie anywhere.
 */
#pragma once

#include "convert.h"

enum { LANES = 16, LEAF = LANES * LANES, TREE_LEVELS = 64 };

enum { EXACT_BLOCK = 512 };
/* Kinds of blocks of products: each is exact, exact with its rest, or may be neither. */
enum exact_products { EXACT_PRODUCTS_WHOLE, EXACT_PRODUCTS_ROUNDED, EXACT_PRODUCTS_FAIL };

enum { LANE_LEVELS = 5 }; /* subtrees of 1, 2, 4, 8 and 16 lanes */

/* Columns are combined in up to LANE_ARRAYS arrays, WAY bytes apart (lane_array.h). */
enum { LANE_ARRAYS = 3 };

/*
 * The folds, as NAME(constant, name).
 *
 * Largest and smallest number ignore NaNs unless there is nothing else. Extremes are the
 * pair of minimum and maximum. The first maximum and minimum are a struct first; -0 equals +0, and
 * a NaN comes before all numbers. Deviations from the center of each output are two f64: the sum of
 * their squares and their sum. All, any and count take items of two bytes or more, because bytes
 * are handled as bool.
 */
#define STRIA_FOLD_LIST(NAME)                                                                      \
    NAME(FOLD_SUM, sum)                                                                            \
    NAME(FOLD_PRODUCT, product)                                                                    \
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

/* A block of n elements of each of several outputs, in native byte order, at any address. */
struct fold_block {
    char *out; /* the accumulators of the outputs, adjacent; their old values are not read */
    const char *in;
    int64_t n, outputs; /* 1 or more */
    int64_t s;          /* rows: distance in bytes between the elements of neighbouring outputs */
    /*
     * Columns: row r, 0 <= r < n <= LEAF, begins at in + at[r]. Rows: NULL if the elements of an
     * output are adjacent; if only LANES at a time are, at[k] is the offset of elements LANES * k
     * and on.
     */
    const int64_t *at;
    bool adjacent; /* columns: each row begins where the one before it ends */
    bool far;      /* the input comes from memory: leaves are read one at a time, deviations are
                      prefetched */
    int64_t ahead; /* prefetch distance of rows and of sums of columns; 0: none */
    int64_t apart; /* long rows are read at two places by turns, so many bytes apart, a power of
                      two; 0: in order */
    /*
     * Columns: scratch memory, aligned to LINE. It holds LANES accumulators of each output; for
     * deviations twice LANE_LEVELS f64; for folds that are not a tree up to LANE_ARRAYS arrays of 8
     * bytes. If a row has WAY bytes or more, there are WAY more bytes in front of each array.
     */
    char *lanes;
    const char *by;       /* sums of products: the other factors, */
    int64_t by_s;         /* and how far those of neighbouring outputs are apart */
    int64_t first;        /* first extremes: the index of the first element of the block */
    const double *center; /* deviations: the center of each output */
};

typedef void fold_kernel(const struct fold_block *f);

/* Computes into = into op more for n accumulators; `more` is made of later elements. */
typedef void fold_join(char *into, const char *more, int64_t n);

/* The index of a first extreme, and a number that is larger the better the element is. */
struct first {
    int64_t index, rank;
};

/* The kernels of one fold of one dtype; NULL where there is none. */
struct fold_kernels {
    fold_kernel *rows, *columns;
    fold_join *join;
};

/* The kernels of a fold of dtype T, which share a join with those of other dtypes. */
#define FOLD_JOINED(name, T, join)                                                                 \
    {                                                                                              \
        fold_##name##_rows_##T, fold_##name##_columns_##T, join                                    \
    }

/* Each family has a table [fold][stria_kind of the elements]; see fold_kernels_of(). */
struct fold_table {
    const struct fold_kernels (*tree)[NUMBERS];    /* sums, products, deviations of floats */
    const struct fold_kernels (*small)[NUMBERS];   /* sums of f16 and bf16 */
    const struct fold_kernels (*whole)[NUMBERS];   /* bool, integers, and the truth of floats */
    const struct fold_kernels (*extreme)[NUMBERS]; /* maxima and minima of all dtypes */
    fold_kernel
        *dots[NUMBERS]; /* sums of products of two rows, adjacent; NULL where there is none */
    /*
     * These turn n accumulators into results: x + 0, x divided by the number of elements, sqrt(x),
     * and n variances from n pairs of deviations; `freedom` is the divisor.
     */
    void (*sums)(double *x, int64_t n);
    void (*means)(double *x, int64_t n, double elements);
    void (*square_root)(double *x, int64_t n);
    void (*variances)(double *x, int64_t n, double elements, double freedom);
    /* Exact sums and products of up to EXACT_BLOCK numbers (fold_exact.inc). */
    bool (*exact_parts)(double parts[2], const double *x, int64_t n, int64_t *exponent);
    bool (*exact_f32)(double *sum, const char *in, int64_t n);
    void (*exact_halves)(uint64_t sums[2], const char *in, int64_t n, bool is_signed);
    enum exact_products (*exact_products)(double *p, double *rest, const double *a, const double *b,
                                          int64_t n);
};

/* Returns the kernels of a fold for elements of a kind; there may be none. */
static inline const struct fold_kernels *fold_kernels_of(const struct fold_table *folds,
                                                         enum fold fold, stria_kind kind)
{
    if (fold >= FOLD_MAXIMUM && fold <= FOLD_FIRST_MINIMUM) return &folds->extreme[fold][kind];
    if (kind <= STRIA_U64 || fold >= FOLD_ALL) return &folds->whole[fold][kind];
    if (fold == FOLD_SUM && (kind == STRIA_F16 || kind == STRIA_BF16))
        return &folds->small[fold][kind];
    return &folds->tree[fold][kind];
}
