/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: special functions, functions of two arguments, activations. */
#include "math_level.h"

#include "math/error_function.h"
#include "math/gamma.h"
#include "math/plane.h"
#include "math/power.h"

#define MATH_LIST  STRIA_SPECIAL_LIST
#define MATH_TABLE TABLE(stria__math_special_)
#include "math.inc"
