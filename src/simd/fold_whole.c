/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, products and bitwise folds of bool and integers, and the truth of any dtype. */
#include "fold.h"
#include "fold_ahead.h"
#include "lane_array.h"
#include "lanes.h"
#include "map_ops.h"
#if defined HAVE_V64
#include "sum_bytes_avx512.h"
#endif

#define NAMED(name) NAME3(name, _, T)

static void fold_sum_join_i64(char *into, const char *more, int64_t n)
{
    mem_u64 *const out = (void *)into;
    const mem_u64 *const in = (const void *)more;
    for (int64_t i = 0; i < n; i++)
        out[i] += in[i];
}

#define COUNTED(x) ((x) != 0)
#define T          b8
#define NARROW     uint16_t
#define BYTE_KIND  BYTE_TRUTH
#include "fold_integer.inc"
#undef COUNTED

#define COUNTED(x) (x)
#define T          u8
#define NARROW     uint16_t
#define BYTE_KIND  BYTE_UNSIGNED
#include "fold_integer.inc"
#define T      u16
#define NARROW uint32_t
#include "fold_integer.inc"
#define T      u32
#define NARROW uint64_t
#include "fold_integer.inc"
#define T      u64
#define NARROW uint64_t
#include "fold_integer.inc"
#define T         i8
#define NARROW    int16_t
#define BYTE_KIND BYTE_SIGNED
#include "fold_integer.inc"
#define T      i16
#define NARROW int32_t
#include "fold_integer.inc"
#define T      i32
#define NARROW int64_t
#include "fold_integer.inc"
#undef COUNTED

/* ---- products of integers -------------------------------------------------------------------- */

#include "fold_product.inc"

/* ---- bits ------------------------------------------------------------------------------------ */

#define BITS_OF(x) ((x) != 0)
#define T          b8
#include "fold_bitwise.inc"
#undef BITS_OF
#define BITS_OF(x) (x)
#define T          u8
#include "fold_bitwise.inc"
#define T u16
#include "fold_bitwise.inc"
#define T u32
#include "fold_bitwise.inc"
#define T u64
#include "fold_bitwise.inc"
#undef BITS_OF

/* ---- truth ----------------------------------------------------------------------------------- */

#define TRUTH(x) ((x) != 0)
#define T        u16
#define COUNT    uint16_t
#include "fold_truth.inc"
#define T     u32
#define COUNT uint32_t
#include "fold_truth.inc"
#define T     u64
#define COUNT uint64_t
#include "fold_truth.inc"
#undef TRUTH

/* Both zeros are false. */
#define TRUTH(x) ((COUNT)((x) << 1) != 0)
#define T        f16
#define BITS     u16
#define COUNT    uint16_t
#include "fold_truth.inc"
#define T     f32
#define BITS  u32
#define COUNT uint32_t
#include "fold_truth.inc"
#define T     f64
#define BITS  u64
#define COUNT uint64_t
#include "fold_truth.inc"
#undef TRUTH

/* ---- the table ------------------------------------------------------------------------------ */

#define FOLD(name, T, wide) FOLD_JOINED(name, T, fold_##name##_join_##wide)
#define BITWISE(name)                                                                              \
    {                                                                                              \
        OF_INTEGERS([STRIA_I8] = FOLD(name, u8, u8), [STRIA_I16] = FOLD(name, u16, u16),           \
                    [STRIA_I32] = FOLD(name, u32, u32), [STRIA_U8] = FOLD(name, u8, u8),           \
                    [STRIA_U16] = FOLD(name, u16, u16), [STRIA_U32] = FOLD(name, u32, u32),        \
                    [STRIA_U64] = FOLD(name, u64, u64), )                                          \
        [STRIA_BOOL] = FOLD(name, b8, b8), [STRIA_I64] = FOLD(name, u64, u64)                      \
    }

#define TRUTHS(name, join)                                                                         \
    {                                                                                              \
        OF_INTEGERS([STRIA_I16] = FOLD_JOINED(name, u16, join),                                    \
                    [STRIA_I32] = FOLD_JOINED(name, u32, join),                                    \
                    [STRIA_U16] = FOLD_JOINED(name, u16, join),                                    \
                    [STRIA_U32] = FOLD_JOINED(name, u32, join),                                    \
                    [STRIA_U64] = FOLD_JOINED(name, u64, join), )                                  \
        OF_HALVES([STRIA_F16] = FOLD_JOINED(name, f16, join),                                      \
                  [STRIA_BF16] = FOLD_JOINED(name, f16, join), )                                   \
        OF_F32([STRIA_F32] = FOLD_JOINED(name, f32, join), )                                       \
        [STRIA_I64] = FOLD_JOINED(name, u64, join), [STRIA_F64] = FOLD_JOINED(name, f64, join)     \
    }

extern const struct fold_kernels TABLE(stria__fold_whole_)[][NUMBERS];
const struct fold_kernels TABLE(stria__fold_whole_)[][NUMBERS] = {
    [FOLD_SUM] = {OF_INTEGERS([STRIA_I8] = FOLD(sum, i8, i64), [STRIA_I16] = FOLD(sum, i16, i64),
                              [STRIA_I32] = FOLD(sum, i32, i64), [STRIA_U8] = FOLD(sum, u8, i64),
                              [STRIA_U16] = FOLD(sum, u16, i64), [STRIA_U32] = FOLD(sum, u32, i64),
                              [STRIA_U64] = FOLD(sum, u64, i64), )[STRIA_BOOL] = FOLD(sum, b8, i64),
                  [STRIA_I64] = FOLD(sum, u64, i64)},
    [FOLD_PRODUCT] = {OF_INTEGERS([STRIA_U64] = FOLD(product, u64,
                                                     u64), )[STRIA_I64] = FOLD(product, u64, u64)},
    [FOLD_ALL] = TRUTHS(all, fold_bitwise_and_join_b8),
    [FOLD_ANY] = TRUTHS(any, fold_bitwise_or_join_b8),
    [FOLD_COUNT] = TRUTHS(count, fold_sum_join_i64),
    [FOLD_BITWISE_AND] = BITWISE(bitwise_and),
    [FOLD_BITWISE_OR] = BITWISE(bitwise_or),
    [FOLD_BITWISE_XOR] = BITWISE(bitwise_xor)};
