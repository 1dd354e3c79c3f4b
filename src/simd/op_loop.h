/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel of an op, whatever family it belongs to. */
#ifndef STRIA_SIMD_OP_LOOP_H
#define STRIA_SIMD_OP_LOOP_H

#include "kernels.h"
#include "math.h"

/* Returns NULL where there is none. The dtype is that of the inputs, see map.h. */
static inline map_loop *op_loop(const struct stria_kernels *kernels, stria_op op, stria_kind kind)
{
    int i = (int)op;
    if (i < MAP_OPS) return kernels->map->loop[i][kind];
    i -= MAP_OPS;
    if (i < EXPONENTIAL_OPS) return kernels->exponential->loop[i][kind];
    i -= EXPONENTIAL_OPS;
    if (i < TRIGONOMETRIC_OPS) return kernels->trigonometric->loop[i][kind];
    return kernels->special->loop[i - TRIGONOMETRIC_OPS][kind];
}

#endif
