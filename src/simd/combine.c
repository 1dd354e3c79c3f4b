/* SPDX-License-Identifier: BSD-3-Clause */
/* The combining kernels of one level (level.h): *.inc files included once per dtype. */
#include "combine.h"

#include "convert_level.h"
#include "map_ops.h"

#define NAMED(name) NAME3(name, _, T)

/* ---- bool ----------------------------------------------------------------------------------- */

static ALWAYS_INLINE bool combined_b8(const enum combine_op op, bool a, bool b)
{
    return op == COMBINE_SUM || op == COMBINE_MAXIMUM ? a | b : a & b;
}

#define T       b8
#define VALUE   bool
#define LOAD(x) ((x) != 0)
#define STORE
#include "combine.inc"
#undef T
#undef VALUE
#undef LOAD
#undef STORE

/* ---- integers ------------------------------------------------------------------------------- */

#define IS_NAN(x)      false
#define UNSIGNED       uint32_t
#define QUOTIENT(a, n) ((uint64_t)(a) / (uint64_t)(n))
#define T              u8
#include "combine_real.inc"
#define T u16
#include "combine_real.inc"
#define T u32
#include "combine_real.inc"
#undef UNSIGNED
#define UNSIGNED uint64_t
#define T        u64
#include "combine_real.inc"
#undef QUOTIENT

/* Rounds down, unlike the division of C, which rounds towards zero. */
static ALWAYS_INLINE int64_t floor_quotient(int64_t a, int64_t n)
{
    return a / n - (a % n < 0);
}

#define QUOTIENT(a, n) floor_quotient(a, n)
#define T              i64
#include "combine_real.inc"
#undef UNSIGNED
#define UNSIGNED uint32_t
#define T        i8
#include "combine_real.inc"
#define T i16
#include "combine_real.inc"
#define T i32
#include "combine_real.inc"
#undef QUOTIENT
#undef IS_NAN
#undef UNSIGNED

/* ---- floats --------------------------------------------------------------------------------- */

#define IS_NAN(x)      ((x) != (x))
#define UNSIGNED       VALUE
#define QUOTIENT(a, n) ((a) / (VALUE)(n))
#define T              f32
#include "combine_real.inc"
#define T f64
#include "combine_real.inc"
#define IS_SMALL
#define T f16
#include "combine_real.inc"
#define T bf16
#include "combine_real.inc"
#undef IS_SMALL
#define IS_TINY
#define T f8e4m3
#include "combine_real.inc"
#define T f8e5m2
#include "combine_real.inc"

/* ---- complex -------------------------------------------------------------------------------- */

#define T    c64
#define REAL f32
#include "combine_complex.inc"
#define T    c128
#define REAL f64
#include "combine_complex.inc"

/* ---- the table ------------------------------------------------------------------------------ */

/* Signed and unsigned sums and products have the same bits. */
#define INTEGER(ordered, name, size)                                                               \
    ((ordered) ? combine_##name##_i##size : combine_##name##_u##size)

#define KERNELS(constant, name, ordered)                                                           \
    [constant] = {                                                                                 \
        OF_INTEGERS([STRIA_I8] = INTEGER(ordered, name, 8),                                        \
                    [STRIA_I16] = INTEGER(ordered, name, 16),                                      \
                    [STRIA_I32] = INTEGER(ordered, name, 32), [STRIA_U8] = combine_##name##_u8,    \
                    [STRIA_U16] = combine_##name##_u16, [STRIA_U32] = combine_##name##_u32,        \
                    [STRIA_U64] = combine_##name##_u64, )                                          \
            OF_HALVES([STRIA_F8E4M3] = combine_##name##_f8e4m3,                                    \
                      [STRIA_F8E5M2] = combine_##name##_f8e5m2,                                    \
                      [STRIA_F16] = combine_##name##_f16, [STRIA_BF16] = combine_##name##_bf16, )  \
                OF_F32([STRIA_F32] = combine_##name##_f32, )                                       \
                    OF_COMPLEX([STRIA_C64] = (ordered) ? NULL : combine_##name##_c64,              \
                               [STRIA_C128] =                                                      \
                                   (ordered) ? NULL : combine_##name##_c128, )[STRIA_BOOL] =       \
                        combine_##name##_b8,                                                       \
        [STRIA_I64] = INTEGER(ordered, name, 64),                                                  \
        [STRIA_F64] = combine_##name##_f64,                                                        \
    },

extern const struct combine_kernels TABLE(stria__combine_);
const struct combine_kernels TABLE(stria__combine_) = {
    .at_indices = {STRIA_COMBINE_LIST(KERNELS)},
    .divide =
        {OF_INTEGERS([STRIA_I8] = divide_i8, [STRIA_I16] = divide_i16, [STRIA_I32] = divide_i32,
                     [STRIA_U8] = divide_u8, [STRIA_U16] = divide_u16, [STRIA_U32] = divide_u32,
                     [STRIA_U64] = divide_u64, )
             OF_HALVES([STRIA_F8E4M3] = divide_f8e4m3, [STRIA_F8E5M2] = divide_f8e5m2,
                       [STRIA_F16] = divide_f16, [STRIA_BF16] = divide_bf16, )
                 OF_F32([STRIA_F32] = divide_f32, )
                     OF_COMPLEX([STRIA_C64] = divide_c64, [STRIA_C128] = divide_c128, )[STRIA_I64] =
                         divide_i64,
         [STRIA_F64] = divide_f64},
};
