/* SPDX-License-Identifier: BSD-3-Clause */
/* The folds of one level (level.h): the loops of fold_*.inc are included once per dtype. */
#include "fold_tree.h"
#include "lane_array.h"
#include "map_layout.h"
#if defined HAVE_V64
#include "extreme_avx512.h"
#include "sum_bytes_avx512.h"
#endif
#include "map_ops.h"

#define NAMED(name) NAME3(name, _, T)

/* ---- sums and products of whole axes --------------------------------------------------------- */

#define AS_F64(x) ((double)(x))
#define T         f32
#include "fold_tree.inc"
#define T f64
#include "fold_tree.inc"
#undef AS_F64
#define T f32
#include "fold_deviations.inc"
#define T f64
#include "fold_deviations.inc"

static void fold_deviations_join_f64(char *into, const char *more, int64_t n)
{
    join_f64(FOLD_SUM, (void *)into, (const void *)more, 2 * n);
}

/* Adds +0: sums of no elements or of negative zeros are -0 in accumulators, but +0 as results. */
static void sums(double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] += 0.0;
}

static void means(double *x, int64_t n, double elements)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (x[i] + 0.0) / elements;
}

static void square_root(double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = __builtin_sqrt(x[i]);
}

/*
 * Returns (squares - sum^2 / elements) / freedom: the second term corrects for the error of the
 * center. Rounding alone could make the difference negative.
 */
static ALWAYS_INLINE double variance(double squares, double sum, double elements, double freedom)
{
    const double rest = squares - sum * sum / elements;
    return (rest < 0 ? 0.0 : rest) / freedom;
}

/*
 * Variances go to another array first, so that the loop vectorizes; NaN if freedom is not positive.
 */
static void variances(double *x, int64_t n, double elements, double freedom)
{
    enum { SOME = 64 };
    double found[SOME];
    const double free = freedom > 0 ? freedom : __builtin_nan("");
    for (int64_t i = 0; i < n; i += SOME) {
        const int64_t count = n - i < SOME ? n - i : SOME;
        for (int64_t k = 0; k < count; k++)
            found[k] = variance(x[2 * (i + k)], x[2 * (i + k) + 1], elements, free);
        memcpy(x + i, found, (size_t)count * sizeof *found);
    }
}

/* The numbers of rows that a fold without a fixed order combines in one pass. */
enum {
    GROUP = 8, /* few enough for the caches to follow, also rows a power of two apart */
    FEWER = 3  /* for the rows that are left */
};

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

/* ---- products of complex numbers ------------------------------------------------------------- */

#include "fold_complex.inc"

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

/* ---- maxima and minima ----------------------------------------------------------------------- */

#define HAS_NAN   0
#define TO_KEY(x) (x)
#define T         u8
#define BITS      u8
#define KEY       uint8_t
#define COUNT     uint8_t
#include "fold_extreme.inc"
#define T     u16
#define BITS  u16
#define KEY   uint16_t
#define COUNT uint16_t
#include "fold_extreme.inc"
#define T     u32
#define BITS  u32
#define KEY   uint32_t
#define COUNT uint32_t
#include "fold_extreme.inc"
#define T     u64
#define BITS  u64
#define KEY   uint64_t
#define COUNT uint64_t
#include "fold_extreme.inc"
#define T     i8
#define BITS  i8
#define KEY   int8_t
#define COUNT uint8_t
#include "fold_extreme.inc"
#define T     i16
#define BITS  i16
#define KEY   int16_t
#define COUNT uint16_t
#include "fold_extreme.inc"
#define T     i32
#define BITS  i32
#define KEY   int32_t
#define COUNT uint32_t
#include "fold_extreme.inc"
#define T     i64
#define BITS  i64
#define KEY   int64_t
#define COUNT uint64_t
#include "fold_extreme.inc"
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
#define T                f8e4m3
#define BITS             i8
#define KEY              int8_t
#define COUNT            uint8_t
#define KEY_OF_MAGNITUDE INT8_MAX
#define KEY_OF_INFINITY  0x7E
#define KEY_OF_NAN       0x7F
#include "fold_extreme.inc"
#define T                f8e5m2
#define BITS             i8
#define KEY              int8_t
#define COUNT            uint8_t
#define KEY_OF_MAGNITUDE INT8_MAX
#define KEY_OF_INFINITY  0x7C
#define KEY_OF_NAN       0x7F
#include "fold_extreme.inc"
#undef HAS_NAN
#undef TO_KEY

/* ---- truth ----------------------------------------------------------------------------------- */

#define TRUTH(x) ((x) != 0)
#define T        u16
#define BITS     u16
#define COUNT    uint16_t
#include "fold_truth.inc"
#define T     u32
#define BITS  u32
#define COUNT uint32_t
#include "fold_truth.inc"
#define T     u64
#define BITS  u64
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

/* ---- scans ----------------------------------------------------------------------------------- */

#include "scan_side.h"

#define IS_FLOAT         1
#define T                f32
#define SUM_OF           double
#define KEY              int32_t
#define KEY_OF_MAGNITUDE INT32_MAX
#define KEY_OF_INFINITY  0x7F800000
#define KEY_OF_NAN       0x7FC00000
#include "scan.inc"
#define IS_FLOAT         1
#define T                f64
#define SUM_OF           double
#define KEY              int64_t
#define KEY_OF_MAGNITUDE INT64_MAX
#define KEY_OF_INFINITY  INT64_C(0x7FF0000000000000)
#define KEY_OF_NAN       INT64_C(0x7FF8000000000000)
#include "scan.inc"
#define IS_FLOAT 0
#define T        i64
#define SUM_OF   uint64_t
#define KEY      int64_t
#include "scan.inc"
#define IS_FLOAT 0
#define T        u64
#define SUM_OF   uint64_t
#define KEY      uint64_t
#include "scan.inc"

/* ---- the table ------------------------------------------------------------------------------ */

#define FOLD_JOINED(name, T, join)                                                                 \
    {                                                                                              \
        fold_##name##_rows_##T, fold_##name##_columns_##T, join                                    \
    }
#define FOLD(name, T, wide) FOLD_JOINED(name, T, fold_##name##_join_##wide)
#define EXTREMES(name)                                                                             \
    {                                                                                              \
        [STRIA_BOOL] = FOLD(name, b8, b8), [STRIA_I8] = FOLD(name, i8, i8),                        \
        [STRIA_I16] = FOLD(name, i16, i16), [STRIA_I32] = FOLD(name, i32, i32),                    \
        [STRIA_I64] = FOLD(name, i64, i64), [STRIA_U8] = FOLD(name, u8, u8),                       \
        [STRIA_U16] = FOLD(name, u16, u16), [STRIA_U32] = FOLD(name, u32, u32),                    \
        [STRIA_U64] = FOLD(name, u64, u64), [STRIA_F8E4M3] = FOLD(name, f8e4m3, f8e4m3),           \
        [STRIA_F8E5M2] = FOLD(name, f8e5m2, f8e5m2), [STRIA_F16] = FOLD(name, f16, f16),           \
        [STRIA_BF16] = FOLD(name, bf16, bf16), [STRIA_F32] = FOLD(name, f32, f32),                 \
        [STRIA_F64] = FOLD(name, f64, f64)                                                         \
    }

#define NUMBER_EXTREMES(name)                                                                      \
    {                                                                                              \
        [STRIA_F8E4M3] = FOLD(name, f8e4m3, f8e4m3), [STRIA_F8E5M2] = FOLD(name, f8e5m2, f8e5m2),  \
        [STRIA_F16] = FOLD(name, f16, f16), [STRIA_BF16] = FOLD(name, bf16, bf16),                 \
        [STRIA_F32] = FOLD(name, f32, f32), [STRIA_F64] = FOLD(name, f64, f64)                     \
    }

#define BITWISE(name)                                                                              \
    {                                                                                              \
        [STRIA_BOOL] = FOLD(name, b8, b8), [STRIA_I8] = FOLD(name, u8, u8),                        \
        [STRIA_I16] = FOLD(name, u16, u16), [STRIA_I32] = FOLD(name, u32, u32),                    \
        [STRIA_I64] = FOLD(name, u64, u64), [STRIA_U8] = FOLD(name, u8, u8),                       \
        [STRIA_U16] = FOLD(name, u16, u16), [STRIA_U32] = FOLD(name, u32, u32),                    \
        [STRIA_U64] = FOLD(name, u64, u64)                                                         \
    }

#define SUMS(name)                                                                                 \
    {                                                                                              \
        [STRIA_F32] = FOLD_JOINED(name, f32, fold_sum_join_f64), [STRIA_F64] = {                   \
            fold_##name##_rows_f64,                                                                \
            fold_##name##_columns_f64,                                                             \
            fold_sum_join_f64                                                                      \
        }                                                                                          \
    }

#define TRUTHS(name, join)                                                                         \
    {                                                                                              \
        [STRIA_I16] = FOLD_JOINED(name, u16, join), [STRIA_I32] = FOLD_JOINED(name, u32, join),    \
        [STRIA_I64] = FOLD_JOINED(name, u64, join), [STRIA_U16] = FOLD_JOINED(name, u16, join),    \
        [STRIA_U32] = FOLD_JOINED(name, u32, join), [STRIA_U64] = FOLD_JOINED(name, u64, join),    \
        [STRIA_F16] = FOLD_JOINED(name, f16, join), [STRIA_BF16] = FOLD_JOINED(name, f16, join),   \
        [STRIA_F32] = FOLD_JOINED(name, f32, join), [STRIA_F64] = FOLD_JOINED(name, f64, join)     \
    }

extern const struct fold_kernels TABLE(stria__fold_small_)[][NUMBERS];
extern const struct fold_table TABLE(stria__fold_);
const struct fold_table TABLE(stria__fold_) = {
    .fold =
        {[FOLD_SUM] = {[STRIA_BOOL] = FOLD(sum, b8, i64),
                       [STRIA_I8] = FOLD(sum, i8, i64),
                       [STRIA_I16] = FOLD(sum, i16, i64),
                       [STRIA_I32] = FOLD(sum, i32, i64),
                       [STRIA_I64] = FOLD(sum, u64, i64),
                       [STRIA_U8] = FOLD(sum, u8, i64),
                       [STRIA_U16] = FOLD(sum, u16, i64),
                       [STRIA_U32] = FOLD(sum, u32, i64),
                       [STRIA_U64] = FOLD(sum, u64, i64),
                       [STRIA_F32] = FOLD(sum, f32, f64),
                       [STRIA_F64] = FOLD(sum, f64, f64)},
         [FOLD_PRODUCT] = {[STRIA_I64] = FOLD(product, u64, u64),
                           [STRIA_U64] = FOLD(product, u64, u64),
                           [STRIA_F32] = FOLD(product, f32, f64),
                           [STRIA_F64] = FOLD(product, f64, f64),
                           [STRIA_C128] = FOLD(product, c128, c128)},
         [FOLD_SQUARES] = SUMS(squares),
         [FOLD_MAGNITUDES] = SUMS(magnitudes),
         [FOLD_NUMBERS] = SUMS(numbers),
         [FOLD_MAXIMUM] = EXTREMES(maximum),
         [FOLD_MINIMUM] = EXTREMES(minimum),
         [FOLD_LARGEST_NUMBER] = NUMBER_EXTREMES(largest_number),
         [FOLD_SMALLEST_NUMBER] = NUMBER_EXTREMES(smallest_number),
         [FOLD_EXTREMES] = EXTREMES(extremes),
         [FOLD_FIRST_MAXIMUM] = EXTREMES(first_maximum),
         [FOLD_FIRST_MINIMUM] = EXTREMES(first_minimum),
         [FOLD_DEVIATIONS] =
             {[STRIA_F32] = FOLD(deviations, f32, f64), [STRIA_F64] = FOLD(deviations, f64, f64)},
         [FOLD_ALL] = TRUTHS(all, fold_minimum_join_b8),
         [FOLD_ANY] = TRUTHS(any, fold_maximum_join_b8),
         [FOLD_COUNT] = TRUTHS(count, fold_sum_join_i64),
         [FOLD_BITWISE_AND] = BITWISE(bitwise_and),
         [FOLD_BITWISE_OR] = BITWISE(bitwise_or),
         [FOLD_BITWISE_XOR] = BITWISE(bitwise_xor)},
    .small = TABLE(stria__fold_small_),
    .sums = sums,
    .means = means,
    .square_root = square_root,
    .variances = variances,
    .scan = {[SCAN_SUM] = {[STRIA_I64] = scan_sum_i64,
                           [STRIA_U64] = scan_sum_u64,
                           [STRIA_F32] = scan_sum_f32,
                           [STRIA_F64] = scan_sum_f64},
             [SCAN_PRODUCT] = {[STRIA_I64] = scan_product_i64,
                               [STRIA_U64] = scan_product_u64,
                               [STRIA_F32] = scan_product_f32,
                               [STRIA_F64] = scan_product_f64,
                               [STRIA_C128] = scan_product_c128},
             [SCAN_MAXIMUM] = {[STRIA_I64] = scan_maximum_i64,
                               [STRIA_U64] = scan_maximum_u64,
                               [STRIA_F32] = scan_maximum_f32,
                               [STRIA_F64] = scan_maximum_f64},
             [SCAN_MINIMUM] = {[STRIA_I64] = scan_minimum_i64,
                               [STRIA_U64] = scan_minimum_u64,
                               [STRIA_F32] = scan_minimum_f32,
                               [STRIA_F64] = scan_minimum_f64}},
};
