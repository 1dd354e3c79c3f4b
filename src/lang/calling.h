/* SPDX-License-Identifier: BSD-3-Clause */
/* A call by name on its way, for calls that are bound each time and calls that were bound before.
 */
#pragma once

#include "call_values.h"
#include "registry.h"

enum { CALLED_NAME = 80 /* bytes of the longest name, terminated */ };

struct calling {
    const stria_function *function;
    struct arguments given;
    struct invocation invocation;
    struct pool pool;
    struct failure failure;
    stria_exec exec; /* the caller's, with the rule of promotion */
    stria_view none; /* stands for the array where no argument is one */
};

/* Room for the integers of one parameter. */
struct integers {
    int64_t ints[STRIA_MAX_NDIM];
    int dims[STRIA_MAX_NDIM];
};

/* ARGUMENT for what no call can be made of. */
stria_status stria__check_call(const stria_function *function, stria_promotion rule, int count,
                               const stria_arg *args);
/* How a call is run: as exec says, which may be NULL, by the rule. ARGUMENT for an exec that is
 * none. */
stria_status stria__calling_exec(stria_exec *out, const stria_exec *exec, stria_promotion rule);
/* The name of the function, terminated, as messages have it. */
void stria__calling_name(char name[CALLED_NAME], const stria_function *function);

/*
 * Runs the call if it is one elementwise operation on views and numbers alone, into new memory or
 * into out=: true, and *status. Others have 6 KB of stack more.
 */
bool stria__call_operation(stria_status *status, stria_results *results,
                           const stria_function *function, int count, const stria_arg *args,
                           const stria_exec *exec);

/* Sets all but the pool and exec; nothing is bound yet. */
void stria__calling_start(struct calling *c, const stria_function *function, const char *name,
                          stria_promotion rule, int count, const stria_arg *args);
/* Makes values of the arguments: positional ones first, then those with names. ARGUMENT, MEMORY. */
stria_status stria__calling_read(struct calling *c, int count, const stria_arg *args);
/* Finds the first form that takes the arguments, and binds them to it; what refuses them. */
stria_status stria__find_form(const struct form **out, struct calling *c, stria_promotion rule);
/* Binds integers, or dims, that lie side by side; false where something else is among them. */
bool stria__bind_integers(struct arg *to, struct integers *room, int64_t count,
                          const stria_arg *from);
/* Runs the form on the arguments that are bound. */
stria_status stria__run_form(stria_results *results, struct calling *c, const struct form *form);
