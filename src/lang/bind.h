/* SPDX-License-Identifier: BSD-3-Clause */
/* From the arguments of a call as written to the parameters of a signature: Python's rules. */
#ifndef STRIA_LANG_BIND_H
#define STRIA_LANG_BIND_H

#include "function.h"

struct keyword {
    const char *name;
    size_t at;
    struct value value;
};

struct arguments {
    const char *name;             /* of the op, as written */
    size_t at;                    /* where missing arguments are reported */
    const struct value *receiver; /* what the method is called on; NULL: a function */
    struct value *positional;
    size_t npositional;
    struct keyword *keywords;
    size_t nkeywords;
};

/* Fills args[0 .. signature->count). ARGUMENT, DIM, OVERFLOW at the argument's place. */
stria_status stria__bind_arguments(struct arg *args, const struct signature *signature,
                                   const struct arguments *given, struct pool *pool,
                                   struct failure *failure);

/* One value as one parameter's type. */
struct target {
    const char *op; /* as written */
    const struct param *param;
    struct pool *pool;
    struct failure *failure;
};

/* ARGUMENT when the value is of another type, OVERFLOW and DIM when a number is out of range. */
stria_status stria__bind_value(struct arg *out, const struct value *value,
                               const struct target *target);

#endif
