/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima, minima, and their places: the folds of fold_extreme.inc, once per dtype. */
#include "fold.h"
#include "fold_ahead.h"
#include "lane_array.h"
#include "lanes.h"
#include "map_ops.h"
#if defined HAVE_V64
#include "extreme_avx512.h"
#endif

#define NAMED(name) NAME3(name, _, T)

static void join_first(char *into, const char *more, int64_t n)
{
    struct first *const out = (void *)into;
    const struct first *const in = (const void *)more;
    for (int64_t i = 0; i < n; i++)
        if (in[i].rank > out[i].rank) out[i] = in[i];
}

#define HAS_NAN   0
#define TO_KEY(x) (x)
#define T         u8
#define KEY       uint8_t
#define COUNT     uint8_t
#include "fold_extreme.inc"
#define T     u16
#define KEY   uint16_t
#define COUNT uint16_t
#include "fold_extreme.inc"
#define T     u32
#define KEY   uint32_t
#define COUNT uint32_t
#include "fold_extreme.inc"
#define T     u64
#define KEY   uint64_t
#define COUNT uint64_t
#include "fold_extreme.inc"

/* Keys whose sign is inverted are unsigned. */
#define SIGN     ((COUNT)1 << (8 * sizeof(COUNT) - 1))
#define T        i8
#define KEY      int8_t
#define COUNT    uint8_t
#define UNSIGNED u8
#include "fold_extreme.inc"
#define T        i16
#define KEY      int16_t
#define COUNT    uint16_t
#define UNSIGNED u16
#include "fold_extreme.inc"
#define T        i32
#define KEY      int32_t
#define COUNT    uint32_t
#define UNSIGNED u32
#include "fold_extreme.inc"
#define T        i64
#define KEY      int64_t
#define COUNT    uint64_t
#define UNSIGNED u64
#include "fold_extreme.inc"
#undef SIGN
#undef TO_KEY

/* Any nonzero byte is true. */
#define TO_KEY(x) ((x) != 0)
#define T         b8
#define BITS      u8
#define KEY       uint8_t
#define COUNT     uint8_t
#include "fold_extreme.inc"
#undef HAS_NAN
#undef TO_KEY

/* The magnitude bits of negative numbers are inverted. The mapping is its own inverse. */
#define HAS_NAN          1
#define TO_KEY(x)        ((x) ^ ((x) >> (8 * sizeof(KEY) - 1) & KEY_OF_MAGNITUDE))
#define COMPARED         float
#define T                f32
#define BITS             i32
#define KEY              int32_t
#define COUNT            uint32_t
#define KEY_OF_MAGNITUDE INT32_MAX
#define KEY_OF_INFINITY  0x7F800000
#define KEY_OF_NAN       0x7FC00000
#include "fold_extreme.inc"
#undef COMPARED
#define COMPARED         double
#define T                f64
#define BITS             i64
#define KEY              int64_t
#define COUNT            uint64_t
#define KEY_OF_MAGNITUDE INT64_MAX
#define KEY_OF_INFINITY  INT64_C(0x7FF0000000000000)
#define KEY_OF_NAN       INT64_C(0x7FF8000000000000)
#include "fold_extreme.inc"
#undef COMPARED
#define T                f16
#define BITS             i16
#define KEY              int16_t
#define COUNT            uint16_t
#define KEY_OF_MAGNITUDE INT16_MAX
#define KEY_OF_INFINITY  0x7C00
#define KEY_OF_NAN       0x7E00
#include "fold_extreme.inc"
#define T                bf16
#define BITS             i16
#define KEY              int16_t
#define COUNT            uint16_t
#define KEY_OF_MAGNITUDE INT16_MAX
#define KEY_OF_INFINITY  0x7F80
#define KEY_OF_NAN       0x7FC0
#include "fold_extreme.inc"
#undef HAS_NAN
#undef TO_KEY

/* ---- the table ------------------------------------------------------------------------------ */

#define FOLD(name, T)  FOLD_JOINED(name, T, fold_##name##_join_##T)
#define FIRST(name, T) FOLD_JOINED(name, T, join_first)
#define EXTREMES(name, FOLD)                                                                       \
    {                                                                                              \
        OF_INTEGERS([STRIA_I8] = FOLD(name, i8), [STRIA_I16] = FOLD(name, i16),                    \
                    [STRIA_I32] = FOLD(name, i32), [STRIA_U8] = FOLD(name, u8),                    \
                    [STRIA_U16] = FOLD(name, u16), [STRIA_U32] = FOLD(name, u32),                  \
                    [STRIA_U64] = FOLD(name, u64), )                                               \
        OF_HALVES([STRIA_F16] = FOLD(name, f16), [STRIA_BF16] = FOLD(name, bf16), )                \
        OF_F32([STRIA_F32] = FOLD(name, f32), )                                                    \
        [STRIA_BOOL] = FOLD(name, b8), [STRIA_I64] = FOLD(name, i64),                              \
        [STRIA_F64] = FOLD(name, f64)                                                              \
    }

#define NUMBER_EXTREMES(name)                                                                      \
    {                                                                                              \
        OF_F32([STRIA_F32] = FOLD(name, f32), )[STRIA_F64] = FOLD(name, f64)                       \
    }

extern const struct fold_kernels TABLE(stria__fold_extreme_)[][NUMBERS];
const struct fold_kernels TABLE(stria__fold_extreme_)[][NUMBERS] = {
    [FOLD_MAXIMUM] = EXTREMES(maximum, FOLD),
    [FOLD_MINIMUM] = EXTREMES(minimum, FOLD),
    [FOLD_LARGEST_NUMBER] = NUMBER_EXTREMES(largest_number),
    [FOLD_SMALLEST_NUMBER] = NUMBER_EXTREMES(smallest_number),
    [FOLD_EXTREMES] = EXTREMES(extremes, FOLD),
    [FOLD_FIRST_MAXIMUM] = EXTREMES(first_maximum, FIRST),
    [FOLD_FIRST_MINIMUM] = EXTREMES(first_minimum, FIRST)};
