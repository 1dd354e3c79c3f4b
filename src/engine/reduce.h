/* SPDX-License-Identifier: BSD-3-Clause */
/* Many elements combined into accumulators. */
#ifndef STRIA_SRC_ENGINE_REDUCE_H
#define STRIA_SRC_ENGINE_REDUCE_H

#include "program.h"

/*
 * Runs loop, which adds operand 1 to operand 0 (simd/reduce.h), over a and accumulators that repeat
 * along some of its dims (stride 0), with the shape of a and the dtype that the kernel takes. a is
 * cast to what the kernel reads, strip by strip. Terms of one accumulator come in C order if a has
 * one dim. All arguments have been checked, and no byte is shared; it fails only where no plan can
 * be made of them.
 */
stria_status stria__accumulate(map_loop *loop, double cycles, const stria_view *accumulators,
                               const struct map_operand *a, const stria_exec *exec);

#endif
