/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inputs of an EXPR: the arrays that it can name, x, which its chain starts at, and
 * those given with --with; and whose rules of promotion operators and bare names follow.
 */
#ifndef STRIA_TOOL_INPUTS_H
#define STRIA_TOOL_INPUTS_H

#include "lang/eval.h"

struct input {
    char *name;        /* owned */
    stria_array array; /* owned */
    bool mapped;       /* a map of a file that nobody has written to */
};

struct inputs {
    struct input *items; /* items[0] is x */
    size_t count;
    struct environment environment; /* of the same arrays */
    struct pool pool;               /* what dtypes of the arrays refer to */
};

/* Takes over the array, also when it refuses the name: no identifier, taken, or a word of EXPR. */
stria_status inputs_add(struct inputs *inputs, const char *name, stria_array array,
                        struct failure *failure);
void inputs_free(struct inputs *inputs);

/* "torch" or "numpy". ARGUMENT otherwise. */
stria_status inputs_rules(struct inputs *inputs, const char *text, struct failure *failure);

/*
 * In place of x where no array is given: makers of arrays (zeros, arange) need none. It has no
 * name; it lies in a meta buffer where the EXPR is only explained.
 */
stria_status inputs_without_x(struct inputs *inputs, bool explained, struct failure *failure);

/*
 * The evaluation of an EXPR over the inputs, to which more may be added until it is run. Arrays
 * that are read across large files are put in order first (reordered_file.h).
 */
struct evaluation inputs_evaluation(const char *expr, const struct inputs *inputs,
                                    struct failure *failure);

/* Tells whether an array is worth being written block by block, without being made. */
bool inputs_are_large(const stria_view *a);

#endif
