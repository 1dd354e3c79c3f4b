/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reductions, one row each. A reduction computes a fold (simd/fold.h) and a result from its
 * accumulators; dtypes and refusals follow from the row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "dtype/dtype.h"
#include "simd/fold.h"
#include "stria/plan.h"
#include "stria/reduce.h"

/* Rules by which a result's dtype follows from the elements'. */
enum reduced_dtype {
    REDUCED_WIDE,      /* Integers become 64 bits wide, floats stay. */
    REDUCED_FLOATING,  /* Integers become f64. */
    REDUCED_MAGNITUDE, /* Integers become f64, and complex numbers become real. */
    REDUCED_SAME,
    REDUCED_BITS,  /* Integers and bool stay. */
    REDUCED_TRUTH, /* Elements are cast to bool, and so is the result. */
    REDUCED_COUNT, /* Elements are cast to bool, and the result is i64. */
    REDUCED_INDEX  /* The result is i64; elements are not cast. */
};

enum {
    NO_VALUE = -2,
    FOLD_DERIVED = FOLDS /* Stands for no fold: the reduction is made of others (derived.h). */
};

/* The items that kernels read. Complex numbers are two real ones each, except for products. */
enum reduced_takes {
    TAKES_ITEMS, /* The elements themselves. */
    TAKES_TRUTH, /* Whether elements are not 0. */
    TAKES_SUM,   /* Floats themselves or as f32, as in the rules below; integers themselves, too. */
    TAKES_PRODUCT, /* Integers as 64 bits, complex numbers as c128. */
    TAKES_MEAN,    /* Integers themselves if f64 holds every sum, else as f64. */
    TAKES_FLOATS   /* Integers as f64. */
};

/* The size of an accumulator. */
enum accumulator {
    ACCUMULATOR_WIDE,  /* 8 bytes; 16 if items are read as c128. */
    ACCUMULATOR_ITEM,  /* The size of an item that is read. */
    ACCUMULATOR_PAIR,  /* The size of two such items. */
    ACCUMULATOR_FIRST, /* A struct first. */
    ACCUMULATOR_TRUTH  /* A bool. */
};

/* The results that are made of accumulators (reduction_run.c). */
enum reduced_finish {
    FINISH_NOTHING,
    FINISH_SUM, /* The sum; floats + 0, so that -0 becomes 0. */
    FINISH_MEAN,
    FINISH_VAR,
    FINISH_STD,
    FINISH_MEAN_VAR, /* Pairs of a mean and a variance. */
    FINISH_FIRST,    /* The index of the extreme. */
    FINISH_TRUTH     /* The accumulator; bools become 0 or 1. */
};

/*
 * NAME(constant, name, fold, takes, accumulator, finish, result, of no elements, cycles), a row for
 * each of stria/reduce.h, without STRIA_, FOLD_ and the other prefixes. The column "of no elements"
 * has the value of the accumulator, or NO_VALUE if they are refused. Cycles are those of one f32
 * element in the first-level cache.
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
    int fold; /* An enum fold, or FOLD_DERIVED. */
    enum reduced_takes takes;
    enum accumulator accumulator;
    enum reduced_finish finish;
    enum reduced_dtype result;
    int empty; /* Result of no elements; NO_VALUE: refused. */
    double cycles;
};

/* Makes a row of the arguments of NAME behind the constant. */
#define REDUCTION_INFO(name, fold, takes, accumulator, finish, result, empty, cycles)              \
    {                                                                                              \
#name, FOLD_##fold, TAKES_##takes, ACCUMULATOR_##accumulator, FINISH_##finish,             \
            REDUCED_##result, empty, cycles                                                        \
    }

/* Returns the row, NULL for an unknown reduction. */
const struct reduction_info *stria__reduction_info(stria_reduction op);

/* Finds the native dtype of the result. DTYPE, with a message that begins with name, if there is
 * none. */
stria_status stria__reduced_dtype(stria_dtype *out, const struct reduction_info *row,
                                  const char *name, stria_dtype dtype, stria_promotion rule);

/* ---- the checks of a reduction before anything is written, and what they find --------------- */

struct program;

/* Elements that a program makes of views that broadcast to a's shape, in the dtype that the kernels
 * take. */
struct computed_elements {
    const struct program *program;
    int count;
    const stria_view *views[STRIA_MAX_OPERANDS - 1];
};

/* A requested reduction. */
struct reduce_call {
    stria_reduction op;
    const stria_view *a; /* The elements; if they are computed only shape and dtype count. */
    const struct computed_elements *computed; /* NULL: the elements of a. */
    bool described; /* The view a is the value of an expression, and has no memory. */
    int count;      /* Number of dims, or STRIA_ALL_DIMS. */
    const int *dims;
    bool none_allowed; /* A maximum of no elements is allowed and writes nothing. */
    double ddof;       /* The ddof of a variance. */
    bool pair; /* There are two results in one item: the extremes, or a mean and a variance. */
    const stria_exec *exec;
    const struct reduction_info *row; /* NULL: the row of op, which the checks fill in. */
    /* Results of the checks. */
    uint64_t set;       /* Set of the reduced dims: bit d for dim d of a. */
    int64_t n;          /* Number of elements of each output. */
    stria_dtype result; /* Native dtype of the result. */
};

/* Checks everything but the output, and fills in the rest of the call. */
stria_status stria__check_reduction(struct reduce_call *c);

/* Computes the shape of the result; returns its number of dims. */
int stria__reduced_shape(int64_t *shape, const struct reduce_call *c, bool keepdims);

/* Checks an output and gives it the kept dims alone. */
stria_status stria__check_reduced(stria_view *kept, const stria_view *out,
                                  const struct reduce_call *c);

/* ---- chooses the kernels of a reduction that was checked, and runs it ----------------------- */

/* Returns the dtype in which the kernels read the elements. */
stria_kind stria__reduction_takes(const struct reduce_call *c);

/* Fills in the kernels of a checked reduction of real numbers, and what they take and give. */
struct reduction;
void stria__choose_fold(struct reduction *r, const struct reduce_call *c);

/*
 * Reduces into kept, whose dims are those of a that are not reduced, or explains it if text is not
 * NULL. The two share no byte.
 */
stria_status stria__run_reduction(const struct reduce_call *c, const stria_view *kept, char *text,
                                  size_t size);

/* ---- small reductions of dense arrays go to their kernel without a plan --------------------- */

/* Does the whole reduction, or nothing and returns false: if anything is unusual or has to be
 * refused. */
bool stria__reduce_direct(struct reduce_call *c, const stria_view *out);
