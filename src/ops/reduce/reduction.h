/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reductions, one row each. What a reduction computes is a fold (simd/fold.h) and what is made
 * of its accumulators in the end; dtypes and refusals follow from the row.
 */
#ifndef STRIA_OPS_REDUCE_REDUCTION_H
#define STRIA_OPS_REDUCE_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "dtype/dtype.h"
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

enum {
    NO_VALUE = -2,
    FOLD_DERIVED = FOLDS /* stands for no fold: made of other reductions (derived.h) */
};

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
 * each of stria/reduce.h, without STRIA_, FOLD_ and the other prefixes. Of no elements: the value
 * of the accumulator, or NO_VALUE where a reduction is refused. Cycles are those of one f32 element
 * in the first-level cache.
 */
#define STRIA_REDUCTION_ROWS(NAME)                                                                 \
    NAME(SUM, sum, SUM, SUM, WIDE, SUM, WIDE, 0, 0.3)                                              \
    NAME(PROD, prod, PRODUCT, PRODUCT, WIDE, NOTHING, WIDE, 1, 0.3)                                \
    NAME(MEAN, mean, SUM, MEAN, WIDE, MEAN, FLOATING, 0, 0.3)                                      \
    NAME(VAR, var, DEVIATIONS, FLOATS, WIDE, VAR, MAGNITUDE, 0, 0.8)                               \
    NAME(STD, std, DEVIATIONS, FLOATS, WIDE, STD, MAGNITUDE, 0, 0.8)                               \
    NAME(MAX, max, MAXIMUM, ITEMS, ITEM, TRUTH, SAME, NO_VALUE, 0.2)                               \
    NAME(MIN, min, MINIMUM, ITEMS, ITEM, TRUTH, SAME, NO_VALUE, 0.2)                               \
    NAME(ARGMAX, argmax, FIRST_MAXIMUM, ITEMS, FIRST, FIRST, INDEX, NO_VALUE, 0.3)                 \
    NAME(ARGMIN, argmin, FIRST_MINIMUM, ITEMS, FIRST, FIRST, INDEX, NO_VALUE, 0.3)                 \
    NAME(ALL, all, MINIMUM, TRUTH, TRUTH, TRUTH, TRUTH, 1, 0.2)                                    \
    NAME(ANY, any, MAXIMUM, TRUTH, TRUTH, TRUTH, TRUTH, 0, 0.2)                                    \
    NAME(COUNT_NONZERO, count_nonzero, SUM, TRUTH, WIDE, NOTHING, COUNT, 0, 0.2)                   \
    NAME(BITS_AND, bits_and, BITWISE_AND, ITEMS, ITEM, NOTHING, BITS, -1, 0.2)                     \
    NAME(BITS_OR, bits_or, BITWISE_OR, ITEMS, ITEM, NOTHING, BITS, 0, 0.2)                         \
    NAME(BITS_XOR, bits_xor, BITWISE_XOR, ITEMS, ITEM, NOTHING, BITS, 0, 0.2)                      \
    NAME(PTP, ptp, DERIVED, ITEMS, WIDE, NOTHING, SAME, NO_VALUE, 0)                               \
    NAME(NORM, norm, DERIVED, FLOATS, WIDE, NOTHING, MAGNITUDE, 0, 0)                              \
    NAME(LOGSUMEXP, logsumexp, DERIVED, FLOATS, WIDE, NOTHING, FLOATING, 0, 0)                     \
    NAME(NANSUM, nansum, DERIVED, SUM, WIDE, NOTHING, WIDE, 0, 0)                                  \
    NAME(NANPROD, nanprod, DERIVED, SUM, WIDE, NOTHING, WIDE, 1, 0)                                \
    NAME(NANMEAN, nanmean, DERIVED, FLOATS, WIDE, NOTHING, FLOATING, 0, 0)                         \
    NAME(NANVAR, nanvar, DERIVED, FLOATS, WIDE, NOTHING, MAGNITUDE, 0, 0)                          \
    NAME(NANSTD, nanstd, DERIVED, FLOATS, WIDE, NOTHING, MAGNITUDE, 0, 0)                          \
    NAME(NANMAX, nanmax, DERIVED, ITEMS, WIDE, NOTHING, SAME, NO_VALUE, 0)                         \
    NAME(NANMIN, nanmin, DERIVED, ITEMS, WIDE, NOTHING, SAME, NO_VALUE, 0)

struct reduction_info {
    const char *name;
    int fold; /* enum fold, or FOLD_DERIVED */
    enum reduced_takes takes;
    enum accumulator accumulator;
    enum reduced_finish finish;
    enum reduced_dtype result;
    int empty; /* result of no elements; NO_VALUE: refused */
    double cycles;
};

/* Makes a row of what NAME above has behind the constant. */
#define REDUCTION_INFO(name, fold, takes, accumulator, finish, result, empty, cycles)              \
    {                                                                                              \
#name, FOLD_##fold, TAKES_##takes, ACCUMULATOR_##accumulator, FINISH_##finish,             \
            REDUCED_##result, empty, cycles                                                        \
    }

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
