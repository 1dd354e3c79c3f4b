/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-temporal stores for kernels that cannot write whole lines by themselves. */
#ifndef STRIA_SRC_ENGINE_MOVE_CHUNKS_H
#define STRIA_SRC_ENGINE_MOVE_CHUNKS_H

#include "nest.h"

/* Tells whether the output has dense runs that are long enough for stria__stream_chunks. */
bool stria__has_chunks(const struct nest *nest);

/*
 * Divides dense runs of the output into chunks of a few kilobytes: `run` packs each into a buffer
 * that stays in the first-level cache, from where it is streamed.
 */
void stria__stream_chunks(const struct nest *nest, void (*run)(const struct nest *chunk));

#endif
