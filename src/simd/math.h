/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of mathematics: map_loop (map.h) for f16, bf16, f32 and f64. They come in groups (ops.h),
 * each compiled by itself and with a table of its own, since a level of all of them takes minutes.
 */
#ifndef STRIA_SIMD_MATH_H
#define STRIA_SIMD_MATH_H

#include "map.h"

/* The ops of a group are counted from its first one; the table ends with an op without kernels. */
struct math_kernels {
    map_loop *const (*loop)[NUMBERS]; /* [op][stria_kind]; NULL where there is none */
};

#endif
