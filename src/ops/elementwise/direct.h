/* SPDX-License-Identifier: BSD-3-Clause */
/* The short way of small operations: one call of the kernel on the operands as they lie. */
#ifndef STRIA_OPS_ELEMENTWISE_DIRECT_H
#define STRIA_OPS_ELEMENTWISE_DIRECT_H

#include "stria/elementwise.h"

/*
 * Does all of stria_elementwise where the operands are of the dtype of the loop, come to at most
 * two dims that the loop is fast on, and are little work; nothing was checked before. False: it did
 * nothing, and what there may be to refuse is left to others.
 */
bool stria__elementwise_direct(stria_op op, const stria_view *out, int n,
                               const stria_view *const *operands, const stria_exec *exec);

#endif
