/* SPDX-License-Identifier: BSD-3-Clause */
/* What each group of mathematics begins with (math.inc). */
#ifndef STRIA_SIMD_MATH_LEVEL_H
#define STRIA_SIMD_MATH_LEVEL_H

#include "level.h"
#include "map_layout.h"
#include "map.h"

#include "fma.h"

/* Rows of f16 and bf16 are converted by the family of conversions of this level. */
extern const struct convert_kernels TABLE(stria__cast_);

#endif
