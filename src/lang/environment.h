/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The meanings of names: modules, constants, dtypes, and the views that text is evaluated with,
 * whose rules its operators and bare names follow.
 */
#pragma once

#include "base/tool_api.h"
#include "stria/eval.h"
#include "tagged_value.h"

/* The library whose meaning a call has: the same name can differ between PyTorch and NumPy. */
enum world { WORLD_ANY, WORLD_TORCH, WORLD_NUMPY };

/* Tells whether it is the name of a module (torch, np, numpy, stria), and stores whose module it
 * is. */
TOOL_API bool stria__name_is_module(const char *name, enum world *world);
/* Tells whether that part of a dotted name only says where a function lives: lib, Tensor, ... */
bool stria__name_is_folder(const char *name);

/*
 * Tells whether the name is a constant, a memory format or a dtype ("newaxis", "pi",
 * "channels_last", "f32", "int_"), and stores its value.
 */
TOOL_API bool stria__name_value(struct value *out, const char *name, enum world world);

/*
 * Reads a dtype written as a string: in NumPy's notation ('<f4', 'i8' of eight bytes, 'int'), else
 * as a name that is used without quotes. FORMAT at value->at.
 */
stria_status stria__name_dtype(stria_dtype *out, const struct value *string,
                               struct failure *failure);

/* ---- views by name --------------------------------------------------------------------------- */

struct environment {
    /* A chain without a head starts at views[0], whose name is "" if there is none to start at. */
    const stria_named *views;
    size_t count;     /* At least 1. */
    enum world rules; /* ANY stands for PyTorch's. */
};

TOOL_API bool stria__environment_has_x(const struct environment *environment);
/* Returns the view of that name, or NULL. */
TOOL_API const stria_view *stria__environment_find(const struct environment *environment,
                                                   const char *name);
/* Returns the name of the first view whose memory is in the buffer, or NULL. */
const char *stria__environment_owner(const struct environment *environment,
                                     const stria_buffer *buffer);
/* Makes an array with the bounds and the geometry of a, and no memory (view/array.c). */
TOOL_API stria_status stria__meta_of(stria_array *out, const stria_view *a);
/* Returns why a view cannot have that name, or NULL if it can. */
TOOL_API const char *stria__environment_refuses(const char *name);
