/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of arithmetic, signs, and choices by a condition. */
#include "map_level.h"

#include "map_arithmetic.h"
#include "map_complex_short.h"
#include "map_small_vf.h"

#define GROUP          STRIA_ARITHMETIC_LIST
#define TABLE_OF_GROUP TABLE(stria__map_arithmetic_)
#ifdef HAVE_VF
#define HAS_VECTORS(op)  ((op) == STRIA_LERP || (op) == STRIA_ADDCMUL || (op) == STRIA_ADDCDIV)
#define HAVE_BLOCKS_c64  1 /* map_complex_short.h */
#define HAVE_BLOCKS_c128 1
#endif
#define EXPRESSIONS "map_arithmetic.inc"
#include "map_each.inc"
