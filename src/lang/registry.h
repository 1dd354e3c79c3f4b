/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one table of ops, which functions.def lists, and functions found by name.
 * All rows that have a name, whether as the first or as another one, are the forms of the function
 * of that name: its overloads, and what PyTorch and NumPy mean by it. NAME_copy is a function for
 * each NAME of views that no row has it for: every result of NAME, copied. Signatures are read when
 * a function is first looked for.
 */
#ifndef STRIA_LANG_REGISTRY_H
#define STRIA_LANG_REGISTRY_H

#include "function.h"
#include "stria/call.h"

/* Rows that follow each other have this in common. */
struct theme {
    const char *name;
    int first;                  /* place of the first row */
    stria_gives gives;          /* VIEWS: NAME_copy is NAME, then a copy of every result */
    bool moves, writes, sparse; /* as stria_form has them */
};

/* The rows in order, from 0 until NULL. */
const struct function *stria__registry_row(size_t i);
/* The theme that the row stands under. */
const struct theme *stria__registry_theme(const struct function *row);

struct form {
    const struct function *row;
    struct signature signature;
    const struct theme *theme;
    enum may_wait waits;
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

/* The names closest to one that is not there, as "a, b or c"; NULL when nothing is close. */
const char *stria__registry_suggest(const char *name, char *text, size_t size);

#endif
