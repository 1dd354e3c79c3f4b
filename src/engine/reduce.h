/* SPDX-License-Identifier: BSD-3-Clause */
/* Many elements combined into accumulators. */
#ifndef STRIA_SRC_ENGINE_REDUCE_H
#define STRIA_SRC_ENGINE_REDUCE_H

#include "program.h"
#include "simd/fold.h"

/* Accumulators of n outputs, of `count` elements each, of which results are made. */
struct folded {
    int64_t n, count;
    double ddof;
    const double *centers; /* from which deviations were taken; NULL: there are none */
};

/*
 * A checked reduction of whole axes. out, of any dtype, has the dims of a that are not reduced.
 * With a program, the elements are what it computes from the inputs, which broadcast to the shape
 * of a: its operand 0, of the dtype that the kernels take. They never exist all at once.
 */
struct reduction {
    const stria_view *out, *a;
    const struct program *program; /* NULL: of one input, a, the elements as they are */
    int inputs;
    const stria_view *const *input;
    uint64_t dims; /* those that are reduced, a set */
    const struct fold_kernels *fold;
    const struct fold_kernels *then; /* of deviations from the means that fold gives; NULL: none */
    stria_dtype takes;               /* what the kernels read, native */
    int64_t accumulator;             /* bytes, at most 16 */
    bool ordered;                    /* the result depends on the order of the elements */
    bool tree;                       /* its bits do: floats are added or multiplied */
    bool side_by_side;               /* kernels have rows of 2, 3, 4 or 8 elements side by side */
    double cycles;                   /* approximate cost of an element */
    void (*finish)(char *accumulators,
                   const struct folded *f); /* turns them into results; NULL: they are */
    double ddof;
    stria_dtype gives; /* the results, native */
    /* Tells whether no further element changes any of n accumulators; NULL: cannot be. */
    bool (*settled)(const char *accumulators, int64_t n);
};

/*
 * Runs a reduction with at least one output and one element for each. The order in which elements
 * are combined depends on shape and dims alone. out shares no byte with the inputs.
 */
void stria__reduce(const struct reduction *what, const stria_exec *exec);

/* Explains how it would run, as snprintf writes, instead of running it. */
void stria__reduce_explain(char *text, size_t size, const struct reduction *what,
                           const stria_exec *exec);

#endif
