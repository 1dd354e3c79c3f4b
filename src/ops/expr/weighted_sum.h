/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel of a weighted sum, w0 * x0 + w1 * x1 + ..., for programs. It reads its weights before
 * its operands: adjacent constants, the first of which has the number of terms.
 */
#pragma once

#include "engine/program.h"
#include "simd/window.h"

/* Returns the kernel of a dtype; NULL: there is none. */
map_loop *stria__sum_loop(stria_kind kind);

/* Stores the constants of `count` weights, each an item; returns the number of constants. */
int16_t stria__sum_weights(struct constant *out, int count, const struct constant *weights,
                           stria_kind kind);
/* Stores weight k in those constants. */
void stria__sum_weight_at(struct constant *weight, const struct constant *weights, int k,
                          stria_kind kind);
void stria__sum_weight_one(struct constant *weight, stria_kind kind);
