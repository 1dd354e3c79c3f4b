/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast path of small calls: operands of one dtype that are dense in C order and of one shape,
 * for which checks, promotion and a plan would take longer than the kernel.
 */
#ifndef STRIA_OPS_ELEMENTWISE_FLAT_H
#define STRIA_OPS_ELEMENTWISE_FLAT_H

#include "ops/elementwise/types.h"
#include "stria/threads.h"

/*
 * The operation is done, and was one that the usual way would do without a word. False: nothing
 * happened. operands is not NULL and has as many entries as the operation takes.
 */
bool stria__elementwise_flat(const struct op_info *row, stria_op op, const stria_view *out,
                             const stria_view *const *operands, const stria_exec *exec);

#endif
