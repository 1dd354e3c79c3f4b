/* SPDX-License-Identifier: BSD-3-Clause */
/* The two doors of a function: one writes into a view, the other one makes a new array. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "stria/array.h"
#include "stria/threads.h"

#define DOOR_PARAMETERS(...) __VA_ARGS__

/*
 * Defines stria_NAME and stria_NAME_new, which are one call each. Their parameters are those in
 * parentheses, between `out` and `exec`. For the call, `out` is the view, or NULL in the second
 * door, and `made` the new array, or NULL in the first one:
 *
 *   DOORS(sort, (const stria_view *a, int dim), sort(out, made, a, dim, exec))
 */
#define DOORS(name, parameters, call)                                                              \
    stria_status stria_##name(const stria_view *out, DOOR_PARAMETERS parameters,                   \
                              const stria_exec *exec)                                              \
    {                                                                                              \
        stria_array *const made = NULL;                                                            \
        return call;                                                                               \
    }                                                                                              \
    stria_status stria_##name##_new(stria_array *made, DOOR_PARAMETERS parameters,                 \
                                    const stria_exec *exec)                                        \
    {                                                                                              \
        const stria_view *const out = NULL;                                                        \
        return call;                                                                               \
    }
