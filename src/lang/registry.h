/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one table of ops, which functions.def lists, and functions found by name.
 * All rows that have a name, whether as the first or as another one, are the forms of the function
 * of that name: its overloads, and what PyTorch and NumPy mean by it. NAME_copy is a function for
 * each NAME of views that no row has it for: every result of NAME, copied. Signatures are read when
 * a function is first looked for.
 */
#pragma once

#include "base/tool_api.h"
#include "function.h"
#include "stria/call.h"

/* A theme describes rows that follow each other in functions.def. */
struct theme {
    const char *name;
    int first;                  /* Index of the first row. */
    stria_gives gives;          /* VIEWS: NAME_copy is NAME, then a copy of every result. */
    bool moves, writes, sparse; /* The same members as in stria_form. */
};

/* Returns row i, from 0 on; NULL behind the last. */
TOOL_API const struct function *stria__registry_row(size_t i);
/* Returns the theme that the row stands under. */
TOOL_API const struct theme *stria__registry_theme(const struct function *row);

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
    struct text_span name; /* Points into a signature, or into a list of names that end in _copy. */
    int count;
    /* Its name is NAME_copy: its forms are those of NAME, and their results are copied. */
    bool copied;
    int operation; /* The stria_op that the first form computes into new memory; -1: none. */
    const struct form *const *forms; /* The forms in the order of the registry. */
};

/* Returns the function of that name, or NULL. */
const stria_function *stria__lookup(const char *name, size_t length);

/* Returns the function of that name that a user registered, or NULL. */
const stria_function *stria__user_function(const char *name, size_t length);

/* Writes the names closest to an unknown one, as "a, b or c"; NULL if nothing is close. */
TOOL_API const char *stria__registry_suggest(const char *name, char *text, size_t size);
