/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: whole quotients of floats and what they leave. */
#include "math_level.h"

#include "math/division.h"

#define MATH_LIST      STRIA_DIVISION_LIST
#define MATH_NEAR_LIST STRIA_DIVISION_LIST
#define MATH_TABLE     TABLE(stria__math_division_)
#include "math.inc"
