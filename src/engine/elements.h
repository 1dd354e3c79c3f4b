/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs elementwise operations and programs over views of any layout and dtype. */
#ifndef STRIA_SRC_ENGINE_MAP_H
#define STRIA_SRC_ENGINE_MAP_H

#include "program.h"

/*
 * Runs a kernel. Inputs are cast to the dtypes that it reads, and the result to the output's dtype.
 * Inputs that overlap the output are copied first. With a mask only elements for which it holds
 * change, though others may be read and written as they were. All arguments have been checked, and
 * no two elements of the output share a byte. MEMORY, without a message, when there is none for the
 * copy of an input.
 */
stria_status stria__map(const struct map *map, const stria_exec *exec);

/*
 * Runs a program over views, of which the first is the output, as stria__map does. What it does to
 * a view depends on its dtype and lazy bits, not on its layout. Several outputs have one shape and
 * share no byte; inputs that share bytes with any of them are copied first.
 */
stria_status stria__map_program(const struct program *program, const stria_view *const *views,
                                const stria_exec *exec);

/* Explains how it would run, as snprintf writes, instead of running it. Addresses do not matter. */
stria_status stria__map_program_explain(char *text, size_t size, const struct program *program,
                                        const stria_view *const *views, const stria_exec *exec);

/* Explains how it would run, as snprintf writes, instead of running it. Addresses do not matter. */
stria_status stria__map_explain(char *text, size_t size, const struct map *map,
                                const stria_exec *exec);

#endif
