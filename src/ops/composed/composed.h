/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that are compositions of others: each is one static function that makes a new array. */
#pragma once

#include "ops/doors.h"
#include "ops/operands.h"

/* Checks `out` against the result, and copies the result to it. */
stria_status stria__composed_write(const stria_view *out, const stria_view *made, const char *op,
                                   const stria_exec *exec);

/* The body of a door that writes into the view `out` what the call has made. */
#define COMPOSED_INTO(name, call)                                                                  \
    TAKES_EXEC(exec, name);                                                                        \
    IN_DEFAULT_FP_MODE;                                                                            \
    OWNED_ARRAY(made);                                                                             \
    STRIA_TRY(stria__check_writable(out, name, "out"));                                            \
    STRIA_TRY(call);                                                                               \
    return stria__composed_write(out, &made.view, name, exec)

/* The body of a door that makes the array `out`. */
#define COMPOSED_NEW(name, call)                                                                   \
    TAKES_EXEC(exec, name);                                                                        \
    IN_DEFAULT_FP_MODE;                                                                            \
    OWNED_ARRAY(made);                                                                             \
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", name);                     \
    return stria__deliver(out, &made, call)

/* Defines both doors, stria_NAME and stria_NAME_new, with the parameters between `out` and `exec`.
 */
#define COMPOSED(name, parameters, call)                                                           \
    stria_status stria_##name(const stria_view *out, DOOR_PARAMETERS parameters,                   \
                              const stria_exec *exec)                                              \
    {                                                                                              \
        COMPOSED_INTO(#name, call);                                                                \
    }                                                                                              \
    stria_status stria_##name##_new(stria_array *out, DOOR_PARAMETERS parameters,                  \
                                    const stria_exec *exec)                                        \
    {                                                                                              \
        COMPOSED_NEW(#name, call);                                                                 \
    }
