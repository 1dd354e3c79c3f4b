/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers of transpositions through the caches and of streamed ones (transpose_stream.c). */
#ifndef STRIA_SRC_ENGINE_MOVE_TRANSPOSE_H
#define STRIA_SRC_ENGINE_MOVE_TRANSPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "move/nest.h"
#include "tiling.h"

/* Transposes one tile; arg: a struct transpose, whose fields that are the same for all tiles are
 * set. */
void stria__transpose_tile(const struct tiling *t, const struct tile *tile, void *arg);

/* Cuts n to 1 .. most. */
int64_t stria__at_most(int64_t n, int64_t most);

/* Returns the items that a tile reads in a row: at most `run` bytes, and at most the dense run. */
int64_t stria__transpose_items(const struct nest *nest, int64_t run);

/* Transposes through the caches. */
void stria__transpose_plain(const struct nest *nest);

/* Transposes by non-temporal stores; where there is no scratch memory, through the caches. */
void stria__transpose_stream(const struct nest *nest);
/* Explains how, as snprintf writes. */
void stria__transpose_explain_stream(char *text, size_t size, const struct nest *nest);

#endif
