/* SPDX-License-Identifier: BSD-3-Clause */
/* What bare and dotted names mean, and the names of modules in front of them. */
#ifndef STRIA_LANG_NAMES_H
#define STRIA_LANG_NAMES_H

#include "tagged_value.h"

/* In whose sense a call is meant: the same name can differ between PyTorch and NumPy. */
enum world { WORLD_ANY, WORLD_TORCH, WORLD_NUMPY };

/* Tells whether it is the name of a module (torch, np, numpy, stria); then *world is whose it is.
 */
bool stria__name_is_module(const char *name, enum world *world);
/* Tells whether that part of a dotted name only says where a function lives: lib, Tensor, ... */
bool stria__name_is_folder(const char *name);

/*
 * Tells whether the name is a constant, a memory format or a dtype ("newaxis", "pi",
 * "channels_last", "f32", "int_"); then *out is what it stands for.
 */
bool stria__name_value(struct value *out, const char *name, enum world world);

/*
 * A dtype written as a string: NumPy's notation first ('<f4', 'i8' of eight bytes, 'int'), then
 * the names that go without quotes. FORMAT at value->at.
 */
stria_status stria__name_dtype(stria_dtype *out, const struct value *string,
                               struct failure *failure);

#endif
