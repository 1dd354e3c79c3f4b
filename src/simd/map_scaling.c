/* SPDX-License-Identifier: BSD-3-Clause */
/* Products that are rounded once: with powers of two and of ten, and with a sum. */
#include "map_level.h"
#include "map_scaling.h"

/* In loops of blocks GCC moves choices behind products, and what is not chosen overflows. */
#undef SMALL_LOOPS

#define GROUP          STRIA_SCALING_LIST
#define TABLE_OF_GROUP TABLE(stria__map_scaling_)
#define EXPRESSIONS    "map_scaling.inc"
#include "map_each.inc"
