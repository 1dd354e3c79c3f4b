/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of nextafter and spacing. Consecutive magnitudes of a format have consecutive bits,
 * so items are handled as bits, and f16 and bf16 need no conversion.
 */
#include "map_level.h"

#define LOAD(x)  (x)
#define LOADED   MEM(T)
#define VALUE(p) (*(p))

/* The bits of an f32 or f64 in memory. */
typedef mem_u32 mem_bits32;
typedef mem_u64 mem_bits64;

#define GROUP       STRIA_NEIGHBOUR_LIST
#define EXPRESSIONS "map_neighbour.inc"

#define MANTISSA 10
#define WORD     uint32_t
#define T        f16
#include "map_type.inc"
#undef MANTISSA
#define MANTISSA 7
#define T        bf16
#include "map_type.inc"
#undef MANTISSA
#define MANTISSA 23
#define T        bits32
#include "map_type.inc"
#undef MANTISSA
#undef WORD
#define MANTISSA 52
#define WORD     uint64_t
#define T        bits64
#include "map_type.inc"

#define KERNELS(constant, name, ...)                                                               \
    {OF_HALVES([STRIA_F16] = map_##name##_f16, [STRIA_BF16] = map_##name##_bf16, )                 \
         OF_F32([STRIA_F32] = map_##name##_bits32, )[STRIA_F64] = map_##name##_bits64},

extern map_loop *const TABLE(stria__map_neighbour_)[][NUMBERS];
map_loop *const TABLE(stria__map_neighbour_)[][NUMBERS] = {STRIA_NEIGHBOUR_LIST(KERNELS)};
