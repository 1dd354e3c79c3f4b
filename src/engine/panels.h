/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streamed programs some of whose inputs are dense along another dim than the output, while the
 * others are dense along its rows, or repeat. The output is cut into panels of some lines of each
 * of its rows, and these into tiles of a few rows. For each tile the lines of the former inputs are
 * transposed into scratch, and the program runs over it. All that comes from memory is prefetched,
 * and the output of the tile before is stored, a few lines at a time between transpositions: memory
 * then has reads and writes to do all the time, where blocks would read first and write afterwards.
 *
 *     C = A + B.T, f32 4096 x 4096     panels of 256 columns of C, for which 256 rows of B are read
 *     tile     16 x 128 elements: 16 rows of 512 bytes of C and A, a line of each of 128 rows of B
 */
#ifndef STRIA_SRC_ENGINE_PANELS_H
#define STRIA_SRC_ENGINE_PANELS_H

#include "call.h"

/*
 * Runs a plan, which is a part of the call's. Returns false for other calls, of which nothing
 * happened.
 */
bool stria__run_panels(const struct call *call, const stria_plan *plan);

#endif
