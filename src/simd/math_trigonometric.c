/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: trigonometric functions and roots. */
#include "math_level.h"

#include "math/arc.h"
#include "math/root.h"
#include "math/trig.h"

#define MATH_LIST       STRIA_TRIGONOMETRIC_LIST
#define MATH_NEAR_LIST  STRIA_TRIGONOMETRIC_NEAR_LIST
#define MATH_PLAIN_LIST STRIA_TRIGONOMETRIC_PLAIN_LIST
#define MATH_TABLE      TABLE(stria__math_trigonometric_)
#include "math.inc"
