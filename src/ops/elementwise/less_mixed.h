/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons of two dtypes that no third one holds without rounding. */
#ifndef STRIA_OPS_ELEMENTWISE_LESS_MIXED_H
#define STRIA_OPS_ELEMENTWISE_LESS_MIXED_H

#include "simd/map.h"

/* a < b of two different ones of I64, U64 and F64. */
map_loop *stria__less_mixed(stria_kind a, stria_kind b);

#endif
