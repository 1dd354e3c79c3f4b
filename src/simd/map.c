/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elementwise kernels of one level (level.h): the loops of map.inc, included once per dtype
 * over the expressions of its class of dtypes.
 */
#include "convert_level.h"
#include "less_mixed.h"
#include "map_layout.h"
#include "map_ops.h"

#define NAMED(name) NAME3(name, _, T)
#define ELEMENT     NAMED(element)

/* ---- bool and integers ---------------------------------------------------------------------- */

#define T b8
#include "map_bool.inc"

#define T        u8
#define UNSIGNED uint32_t
#define ABS(x)   (x)
#include "map_real.inc"
#define T        u16
#define UNSIGNED uint32_t
#define ABS(x)   (x)
#include "map_real.inc"
#define T        u32
#define UNSIGNED uint32_t
#define ABS(x)   (x)
#include "map_real.inc"
#define T        u64
#define UNSIGNED uint64_t
#define ABS(x)   (x)
#include "map_real.inc"

/* The lowest number is its own magnitude. */
#define SIGNED_ABS(x) ((x) < 0 ? 0 - (UNSIGNED)(x) : (UNSIGNED)(x))
#define T             i8
#define UNSIGNED      uint32_t
#define ABS(x)        SIGNED_ABS(x)
#include "map_real.inc"
#define T        i16
#define UNSIGNED uint32_t
#define ABS(x)   SIGNED_ABS(x)
#include "map_real.inc"
#define T        i32
#define UNSIGNED uint32_t
#define ABS(x)   SIGNED_ABS(x)
#include "map_real.inc"
#define T        i64
#define UNSIGNED uint64_t
#define ABS(x)   SIGNED_ABS(x)
#include "map_real.inc"

/* ---- floats --------------------------------------------------------------------------------- */

#define T        f32
#define UNSIGNED float
#define ABS(x)   magnitude_f32(x)
#include "map_real.inc"
#define T        f64
#define UNSIGNED double
#define ABS(x)   magnitude_f64(x)
#include "map_real.inc"

/* ---- floats of 16 bits ---------------------------------------------------------------------- */

#define FROM     f16
#define TO       f32
#define VALUE(x) f32_from_f16(x)
#include "convert_row.inc"
#undef FROM
#define FROM     bf16
#define TO       f32
#define VALUE(x) f32_from_bf16(x)
#include "convert_row.inc"
#undef FROM
#define FROM     f32
#define TO       f16
#define VALUE(x) f16_from_f32(x)
#include "convert_row.inc"
#define TO       bf16
#define VALUE(x) bf16_from_f32(x)
#include "convert_row.inc"
#undef FROM

/* f32 that will be rounded again. Sums and products of 16 bits f32 holds to more than twice them.
 */
typedef mem_f32 mem_odd;
#define T        odd
#define UNSIGNED float
#define ABS(x)   magnitude_f32(x)
#define ROWS_ONLY
#include "map_real.inc"
#undef ROWS_ONLY

enum { SMALL_ITEMS = 256 }; /* of a block; three of f32 take 3 KiB of the stack */

#define T f16
#include "map_small.inc"
#define T bf16
#include "map_small.inc"

/* ---- complex -------------------------------------------------------------------------------- */

#define T    c64
#define REAL f32
#include "map_complex.inc"
#define T    c128
#define REAL f64
#include "map_complex.inc"

/* ---- comparisons of two dtypes --------------------------------------------------------------- */

#define A i64
#define B u64
#include "map_less.inc"
#define A u64
#define B i64
#include "map_less.inc"
#define A i64
#define B f64
#include "map_less.inc"
#define A f64
#define B i64
#include "map_less.inc"
#define A u64
#define B f64
#include "map_less.inc"
#define A f64
#define B u64
#include "map_less.inc"

/* ---- the table ------------------------------------------------------------------------------ */

/* Where their sign does not matter, integers of one size have one kernel. */
#define HAS_NO_SIGN(constant)                                                                      \
    ((constant) == STRIA_ADD || (constant) == STRIA_SUBTRACT || (constant) == STRIA_MULTIPLY ||    \
     (constant) == STRIA_WHERE)
#define INTEGER(constant, name, size)                                                              \
    (HAS_NO_SIGN(constant) ? map_##name##_u##size : map_##name##_i##size)
#define IF(set, dtypes, kernel) (((dtypes) & (set)) ? (kernel) : NULL)

#define KERNELS(constant, name, inputs, dtypes, result, cycles)                                    \
    [constant] = {                                                                                 \
        [STRIA_BOOL] = IF(OP_BOOL, dtypes, map_##name##_b8),                                       \
        [STRIA_I8] = IF(OP_INTEGERS, dtypes, INTEGER(constant, name, 8)),                          \
        [STRIA_I16] = IF(OP_INTEGERS, dtypes, INTEGER(constant, name, 16)),                        \
        [STRIA_I32] = IF(OP_INTEGERS, dtypes, INTEGER(constant, name, 32)),                        \
        [STRIA_I64] = IF(OP_INTEGERS, dtypes, INTEGER(constant, name, 64)),                        \
        [STRIA_U8] = IF(OP_INTEGERS, dtypes, map_##name##_u8),                                     \
        [STRIA_U16] = IF(OP_INTEGERS, dtypes, map_##name##_u16),                                   \
        [STRIA_U32] = IF(OP_INTEGERS, dtypes, map_##name##_u32),                                   \
        [STRIA_U64] = IF(OP_INTEGERS, dtypes, map_##name##_u64),                                   \
        [STRIA_F16] = IF(OP_FLOATS, dtypes, map_##name##_f16),                                     \
        [STRIA_BF16] = IF(OP_FLOATS, dtypes, map_##name##_bf16),                                   \
        [STRIA_F32] = IF(OP_FLOATS, dtypes, map_##name##_f32),                                     \
        [STRIA_F64] = IF(OP_FLOATS, dtypes, map_##name##_f64),                                     \
        [STRIA_C64] = IF(OP_COMPLEX, dtypes, map_##name##_c64),                                    \
        [STRIA_C128] = IF(OP_COMPLEX, dtypes, map_##name##_c128),                                  \
    },

extern const struct map_kernels TABLE(stria__map_);
const struct map_kernels TABLE(stria__map_) = {
    .loop = {STRIA_MAP_LIST(KERNELS)},
    .less = {[MIXED_I64] = {[MIXED_U64] = map_less_i64_u64, [MIXED_F64] = map_less_i64_f64},
             [MIXED_U64] = {[MIXED_I64] = map_less_u64_i64, [MIXED_F64] = map_less_u64_f64},
             [MIXED_F64] = {[MIXED_I64] = map_less_f64_i64, [MIXED_U64] = map_less_f64_u64}},
};
