/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation of two inputs as the step of a fold: its results are inputs of the next step. */
#pragma once

#include "ops/elementwise/operation.h"
#include "simd/combine.h"
#include "stria/indexing.h"
#include "stria/reduce.h"

/* Properties of an operation as the step of a fold. */
struct op_rule {
    int reduction, scan;  /* The library's own; -1: there is none. */
    stria_reduce combine; /* The same for elements that are named by an index. */
    bool associative;     /* Elements may be combined in groups, to the same bits. */
    bool has_identity;
    double identity;
};

struct steps {
    stria_op op;
    const struct op_info *row;
    struct op_rule rule;
    struct op_types types;
    stria_dtype takes;  /* Native dtype in which elements are combined. */
    stria_dtype result; /* Native dtype of results; they are rounded to it in the end. */
    map_loop *loop;
    bool starts; /* `initial` is what goes before the first element, else there is nothing. */
    _Alignas(16) char initial[16], identity[16]; /* Items of `takes`. */
    const stria_exec *exec;
    stria_exec alone; /* The exec of loops that stay in the thread of the call. */
};

/*
 * Finds the steps of op over the elements of a. dtype, which may be NULL, is what they are
 * converted to. `wide`: sums and products of floats are computed in f64 or c128. ARGUMENT, DTYPE.
 */
stria_status stria__find_steps(struct steps *out, stria_op op, const stria_view *a,
                               const stria_dtype *dtype, bool wide, const stria_exec *exec);

/* Finds the loop of an operation of one or two inputs, all of one dtype, that are not known yet. */
map_loop *stria__step_loop(stria_op op, const struct op_info *row, const struct op_types *types,
                           const stria_exec *exec);

/* Sets the value that the first element is combined with. Fails with ARGUMENT, SHAPE, DTYPE. */
stria_status stria__steps_begin(struct steps *steps, const stria_view *initial);

/* Returns what a result of no elements is; NULL: there is nothing. */
static inline const char *steps_of_none(const struct steps *s)
{
    return s->starts ? s->initial : s->rule.has_identity ? s->identity : NULL;
}

/*
 * Tells whether loops that combine elements by an index do the same. Their extremes of floats take
 * the later one of -0 and +0.
 */
static inline bool steps_combine(const struct steps *s)
{
    const bool extreme = s->rule.combine == STRIA_REDUCE_MIN || s->rule.combine == STRIA_REDUCE_MAX;
    return s->rule.combine != STRIA_REDUCE_NONE && (!extreme || s->takes.kind <= STRIA_U64);
}

/* Checks the elements of a that are second inputs along dim, from `first` on. ARGUMENT, MEMORY. */
stria_status stria__check_steps(const struct steps *steps, const stria_view *a, int dim,
                                int64_t first);

/*
 * Folds along dim between the count + 1 offsets, or scans if they are NULL. Neither view is empty;
 * they have all dims, and share no byte, but for a scan into the elements themselves. CANCELLED.
 */
stria_status stria__run_steps(const struct steps *steps, const stria_view *out, const stria_view *a,
                              int dim, const int64_t *offsets, int64_t count);
