/* SPDX-License-Identifier: BSD-3-Clause */
/* One value as one parameter's type. */
#ifndef STRIA_LANG_BIND_VALUE_H
#define STRIA_LANG_BIND_VALUE_H

#include "function.h"

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
