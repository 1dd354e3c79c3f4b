/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: functions of mathematics of complex numbers. */
#include "math_level.h"

#include "math/complex_circular.h"

#include "complex_ops.h"
#include "math_complex.inc"
