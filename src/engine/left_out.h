/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips that a mask leaves out. */
#ifndef STRIA_SRC_ENGINE_LEFT_OUT_H
#define STRIA_SRC_ENGINE_LEFT_OUT_H

#include "block.h"

/* Tells whether all of n elements of a mask, which are adjacent, are false. */
bool stria__holds_nowhere(const char *row, int64_t n);

/*
 * Tells whether nothing has to be done for a strip of sizes n, whose mask, operand `mask`, begins
 * at `at`. False where that takes long to find out: the strip is then computed, and the program
 * chooses nothing of it. An output that is gathered for a whole block needs all of its strips.
 */
bool stria__is_left_out(const struct block *b, int outputs, int mask, const char *at,
                        const int64_t *n);

#endif
