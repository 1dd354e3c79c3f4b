/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: activations that are functions of mathematics. */
#include "math_level.h"

#include "math/activation.h"

#define MATH_LIST  STRIA_ACTIVATION_LIST
#define MATH_TABLE TABLE(stria__math_activation_)
#include "math.inc"
