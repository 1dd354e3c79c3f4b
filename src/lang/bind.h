/* SPDX-License-Identifier: BSD-3-Clause */
/* Binds the arguments of a call to the parameters of a signature, by Python's rules. */
#pragma once

#include "function.h"

struct keyword {
    const char *name;
    size_t at;
    struct value value;
};

struct arguments {
    const char *name;             /* Name of the op, as written. */
    size_t at;                    /* Place at which missing arguments are reported. */
    const struct value *receiver; /* The value that the method is called on; NULL: a function. */
    struct value *positional;
    size_t npositional;
    struct keyword *keywords;
    size_t nkeywords;
};

/* Fills args[0 .. signature->count). ARGUMENT, DIM, OVERFLOW with the argument's place. */
stria_status stria__bind_arguments(struct arg *args, const struct signature *signature,
                                   const struct arguments *given, struct pool *pool,
                                   struct failure *failure);

/* Tells whether a value is all of *args, of which it is the only one, not their first item. Where
 * arrays are taken, [1, 2] is one of them, and [[1, 2], [3]] is all. */
static inline bool stria__is_whole(const struct value *value, enum param_type type)
{
    if (type == TYPE_ARRAYS && stria__value_is_sequence(value) && value->list.count &&
        stria__value_is_number(value->list.items))
        return false;
    return type != TYPE_ANY &&
           (stria__value_is_sequence(value) || value->kind == VALUE_NONE ||
            (type != TYPE_ARRAYS && value->kind == VALUE_ARRAY && value->view->ndim));
}

/* Describes the parameter that one value is converted for. */
struct target {
    const char *op; /* Name of the op, as written. */
    const struct param *param;
    struct pool *pool;
    struct failure *failure;
};

/* Converts the value. ARGUMENT when it is of another type, OVERFLOW and DIM when a number is out of
 * range. */
stria_status stria__bind_value(struct arg *out, const struct value *value,
                               const struct target *target);
