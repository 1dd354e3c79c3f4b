/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of integer powers; powers of floats are in math/. */
#include "map_level.h"

/* Items per block. Levels with vectors of 16 bytes do not vectorize products of 64 bits. */
#if defined HAVE_V32
enum { POWER_ITEMS = 64, LONG_POWER_ITEMS = 64 };
#elif defined WIDEST
enum { POWER_ITEMS = 64, LONG_POWER_ITEMS = 1 };
#else
enum { POWER_ITEMS = 1, LONG_POWER_ITEMS = 1 };
#endif

#define GROUP          STRIA_POWER_LIST
#define TABLE_OF_GROUP TABLE(stria__map_power_)
#define EXPRESSIONS    "map_power.inc"
#include "map_each.inc"
