/* SPDX-License-Identifier: BSD-3-Clause */
/* The common includes of the groups of math functions (math.inc). */
#ifndef STRIA_SIMD_MATH_LEVEL_H
#define STRIA_SIMD_MATH_LEVEL_H

#include "level.h"
#include "map_layout.h"
#include "map.h"

#include "fma.h"

/* The cast kernels of this level convert rows of f16 and bf16. */
extern const struct convert_kernels TABLE(stria__cast_);

#endif
