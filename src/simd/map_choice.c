/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of maxima, minima, clamping, and activations that are made of them. */
#include "map_level.h"

#define BITS(x)    NAME2(FLOAT, _bits)(x)
#define OF_BITS(x) NAME2(FLOAT, _of_bits)(x)
#define ALL_BITS   ((OF_FLOAT(bits)) - 1)

#define GROUP          STRIA_CHOICE_LIST
#define TABLE_OF_GROUP TABLE(stria__map_choice_)
#define EXPRESSIONS    "map_choice.inc"
#include "map_each.inc"
