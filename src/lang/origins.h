/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has a name: PyTorch 2.13 (functions, methods and operators), NumPy 2.4 (functions, methods,
 * numpy.random and numpy.lib), or the Array API of 2025.12; and what to write for names of theirs
 * that no row has.
 */
#pragma once

#include "base/tool_api.h"
#include "function.h"
#include "stria/call.h"

/*
 * Returns who has one of the row's names in the row's meaning (STRIA_IN_TORCH, ...); 0: Stria
 * alone. copied: the name has _copy behind one of them.
 */
TOOL_API unsigned stria__origins(const struct function *row, struct text_span name, bool copied);

/*
 * Returns who has one of the names of a parameter: in dim|axis the first is PyTorch's, the second
 * NumPy's and the Array API's. 0 if nobody has it, or if it is the only name, which is the same
 * everywhere.
 */
TOOL_API unsigned stria__parameter_origins(const struct function *row,
                                           const struct param *parameter, struct text_span name);
