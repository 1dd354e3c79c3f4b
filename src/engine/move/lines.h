/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often cache lines are fetched: those of the input in the order of the output, and those of
 * the output.
 */
#ifndef STRIA_SRC_ENGINE_MOVE_LINES_H
#define STRIA_SRC_ENGINE_MOVE_LINES_H

#include "nest.h"

/*
 * Computes the cycles for lines that are fetched again, for so many items in the order of the
 * output.
 */
double stria__lines_again(const struct nest *nest, double items);

/*
 * Tells whether the output has gaps along dim 0, and far more lines than fit in the second-level
 * cache.
 */
bool stria__has_far_gaps(const struct nest *nest);

#endif
