/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transpositions to an output that is dense over several dims although its rows are not whole
 * lines. A span is as much of that dense run as stays in the caches; it is streamed line by line,
 * wherever rows end.
 *
 *     u16 (300,127,204) to (300,204,127)    a row has 254 bytes, a span 102 rows: half of each of
 *                                           127 source rows
 */
#ifndef STRIA_SRC_ENGINE_MOVE_SPANS_H
#define STRIA_SRC_ENGINE_MOVE_SPANS_H

#include "nest.h"

/*
 * Computes the approximate bytes of a span; 0 where there is none, because too little of the output
 * is dense, or too little of each source row belongs to a span. nest must be dense in dim 0 in the
 * output, and have a stria__tiling_dim.
 */
int64_t stria__span_bytes(const struct nest *nest);

/*
 * Streams such a nest span by span. Returns false, and has done nothing, where there is no scratch
 * memory for it.
 */
bool stria__stream_spans(const struct nest *nest);

#endif
