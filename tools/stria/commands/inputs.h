/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inputs of an EXPR: the arrays that it can name, x, which its chain starts at, and those of
 * --with; and whose promotion rules its operators and bare names follow.
 */
#pragma once

#include "lang/eval.h"

struct input {
    char *name;        /* Owned. */
    stria_array array; /* Owned. */
    bool mapped;       /* A map of a file that nobody has written to. */
};

struct inputs {
    struct input *items; /* The first item is x. */
    size_t count;
    struct environment environment; /* The environment of the same arrays. */
    struct pool pool;               /* Memory of the arrays' dtypes. */
};

/* Takes over the array, also when it refuses the name: no identifier, taken, or a word of EXPR. */
stria_status inputs_add(struct inputs *inputs, const char *name, stria_array array,
                        struct failure *failure);
void inputs_free(struct inputs *inputs);

/* Sets the rules, "torch" or "numpy". ARGUMENT otherwise. */
stria_status inputs_rules(struct inputs *inputs, const char *text, struct failure *failure);

/*
 * Adds an array in place of x if none is given: makers of arrays (zeros, arange) need none. It has
 * no name, and lies in a meta buffer if the EXPR is only explained.
 */
stria_status inputs_without_x(struct inputs *inputs, bool explained, struct failure *failure);

/*
 * Returns the evaluation of an EXPR over the inputs; inputs may be added until it runs. Arrays that
 * are read across large files are put in order first (reordered_file.h).
 */
struct evaluation inputs_evaluation(const char *expr, const struct inputs *inputs,
                                    struct failure *failure);

/* Tells whether an array is so large that it is written block by block, without being made. */
bool inputs_are_large(const stria_view *a);
