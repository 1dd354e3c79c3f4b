/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reductions, one row each. What a reduction computes is a fold (simd/fold.h) and what is made
 * of its accumulators in the end; dtypes and refusals follow from the row.
 */
#ifndef STRIA_OPS_REDUCE_REDUCTION_H
#define STRIA_OPS_REDUCE_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "dtype.h"
#include "simd/fold.h"
#include "stria/plan.h"
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

/* Stands for no fold: made of other reductions (derived.h). */
enum { DERIVED = FOLDS };

/* The items that kernels read. Complex numbers are two real ones each, except for products. */
enum reduced_takes {
    TAKES_ITEMS,   /* the elements as they are */
    TAKES_TRUTH,   /* whether elements are not 0 */
    TAKES_SUM,     /* the following read floats as they are or as f32, and here integers, too */
    TAKES_PRODUCT, /* integers as 64 bits, complex numbers as c128 */
    TAKES_MEAN,    /* integers as they are where f64 holds every sum, else as f64 */
    TAKES_FLOATS   /* integers as f64 */
};

/* The size of an accumulator. */
enum accumulator {
    ACCUMULATOR_WIDE,  /* 8 bytes; 16 of what is read as c128 */
    ACCUMULATOR_ITEM,  /* that of what is read */
    ACCUMULATOR_PAIR,  /* two of these */
    ACCUMULATOR_FIRST, /* a struct first */
    ACCUMULATOR_TRUTH  /* a bool */
};

/* The results that are made of accumulators (reduction_run.c). */
enum reduced_finish {
    FINISH_NOTHING,
    FINISH_SUM, /* of floats + 0 */
    FINISH_MEAN,
    FINISH_VAR,
    FINISH_STD,
    FINISH_MEAN_VAR, /* pairs */
    FINISH_FIRST,    /* the index */
    FINISH_TRUTH     /* of bool 0 or 1 */
};

/*
 * NAME(constant, name, fold, takes, accumulator, finish, result, of no elements, cycles), a row for
 * each of stria/reduce.h. Of no elements: the value of the accumulator, or NO_VALUE where a
 * reduction is refused. Cycles are those of one f32 element in the first-level cache.
 */
#define STRIA_REDUCTION_ROWS(NAME)                                                                 \
    NAME(STRIA_SUM, sum, FOLD_SUM, TAKES_SUM, ACCUMULATOR_WIDE, FINISH_SUM, REDUCED_WIDE, 0, 0.3)  \
    NAME(STRIA_PROD, prod, FOLD_PRODUCT, TAKES_PRODUCT, ACCUMULATOR_WIDE, FINISH_NOTHING,          \
         REDUCED_WIDE, 1, 0.3)                                                                     \
    NAME(STRIA_MEAN, mean, FOLD_SUM, TAKES_MEAN, ACCUMULATOR_WIDE, FINISH_MEAN, REDUCED_FLOATING,  \
         0, 0.3)                                                                                   \
    NAME(STRIA_VAR, var, FOLD_DEVIATIONS, TAKES_FLOATS, ACCUMULATOR_WIDE, FINISH_VAR,              \
         REDUCED_MAGNITUDE, 0, 0.8)                                                                \
    NAME(STRIA_STD, std, FOLD_DEVIATIONS, TAKES_FLOATS, ACCUMULATOR_WIDE, FINISH_STD,              \
         REDUCED_MAGNITUDE, 0, 0.8)                                                                \
    NAME(STRIA_MAX, max, FOLD_MAXIMUM, TAKES_ITEMS, ACCUMULATOR_ITEM, FINISH_TRUTH, REDUCED_SAME,  \
         NO_VALUE, 0.2)                                                                            \
    NAME(STRIA_MIN, min, FOLD_MINIMUM, TAKES_ITEMS, ACCUMULATOR_ITEM, FINISH_TRUTH, REDUCED_SAME,  \
         NO_VALUE, 0.2)                                                                            \
    NAME(STRIA_ARGMAX, argmax, FOLD_FIRST_MAXIMUM, TAKES_ITEMS, ACCUMULATOR_FIRST, FINISH_FIRST,   \
         REDUCED_INDEX, NO_VALUE, 0.3)                                                             \
    NAME(STRIA_ARGMIN, argmin, FOLD_FIRST_MINIMUM, TAKES_ITEMS, ACCUMULATOR_FIRST, FINISH_FIRST,   \
         REDUCED_INDEX, NO_VALUE, 0.3)                                                             \
    NAME(STRIA_ALL, all, FOLD_MINIMUM, TAKES_TRUTH, ACCUMULATOR_TRUTH, FINISH_TRUTH,               \
         REDUCED_TRUTH, 1, 0.2)                                                                    \
    NAME(STRIA_ANY, any, FOLD_MAXIMUM, TAKES_TRUTH, ACCUMULATOR_TRUTH, FINISH_TRUTH,               \
         REDUCED_TRUTH, 0, 0.2)                                                                    \
    NAME(STRIA_COUNT_NONZERO, count_nonzero, FOLD_SUM, TAKES_TRUTH, ACCUMULATOR_WIDE,              \
         FINISH_NOTHING, REDUCED_COUNT, 0, 0.2)                                                    \
    NAME(STRIA_BITS_AND, bits_and, FOLD_BITWISE_AND, TAKES_ITEMS, ACCUMULATOR_ITEM,                \
         FINISH_NOTHING, REDUCED_BITS, -1, 0.2)                                                    \
    NAME(STRIA_BITS_OR, bits_or, FOLD_BITWISE_OR, TAKES_ITEMS, ACCUMULATOR_ITEM, FINISH_NOTHING,   \
         REDUCED_BITS, 0, 0.2)                                                                     \
    NAME(STRIA_BITS_XOR, bits_xor, FOLD_BITWISE_XOR, TAKES_ITEMS, ACCUMULATOR_ITEM,                \
         FINISH_NOTHING, REDUCED_BITS, 0, 0.2)                                                     \
    NAME(STRIA_PTP, ptp, DERIVED, TAKES_ITEMS, ACCUMULATOR_WIDE, FINISH_NOTHING, REDUCED_SAME,     \
         NO_VALUE, 0)                                                                              \
    NAME(STRIA_NORM, norm, DERIVED, TAKES_FLOATS, ACCUMULATOR_WIDE, FINISH_NOTHING,                \
         REDUCED_MAGNITUDE, 0, 0)                                                                  \
    NAME(STRIA_LOGSUMEXP, logsumexp, DERIVED, TAKES_FLOATS, ACCUMULATOR_WIDE, FINISH_NOTHING,      \
         REDUCED_FLOATING, 0, 0)                                                                   \
    NAME(STRIA_NANSUM, nansum, DERIVED, TAKES_SUM, ACCUMULATOR_WIDE, FINISH_NOTHING, REDUCED_WIDE, \
         0, 0)                                                                                     \
    NAME(STRIA_NANPROD, nanprod, DERIVED, TAKES_SUM, ACCUMULATOR_WIDE, FINISH_NOTHING,             \
         REDUCED_WIDE, 1, 0)                                                                       \
    NAME(STRIA_NANMEAN, nanmean, DERIVED, TAKES_FLOATS, ACCUMULATOR_WIDE, FINISH_NOTHING,          \
         REDUCED_FLOATING, 0, 0)                                                                   \
    NAME(STRIA_NANVAR, nanvar, DERIVED, TAKES_FLOATS, ACCUMULATOR_WIDE, FINISH_NOTHING,            \
         REDUCED_MAGNITUDE, 0, 0)                                                                  \
    NAME(STRIA_NANSTD, nanstd, DERIVED, TAKES_FLOATS, ACCUMULATOR_WIDE, FINISH_NOTHING,            \
         REDUCED_MAGNITUDE, 0, 0)                                                                  \
    NAME(STRIA_NANMAX, nanmax, DERIVED, TAKES_ITEMS, ACCUMULATOR_WIDE, FINISH_NOTHING,             \
         REDUCED_SAME, NO_VALUE, 0)                                                                \
    NAME(STRIA_NANMIN, nanmin, DERIVED, TAKES_ITEMS, ACCUMULATOR_WIDE, FINISH_NOTHING,             \
         REDUCED_SAME, NO_VALUE, 0)

struct reduction_info {
    const char *name;
    int fold; /* enum fold, or DERIVED */
    enum reduced_takes takes;
    enum accumulator accumulator;
    enum reduced_finish finish;
    enum reduced_dtype result;
    int empty; /* result of no elements; NO_VALUE: refused */
    double cycles;
};

/* NULL for an unknown reduction. */
const struct reduction_info *stria__reduction_info(stria_reduction op);

/* The dtype of the result, native; DTYPE where there is none, with a message that begins with name.
 */
stria_status stria__reduced_dtype(stria_dtype *out, const struct reduction_info *row,
                                  const char *name, stria_dtype dtype, stria_promotion rule);

/* ---- the checks of a reduction before anything is written, and what they find --------------- */

struct program;

/* Elements that a program makes of views that broadcast to a's shape, of the dtype that the kernels
 * take. */
struct computed_elements {
    const struct program *program;
    int count;
    const stria_view *views[STRIA_MAX_OPERANDS - 1];
};

/* A reduction that was asked for. */
struct reduce_call {
    stria_reduction op;
    const stria_view *a;                      /* where they are computed, shape and dtype alone */
    const struct computed_elements *computed; /* NULL: the elements of a */
    bool described;                           /* a is what an expression gives, and has no memory */
    int count;                                /* STRIA_ALL_DIMS, or how many dims there are */
    const int *dims;
    bool none_allowed; /* a maximum of no elements is nothing, and is not refused */
    double ddof;       /* ddof of a variance */
    bool pair;         /* two results in one item: the extremes, or a mean and a variance */
    const stria_exec *exec;
    const struct reduction_info *row; /* NULL: that of op, which the checks fill in */
    /* Results of the checks. */
    uint64_t set;       /* bit d: dim d of a is reduced */
    int64_t n;          /* elements of each output */
    stria_dtype result; /* native */
};

/* Checks everything but the output, and fills in the rest of the call. */
stria_status stria__check_reduction(struct reduce_call *c);

/* Computes the shape of the result; returns its number of dims. */
int stria__reduced_shape(int64_t *shape, const struct reduce_call *c, bool keepdims);

/* Checks an output and gives it the kept dims alone. */
stria_status stria__check_reduced(stria_view *kept, const stria_view *out,
                                  const struct reduce_call *c);

/* ---- chooses the kernels of a reduction that was checked, and runs it ----------------------- */

/* The dtype in which the kernels read the elements. */
stria_kind stria__reduction_takes(const struct reduce_call *c);

/* The kernels of a reduction of real numbers that was checked, and what they take and give. */
struct reduction;
void stria__choose_fold(struct reduction *r, const struct reduce_call *c);

/*
 * Reduces into kept, whose dims are those of a that are not reduced, or explains it where text is
 * not NULL. Nothing of the two is shared.
 */
stria_status stria__run_reduction(const struct reduce_call *c, const stria_view *kept, char *text,
                                  size_t size);

/* ---- small reductions of dense arrays go to their kernel without a plan --------------------- */

/* Does all of it, or nothing: false where anything is unusual, or to be refused. */
bool stria__reduce_direct(struct reduce_call *c, const stria_view *out);

#endif
