/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reductions, one row each. What a reduction computes is a fold (simd/fold.h) and what is made
 * of its accumulators in the end; names, dtypes and refusals follow from the row.
 */
#ifndef STRIA_OPS_REDUCE_TABLE_H
#define STRIA_OPS_REDUCE_TABLE_H

#include "dtype.h"
#include "simd/fold.h"
#include "stria/reduce.h"

/* Rules by which a result's dtype follows from the elements'. */
enum reduced_dtype {
    REDUCED_WIDE,      /* integers become 64 bits wide, floats stay */
    REDUCED_FLOATING,  /* integers become f64 */
    REDUCED_MAGNITUDE, /* the same, and complex numbers become real */
    REDUCED_SAME,
    REDUCED_BITS,  /* integers and bool stay */
    REDUCED_TRUTH, /* elements are cast to bool, and so is the result */
    REDUCED_COUNT, /* elements are cast to bool, and the result is i64 */
    REDUCED_INDEX  /* i64, of the elements as they are */
};

enum { NO_VALUE = -2 };

/* No fold: made of other reductions (derived.h). */
enum { DERIVED = FOLDS };

/*
 * NAME(constant, name, fold, result, of no elements, cycles). Of no elements: the value of the
 * accumulator, or NO_VALUE where a reduction is refused. Cycles are those of one f32 element in the
 * first-level cache.
 */
#define STRIA_REDUCTION_LIST(NAME)                                                                 \
    NAME(STRIA_SUM, sum, FOLD_SUM, REDUCED_WIDE, 0, 0.3)                                           \
    NAME(STRIA_PROD, prod, FOLD_PRODUCT, REDUCED_WIDE, 1, 0.3)                                     \
    NAME(STRIA_MEAN, mean, FOLD_SUM, REDUCED_FLOATING, 0, 0.3)                                     \
    NAME(STRIA_VAR, var, FOLD_DEVIATIONS, REDUCED_MAGNITUDE, 0, 0.8)                               \
    NAME(STRIA_STD, std, FOLD_DEVIATIONS, REDUCED_MAGNITUDE, 0, 0.8)                               \
    NAME(STRIA_MAX, max, FOLD_MAXIMUM, REDUCED_SAME, NO_VALUE, 0.2)                                \
    NAME(STRIA_MIN, min, FOLD_MINIMUM, REDUCED_SAME, NO_VALUE, 0.2)                                \
    NAME(STRIA_ARGMAX, argmax, FOLD_FIRST_MAXIMUM, REDUCED_INDEX, NO_VALUE, 0.3)                   \
    NAME(STRIA_ARGMIN, argmin, FOLD_FIRST_MINIMUM, REDUCED_INDEX, NO_VALUE, 0.3)                   \
    NAME(STRIA_ALL, all, FOLD_MINIMUM, REDUCED_TRUTH, 1, 0.2)                                      \
    NAME(STRIA_ANY, any, FOLD_MAXIMUM, REDUCED_TRUTH, 0, 0.2)                                      \
    NAME(STRIA_COUNT_NONZERO, count_nonzero, FOLD_SUM, REDUCED_COUNT, 0, 0.2)                      \
    NAME(STRIA_BITS_AND, bits_and, FOLD_BITWISE_AND, REDUCED_BITS, -1, 0.2)                        \
    NAME(STRIA_BITS_OR, bits_or, FOLD_BITWISE_OR, REDUCED_BITS, 0, 0.2)                            \
    NAME(STRIA_BITS_XOR, bits_xor, FOLD_BITWISE_XOR, REDUCED_BITS, 0, 0.2)                         \
    NAME(STRIA_PTP, ptp, DERIVED, REDUCED_SAME, NO_VALUE, 0)                                       \
    NAME(STRIA_NORM, norm, DERIVED, REDUCED_MAGNITUDE, 0, 0)                                       \
    NAME(STRIA_LOGSUMEXP, logsumexp, DERIVED, REDUCED_FLOATING, 0, 0)                              \
    NAME(STRIA_NANSUM, nansum, DERIVED, REDUCED_WIDE, 0, 0)                                        \
    NAME(STRIA_NANPROD, nanprod, DERIVED, REDUCED_WIDE, 1, 0)                                      \
    NAME(STRIA_NANMEAN, nanmean, DERIVED, REDUCED_FLOATING, 0, 0)                                  \
    NAME(STRIA_NANVAR, nanvar, DERIVED, REDUCED_MAGNITUDE, 0, 0)                                   \
    NAME(STRIA_NANSTD, nanstd, DERIVED, REDUCED_MAGNITUDE, 0, 0)                                   \
    NAME(STRIA_NANMAX, nanmax, DERIVED, REDUCED_SAME, NO_VALUE, 0)                                 \
    NAME(STRIA_NANMIN, nanmin, DERIVED, REDUCED_SAME, NO_VALUE, 0)

struct reduction_info {
    const char *name;
    int fold; /* enum fold, or DERIVED */
    enum reduced_dtype result;
    int empty; /* result of no elements; NO_VALUE: refused */
    double cycles;
};

/* stria_dtype_of() of a number, without a call: small reductions ask several times. */
static inline stria_dtype dtype_of_number(stria_kind kind)
{
    return (stria_dtype){.kind = (uint8_t)kind,
                         .alignment = (uint16_t)stria__builtins[kind].alignment,
                         .itemsize = stria__builtins[kind].size};
}

/* NULL for an unknown reduction. */
const struct reduction_info *stria__reduction_info(stria_reduction op);

/* The dtype of the result, native; DTYPE where there is none, with a message that begins with name.
 */
stria_status stria__reduced_dtype(stria_dtype *out, const struct reduction_info *row,
                                  const char *name, stria_dtype dtype, stria_promotion rule);

#endif
