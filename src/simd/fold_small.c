/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums and products of f16 and bf16 in rows of LANES elements or more. They are a family of their
 * own because their vectors of lanes have another width (lanes_wide.h).
 */
#define LANES_OF_SMALL_FLOATS 1
#include "lanes.h"

#include "fold.h"

#if defined HAVE_SMALL_FLOATS
#include "fold_tree.h"
#include "lane_array.h"
#include "map_layout.h"

#define NAMED(name) NAME3(name, _, T)

#define AS_F64(x) ((double)_cvtsh_ss(x))
#define T         f16
#include "fold_tree.inc"
#undef AS_F64
#define AS_F64(x) ((double)f32_from_bf16(x))
#define T         bf16
#include "fold_tree.inc"
#undef AS_F64

#define FOLD(name, T, join)                                                                        \
    {                                                                                              \
        fold_##name##_rows_##T, fold_##name##_columns_##T, fold_##join##_join_f64                  \
    }
#define ROW_OF_FOLD(name, join)                                                                    \
    {                                                                                              \
        [STRIA_F16] = FOLD(name, f16, join), [STRIA_BF16] = FOLD(name, bf16, join)                 \
    }
#endif

extern const struct fold_kernels TABLE(stria__fold_small_)[][NUMBERS];
const struct fold_kernels TABLE(stria__fold_small_)[TREE_FOLDS][NUMBERS] = {
#if defined HAVE_SMALL_FLOATS
    [FOLD_SUM] = ROW_OF_FOLD(sum, sum),         [FOLD_PRODUCT] = ROW_OF_FOLD(product, product),
    [FOLD_SQUARES] = ROW_OF_FOLD(squares, sum), [FOLD_MAGNITUDES] = ROW_OF_FOLD(magnitudes, sum),
    [FOLD_NUMBERS] = ROW_OF_FOLD(numbers, sum),
#else
    {{NULL, NULL, NULL}},
#endif
};
