/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of complex functions, for one level. */
#include "math_level.h"

#include "math/complex_circular.h"

#include "complex_ops.h"
#include "math_complex.inc"
