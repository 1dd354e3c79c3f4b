/* SPDX-License-Identifier: BSD-3-Clause */
/* An elementwise operation over views of any layout and dtype. */
#ifndef STRIA_SRC_ENGINE_MAP_H
#define STRIA_SRC_ENGINE_MAP_H

#include "program.h"

/*
 * Runs loop over nops operands, of which the first is the output and the others broadcast to it.
 * Inputs are cast to what the kernel reads, and the result to the output's dtype. Inputs that
 * overlap the output are copied first. cycles: what the loop takes for an element, about. All
 * arguments have been checked, and no two elements of the output share a byte. MEMORY, without a
 * message, where there is none for the copy of an input.
 */
stria_status stria__map(map_loop *loop, double cycles, int nops, const struct map_operand *operands,
                        const stria_exec *exec);

/* Instead of running it: how it would run, as snprintf writes. Addresses do not matter. */
stria_status stria__map_explain(char *text, size_t size, map_loop *loop, double cycles, int nops,
                                const struct map_operand *operands, const stria_exec *exec);

#endif
