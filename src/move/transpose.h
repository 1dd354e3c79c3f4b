/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers of transpositions through the caches and of streamed ones (transpose_stream.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "move/nest.h"
#include "tiling.h"

/* Transposes one tile; arg is a struct transpose in which the members are set that are the same for
 * all tiles. */
void stria__transpose_tile(const struct tiling *t, const struct tile *tile, void *arg);

/* Bounds n to 1 .. most. */
int64_t stria__at_most(int64_t n, int64_t most);

/* Returns the items that a tile reads in a row: at most `run` bytes, and at most the dense run. */
int64_t stria__transpose_items(const struct nest *nest, int64_t run);

/* Transposes through the caches. */
void stria__transpose_plain(const struct nest *nest);

/* Transposes by non-temporal stores, or through the caches if there is no scratch memory. */
void stria__transpose_stream(const struct nest *nest);
/* Explains how, as snprintf writes. */
void stria__transpose_explain_stream(char *text, size_t size, const struct nest *nest);

/*
 * Transpositions to an output that is dense over several dims although its rows are not whole
 * lines. A piece is as much of that dense run as stays in the caches; it is streamed line by line,
 * wherever rows end.
 *
 *     u16 (300,127,204) to (300,204,127)    a row has 254 bytes, a piece 102 rows: half of each of
 *                                           127 source rows
 */

/*
 * Computes the approximate bytes of a piece; 0 if there is none, because too little of the output
 * is dense, or too little of each source row belongs to a piece. nest must be dense in dim 0 in the
 * output, and have a stria__tiling_dim.
 */
int64_t stria__run_piece_bytes(const struct nest *nest);

/*
 * Streams such a nest piece by piece. Returns false, with nothing done, if there is no scratch
 * memory for it.
 */
bool stria__stream_run_pieces(const struct nest *nest);
