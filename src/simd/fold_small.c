/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of f16 and bf16 in rows of LANES elements or more. They are a family of their
 * own because their vectors of lanes have another width (lanes_wide.h).
 */
#define LANES_OF_SMALL_FLOATS 1
#include "lanes.h"

#include "fold.h"

#if defined HAVE_SMALL_FLOATS && HAS_HALVES
#define SUMS_ONLY
#include "fold_tree.h"
#include "lane_array.h"

#define NAMED(name) NAME3(name, _, T)

#define AS_F64(x) ((double)_cvtsh_ss(x))
#define T         f16
#include "fold_tree.inc"
#undef AS_F64
#define AS_F64(x) ((double)f32_from_bf16(x))
#define T         bf16
#include "fold_tree.inc"
#undef AS_F64

#endif

extern const struct fold_kernels TABLE(stria__fold_small_)[][NUMBERS];
const struct fold_kernels TABLE(stria__fold_small_)[][NUMBERS] = {
#if defined HAVE_SMALL_FLOATS && HAS_HALVES
    [FOLD_SUM] = {[STRIA_F16] = {fold_sum_rows_f16, fold_sum_columns_f16, fold_sum_join_f64},
                  [STRIA_BF16] = {fold_sum_rows_bf16, fold_sum_columns_bf16, fold_sum_join_f64}},
#else
    [FOLD_SUM] = {{NULL, NULL, NULL}},
#endif
};
