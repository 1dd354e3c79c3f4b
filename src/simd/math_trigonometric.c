/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: trigonometric functions and roots. */
#include "math_level.h"

#pragma GCC diagnostic ignored "-Wunused-function" /* no rows yet */

#define MATH_LIST  STRIA_TRIGONOMETRIC_LIST
#define MATH_TABLE TABLE(stria__math_trigonometric_)
#include "math.inc"
