/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one table of ops, of which rows/rows_*.c hold the rows by theme, and functions found by name.
 * All rows that have a name, whether as the first or as another one, are the forms of the function
 * of that name: its overloads, and what PyTorch and NumPy mean by it. NAME_copy is a function for
 * each NAME of views that no row has it for: every result of NAME, copied. Signatures are read when
 * their function is first looked for.
 */
#ifndef STRIA_LANG_REGISTRY_H
#define STRIA_LANG_REGISTRY_H

#include "function.h"
#include "stria/call.h"

extern const struct function_group stria__rows_order, stria__rows_shape, stria__rows_index,
    stria__rows_split, stria__rows_window, stria__rows_broadcast, stria__rows_complex,
    stria__rows_math, stria__rows_two, stria__rows_reduce, stria__rows_contract, stria__rows_scan,
    stria__rows_sort, stria__rows_dtype, stria__rows_same, stria__rows_owner, stria__rows_copy,
    stria__rows_make, stria__rows_create, stria__rows_random, stria__rows_join, stria__rows_gather,
    stria__rows_scatter, stria__rows_sparse, stria__rows_data, stria__rows_ask, stria__rows_exact,
    stria__rows_window_ops;

/* What the rows of a list have in common. */
struct theme {
    const char *name;
    const struct function_group *rows;
    stria_gives gives; /* VIEWS: NAME_copy is NAME, then a copy of every result */
};

/* The rows in order, from 0 until NULL. */
const struct function *stria__registry_row(size_t i);
/* The theme that the row stands under. */
const struct theme *stria__registry_theme(const struct function *row);

/*
 * Which arguments may wait to be computed with the op (fusion.h): all of elementwise math, the
 * array of a reduction.
 */
enum waiting { NOTHING_WAITS, FIRST_WAITS, ALL_WAIT };

struct form {
    const struct function *row;
    struct signature signature;
    const struct theme *theme;
    enum waiting waits;
};

static inline bool stria__form_is_views(const struct form *form)
{
    return form->theme->gives == STRIA_GIVES_VIEWS;
}

struct stria_function {
    struct text_span name; /* lies in a signature, or of a copy in a list of those */
    int count;
    bool copied;   /* NAME_copy: the forms are those of NAME, and their results are copied */
    int operation; /* the stria_op that the first form is, into new memory; -1: none */
    const struct form *const *forms; /* in the order of the registry */
};

/* Returns the function of that name, or NULL. */
const stria_function *stria__lookup(const char *name, size_t length);

/* Returns the function of that name which was registered by a user, or NULL. */
const stria_function *stria__user_function(const char *name, size_t length);

/* Runs the operation that the first name of a row has; its operands are the first arguments. */
stria_status stria__call_operation(struct invocation *call);
bool stria__math_may_wait(const struct function *op);
/* The operation that the row computes of its operands as they are given, -1: none. */
int stria__math_operation(const struct function *op);
bool stria__reduction_may_wait(const struct function *op);
/* The names closest to one that is not there, as "a, b or c"; NULL when nothing is close. */
const char *stria__registry_suggest(const char *name, char *text, size_t size);

#endif
