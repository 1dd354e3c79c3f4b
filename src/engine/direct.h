/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of one instruction that need no blocks, which are tried first. */
#ifndef STRIA_SRC_ENGINE_DIRECT_H
#define STRIA_SRC_ENGINE_DIRECT_H

#include "call.h"

/* Runs an instruction over two dims of its values: a kernel, or a cast of rows at any strides. */
void stria__run_instruction(const struct program *program, const struct instruction *code,
                            char *const *ptr, const stria_dim *d);

/* Tells whether the program is one instruction that takes the operands as they lie. */
bool stria__is_direct(const struct call *call, const stria_plan *plan);
void stria__run_direct(const struct call *call, const stria_plan *plan);

#endif
