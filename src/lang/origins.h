/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose a name is: PyTorch 2.13's (functions, methods and its operators), NumPy 2.4's (functions,
 * methods and those of numpy.random and numpy.lib) and the Array API's of 2025.12; and what to
 * write for names of theirs that no row has.
 */
#ifndef STRIA_LANG_ORIGINS_H
#define STRIA_LANG_ORIGINS_H

#include "function.h"
#include "stria/call.h"

/*
 * Returns who has (STRIA_IN_TORCH, ...) one of the names of the row, in the meaning of the row; 0:
 * Stria alone. copied: the name is one of them with _copy behind it.
 */
unsigned stria__origins(const struct function *row, struct text_span name, bool copied);

/*
 * The same of one of the names of a parameter: of dim|axis the first is PyTorch's, the second
 * NumPy's and the Array API's. 0 where it is of none of them, or the only one, which is the same
 * everywhere.
 */
unsigned stria__parameter_origins(const struct function *row, const struct param *parameter,
                                  struct text_span name);

#endif
