/* SPDX-License-Identifier: BSD-3-Clause */
/* The conversion kernels of one level (level.h): number.h defines what each pair of types means. */
#include "convert_level.h"

/* ---- out of integers ----------------------------------------------------------------------- */

#define FROM      i8
#define FROM_BITS 8
#include "convert_from_int.inc"
#define FROM      i16
#define FROM_BITS 16
#include "convert_from_int.inc"
#define FROM      i32
#define FROM_BITS 32
#include "convert_from_int.inc"
#define FROM      i64
#define FROM_BITS 64
#include "convert_from_int.inc"
#define FROM      u8
#define FROM_BITS 8
#include "convert_from_int.inc"
#define FROM      u16
#define FROM_BITS 16
#include "convert_from_int.inc"
#define FROM      u32
#define FROM_BITS 32
#include "convert_from_int.inc"
#define FROM      u64
#define FROM_BITS 64
#include "convert_from_int.inc"

#define FROM     b8
#define TO       u16
#define VALUE(x) ((x) != 0)
#include "convert_row.inc"
#define TO       u32
#define VALUE(x) ((x) != 0)
#include "convert_row.inc"
#define TO       u64
#define VALUE(x) ((x) != 0)
#include "convert_row.inc"
#define TO       f32
#define VALUE(x) ((x) != 0)
#include "convert_row.inc"
#define TO       f64
#define VALUE(x) ((x) != 0)
#include "convert_row.inc"
#undef FROM

/* i32 through f32, and i64 through f64, would be rounded twice: NOTE [Round to odd]. */
#define FROM     i32
#define TO       bf16
#define VALUE(x) bf16_from_f32((float)i32_odd(x))
#include "convert_row.inc"
#undef FROM
#define FROM     u32
#define TO       bf16
#define VALUE(x) bf16_from_f32((float)u32_odd(x))
#include "convert_row.inc"
#undef FROM
#define FROM     i64
#define TO       bf16
#define VALUE(x) bf16_from_f32(f32_odd_from_f64((double)i64_odd(x)))
#include "convert_row.inc"
#undef FROM
#define FROM     u64
#define TO       bf16
#define VALUE(x) bf16_from_f32(f32_odd_from_f64((double)u64_odd(x)))
#include "convert_row.inc"
#undef FROM

/* ---- out of floats ------------------------------------------------------------------------- */

#define FROM                 f32
#define WITHIN(x, low, high) i32_from_f32_within(x, low, high)
#define I32(x)               i32_from_f32(x)
#define U32(x)               u32_from_f32(x)
#define F32(x)               (x)
#include "convert_from_float.inc"

#define FROM                 f64
#define WITHIN(x, low, high) i64_from_f64_within(x, low, high)
#define I32(x)               ((mem_i32)WITHIN(x, -0x1p31, 0x1.FFFFFFFCp30))
#define U32(x)               ((mem_u32)WITHIN(x, 0, 0x1.FFFFFFFEp31))
#define F32(x)               f32_odd_from_f64(x)
#include "convert_from_float.inc"

#define FROM     f64
#define TO       f32
#define VALUE(x) f32_from_f64(x)
#include "convert_row.inc"
#define NAME     wrapped_row_from_f64
#define TO       u64
#define VALUE(x) u64_wrapped_from_f64(x)
#include "convert_row.inc"
#undef FROM

/* ---- to the wider floats ------------------------------------------------------------------- */

#define TO       f64
#define FROM     f32
#define VALUE(x) f64_from_f32(x)
#include "convert_row.inc"
#undef FROM
#define TO       f32
#define FROM     f16
#define VALUE(x) f32_from_f16(x)
#include "convert_row.inc"
#undef FROM
#define TO       f32
#define FROM     bf16
#define VALUE(x) f32_from_bf16(x)
#include "convert_row.inc"
#undef FROM
#define TO       f32
#define FROM     f8e4m3
#define VALUE(x) f32_from_f8e4m3(x)
#include "convert_row.inc"
#undef FROM
#define TO       f32
#define FROM     f8e5m2
#define VALUE(x) f32_from_f8e5m2(x)
#include "convert_row.inc"
#undef FROM

/* ---- complex ------------------------------------------------------------------------------- */

#define COMPLEX

#define TO       c64
#define FROM     f32
#define VALUE(x) ((mem_c64){(x), 0})
#include "convert_row.inc"
#undef FROM
#define TO       c128
#define FROM     f64
#define VALUE(x) ((mem_c128){(x), 0})
#include "convert_row.inc"
#undef FROM
#define FROM     c64
#define TO       f32
#define VALUE(x) ((x).re)
#include "convert_row.inc"
#define TO       b8
#define VALUE(x) (((x).re != 0) | ((x).im != 0))
#include "convert_row.inc"
#define TO       c64
#define VALUE(x) ((mem_c64){(x).re, -(x).im})
#include "convert_row.inc"
#undef FROM
#define FROM     c128
#define TO       f64
#define VALUE(x) ((x).re)
#include "convert_row.inc"
#define TO       b8
#define VALUE(x) (((x).re != 0) | ((x).im != 0))
#include "convert_row.inc"
#define TO       c128
#define VALUE(x) ((mem_c128){(x).re, -(x).im})
#include "convert_row.inc"
#undef FROM
#undef COMPLEX

/* ---- bits ---------------------------------------------------------------------------------- */

#define FROM u8
#define SIGN 0x80
#define SMALL_FLOATS
#include "convert_bits.inc"
#define FROM u16
#define SIGN 0x8000
#define SMALL_FLOATS
#define SWAP(x) __builtin_bswap16(x)
#include "convert_bits.inc"
#define FROM    u32
#define SIGN    UINT32_C(0x80000000)
#define SWAP(x) __builtin_bswap32(x)
#include "convert_bits.inc"
#define FROM    u64
#define SIGN    UINT64_C(0x8000000000000000)
#define SWAP(x) __builtin_bswap64(x)
#include "convert_bits.inc"

/* ---- the table ----------------------------------------------------------------------------- */

/* Integers of one size are the same bits. */
#define u8_row_from_b8   b8_row_from_u8
#define u8_row_from_i8   NULL
#define u8_row_from_u8   NULL
#define u16_row_from_i16 NULL
#define u16_row_from_u16 NULL
#define u32_row_from_i32 NULL
#define u32_row_from_u32 NULL
#define u64_row_from_i64 NULL
#define u64_row_from_u64 NULL
#define FROM_INTEGERS(to)                                                                          \
    [STRIA_BOOL] = to##_row_from_b8, [STRIA_I8] = to##_row_from_i8,                                \
    [STRIA_I16] = to##_row_from_i16, [STRIA_I32] = to##_row_from_i32,                              \
    [STRIA_I64] = to##_row_from_i64, [STRIA_U8] = to##_row_from_u8,                                \
    [STRIA_U16] = to##_row_from_u16, [STRIA_U32] = to##_row_from_u32,                              \
    [STRIA_U64] = to##_row_from_u64
/*
 * s is i or u: the kernels of signed and unsigned integers differ only for floats, which saturate.
 */
#define TO_WHOLE(s, bits)                                                                          \
    {                                                                                              \
        FROM_INTEGERS(u##bits), [STRIA_F32] = s##bits##_row_from_f32,                              \
                                [STRIA_F64] = s##bits##_row_from_f64                               \
    }
#define FROM_FLOATS(to) [STRIA_F32] = to##_row_from_f32, [STRIA_F64] = to##_row_from_f64

extern const struct convert_kernels TABLE(stria__cast_);
const struct convert_kernels
    TABLE(stria__cast_) =
        {
            .row =
                {
                    [STRIA_BOOL] =
                        {
                            [STRIA_I8] = b8_row_from_u8,
                            [STRIA_I16] = b8_row_from_u16,
                            [STRIA_I32] = b8_row_from_u32,
                            [STRIA_I64] = b8_row_from_u64,
                            [STRIA_U8] = b8_row_from_u8,
                            [STRIA_U16] = b8_row_from_u16,
                            [STRIA_U32] = b8_row_from_u32,
                            [STRIA_U64] = b8_row_from_u64,
                            [STRIA_F8E4M3] = magnitude_row_from_u8,
                            [STRIA_F8E5M2] = magnitude_row_from_u8,
                            [STRIA_F16] = magnitude_row_from_u16,
                            [STRIA_BF16] = magnitude_row_from_u16,
                            FROM_FLOATS(b8),
                            [STRIA_C64] = b8_row_from_c64,
                            [STRIA_C128] = b8_row_from_c128,
                        },
                    [STRIA_I8] = TO_WHOLE(i, 8),
                    [STRIA_I16] = TO_WHOLE(i, 16),
                    [STRIA_I32] = TO_WHOLE(i, 32),
                    [STRIA_I64] = TO_WHOLE(i, 64),
                    [STRIA_U8] = TO_WHOLE(u, 8),
                    [STRIA_U16] = TO_WHOLE(u, 16),
                    [STRIA_U32] = TO_WHOLE(u, 32),
                    [STRIA_U64] = TO_WHOLE(u, 64),
                    [STRIA_F8E4M3] = {FROM_FLOATS(f8e4m3)},
                    [STRIA_F8E5M2] = {FROM_FLOATS(f8e5m2)},
                    [STRIA_F16] = {FROM_FLOATS(f16)},
                    [STRIA_BF16] = {[STRIA_I32] = bf16_row_from_i32,
                                    [STRIA_I64] = bf16_row_from_i64,
                                    [STRIA_U32] = bf16_row_from_u32,
                                    [STRIA_U64] = bf16_row_from_u64,
                                    FROM_FLOATS(bf16)},
                    [STRIA_F32] = {FROM_INTEGERS(f32), [STRIA_F8E4M3] = f32_row_from_f8e4m3,
                                   [STRIA_F8E5M2] = f32_row_from_f8e5m2,
                                   [STRIA_F16] = f32_row_from_f16, [STRIA_BF16] = f32_row_from_bf16,
                                   [STRIA_F64] = f32_row_from_f64, [STRIA_C64] = f32_row_from_c64},
                    [STRIA_F64] = {FROM_INTEGERS(f64), [STRIA_F32] = f64_row_from_f32,
                                   [STRIA_C128] = f64_row_from_c128},
                    [STRIA_C64] = {[STRIA_F32] = c64_row_from_f32},
                    [STRIA_C128] = {[STRIA_F64] = c128_row_from_f64},
                },
            .u64_wrapped_from_f64 = wrapped_row_from_f64,
            .negate =
                {
                    [STRIA_I8] = negative_row_from_u8,
                    [STRIA_I16] = negative_row_from_u16,
                    [STRIA_I32] = negative_row_from_u32,
                    [STRIA_I64] = negative_row_from_u64,
                    [STRIA_U8] = negative_row_from_u8,
                    [STRIA_U16] = negative_row_from_u16,
                    [STRIA_U32] = negative_row_from_u32,
                    [STRIA_U64] = negative_row_from_u64,
                    [STRIA_F8E4M3] = flipped_row_from_u8,
                    [STRIA_F8E5M2] = flipped_row_from_u8,
                    [STRIA_F16] = flipped_row_from_u16,
                    [STRIA_BF16] = flipped_row_from_u16,
                    [STRIA_F32] = flipped_row_from_u32,
                    [STRIA_F64] = flipped_row_from_u64,
                },
            .conjugate = {[STRIA_C64] = c64_row_from_c64, [STRIA_C128] = c128_row_from_c128},
            .swap = {[1] = swapped_row_from_u16, swapped_row_from_u32, swapped_row_from_u64},
};
