/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel of a weighted sum, w0 * x0 + w1 * x1 + ..., for programs. It reads its weights before
 * its operands: constants in a row, of which the first has the number of terms.
 */
#ifndef STRIA_OPS_EXPR_WEIGHTED_SUM_H
#define STRIA_OPS_EXPR_WEIGHTED_SUM_H

#include "engine/program.h"
#include "simd/window.h"

/* The kernel of a dtype; NULL: there is none. */
map_loop *stria__sum_loop(stria_kind kind);

/* Stores the constants of so many weights, each an item; returns how many these are. */
int16_t stria__sum_weights(struct constant *out, int count, const struct constant *weights,
                           stria_kind kind);
/* Stores weight k of those. */
void stria__sum_weight_at(struct constant *weight, const struct constant *weights, int k,
                          stria_kind kind);
void stria__sum_weight_one(struct constant *weight, stria_kind kind);

#endif
