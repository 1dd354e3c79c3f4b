/* SPDX-License-Identifier: BSD-3-Clause */
/* One value as one parameter's type. */
#ifndef STRIA_TOOL_CONVERT_H
#define STRIA_TOOL_CONVERT_H

#include "op.h"

struct target {
    const char *op; /* as written */
    const struct param *param;
    struct arena *arena;
    struct failure *failure;
};

/* ARGUMENT when the value is of another type, OVERFLOW and DIM when a number is out of range. */
stria_status convert(struct arg *out, const struct value *value, const struct target *target);

#endif
