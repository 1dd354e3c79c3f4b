/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions found by name. All rows of the registry that have a name, whether as the first or as
 * another one, are the forms of the function of that name: its overloads, and what PyTorch and
 * NumPy mean by it. NAME_copy is a function for each NAME of views that no row has it for: every
 * result of NAME, copied. Signatures are read when their function is first looked for.
 */
#ifndef STRIA_LANG_LOOKUP_H
#define STRIA_LANG_LOOKUP_H

#include "registry.h"
#include "stria/call.h"

struct form {
    const struct function *row;
    struct signature signature;
    const char *theme;
    enum waiting waits;
    bool views; /* it makes views only */
};

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

#endif
