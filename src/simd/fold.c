/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums, products and deviations of floats, and the table of all folds of one level
 * (level.h). The loops of the *.inc files are included once per dtype.
 */
#include "fold_tree.h"
#include "lane_array.h"
#include "complex_product.h"

#define NAMED(name) NAME3(name, _, T)

/* ---- sums and products of whole axes --------------------------------------------------------- */

#define AS_F64(x) ((double)(x))
#define T         f32
#include "fold_tree.inc"
#define T f64
#include "fold_tree.inc"
#undef AS_F64
#define T f32
#include "fold_dot.inc"
#define T f64
#include "fold_dot.inc"
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
    SIMD_LOOP
    for (int64_t i = 0; i < n; i++)
        x[i] += 0.0;
}

static void means(double *x, int64_t n, double elements)
{
    SIMD_LOOP
    for (int64_t i = 0; i < n; i++)
        x[i] = (x[i] + 0.0) / elements;
}

static void square_root(double *x, int64_t n)
{
    SIMD_LOOP
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
        SIMD_LOOP
        for (int64_t k = 0; k < count; k++)
            found[k] = variance(x[2 * (i + k)], x[2 * (i + k) + 1], elements, free);
        memcpy(x + i, found, (size_t)count * sizeof *found);
    }
}

/* ---- exact sums ------------------------------------------------------------------------------ */

#include "fold_exact.inc"

/* ---- products of complex numbers ------------------------------------------------------------- */

#include "fold_complex.inc"

/* ---- the table ------------------------------------------------------------------------------ */

#define FOLD(name, T, wide) FOLD_JOINED(name, T, fold_##name##_join_##wide)

extern const struct fold_kernels TABLE(stria__fold_whole_)[][NUMBERS];
extern const struct fold_kernels TABLE(stria__fold_extreme_)[][NUMBERS];
extern const struct fold_kernels TABLE(stria__fold_small_)[][NUMBERS];
static const struct fold_kernels trees[][NUMBERS] = {
    [FOLD_SUM] = {OF_F32([STRIA_F32] = FOLD(sum, f32, f64), )[STRIA_F64] = FOLD(sum, f64, f64)},
    [FOLD_PRODUCT] = {OF_F32([STRIA_F32] = FOLD(product, f32, f64), )
                          OF_COMPLEX([STRIA_C128] = FOLD(product, c128, c128), )[STRIA_F64] =
                              FOLD(product, f64, f64)},
    [FOLD_DEVIATIONS] = {OF_F32([STRIA_F32] = FOLD(deviations, f32, f64), )[STRIA_F64] =
                             FOLD(deviations, f64, f64)}};

extern const struct fold_table TABLE(stria__fold_);
const struct fold_table TABLE(stria__fold_) = {
    .tree = trees,
    .whole = TABLE(stria__fold_whole_),
    .extreme = TABLE(stria__fold_extreme_),
    .small = TABLE(stria__fold_small_),
    .dots = {OF_F32([STRIA_F32] = fold_dots_f32, )[STRIA_F64] = fold_dots_f64},
    .sums = sums,
    .means = means,
    .square_root = square_root,
    .variances = variances,
    .exact_parts = exact_parts,
    .exact_f32 = exact_f32,
    .exact_halves = exact_halves,
    .exact_products = exact_products,
};
