/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: combining many elements into accumulators. */
#pragma once

#include "program.h"
#include "simd/fold.h"

/* Accumulators of n outputs, each of `count` elements, from which results are made. */
struct folded {
    int64_t n, count;
    double ddof;
    const double *centers; /* Means that deviations were taken from; NULL: none were. */
};

/*
 * A checked reduction of whole axes. out, of any dtype, has the dims of a that are not reduced.
 * With a program, the elements are what it computes from the inputs, which broadcast to the shape
 * of a: its operand 0, of the dtype that the kernels take. They never exist all at once.
 */
struct reduction {
    const stria_view *out, *a;
    const struct program *program; /* NULL: the elements are those of the one input, a. */
    int inputs;
    const stria_view *const *input;
    uint64_t dims; /* The dims that are reduced, as a set of bits. */
    const struct fold_kernels *fold;
    /* A second fold, of deviations from the means that the first gives; NULL: none. */
    const struct fold_kernels *then;
    stria_dtype takes;   /* Native dtype that the kernels read. */
    int64_t accumulator; /* Bytes of an accumulator, at most 16. */
    bool ordered;        /* The result depends on the order of the elements. */
    bool tree;           /* Its bits depend on the order, since floats are added or multiplied. */
    bool side_by_side;   /* Kernels take rows of 2, 3, 4 or 8 elements side by side. */
    double cycles;       /* Approximate cost of an element. */
    void (*finish)(char *accumulators,
                   /* Turns accumulators into results; NULL: they are results. */
                   const struct folded *f);
    double ddof;
    stria_dtype gives; /* Native dtype of the results. */
    /* Tells whether no further element can change any of n accumulators; NULL: that never holds. */
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
