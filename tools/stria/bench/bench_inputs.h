/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a case besides x: those that are described, and the names that are left in EXPR. */
#ifndef STRIA_TOOL_BENCH_INPUTS_H
#define STRIA_TOOL_BENCH_INPUTS_H

#include "array_spec.h"
#include "lang/syntax.h"
#include "suite.h"

struct bench_input {
    const char *name;
    struct array_spec array;
};

/* x and the others, of which those that EXPR names without a description are like x. */
struct bench_inputs {
    int count;
    struct bench_input items[BENCH_MAX_INPUTS];
};

/* How arrays become smaller as x did. */
struct smaller {
    int64_t shape[STRIA_MAX_NDIM]; /* that x had */
    bool by_size; /* each dim as that of x that has its size; else as that of its place */
};

/*
 * Adds the others to x, which is there. Descriptions are "y=4096,4096" or "y=4096,1:f64", by a case
 * whose x may have been larger; they become smaller in the same proportion. FORMAT and ARGUMENT,
 * naming the description.
 */
stria_status bench_inputs_add(struct bench_inputs *inputs, const struct suite_case *c,
                              const struct smaller *how, const struct node *tree, struct pool *pool,
                              struct failure *failure);

#endif
