/* SPDX-License-Identifier: BSD-3-Clause */
/* The fast path of small operations: one call of the kernel on the operands in place. */
#ifndef STRIA_OPS_ELEMENTWISE_DIRECT_H
#define STRIA_OPS_ELEMENTWISE_DIRECT_H

#include "stria/elementwise.h"

/*
 * Does all of stria_elementwise for operands of the kernel's dtype whose dims merge into two, and
 * which are so few that one thread is enough; to one where exec has a mask. Nothing has to be
 * checked before. Returns false if it did nothing: the usual path follows, with its checks.
 */
bool stria__elementwise_direct(stria_op op, const stria_view *out, int n,
                               const stria_view *const *operands, const stria_exec *exec);

#endif
