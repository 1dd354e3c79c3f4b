/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons of dtypes that no third one represents without rounding, for one order of each pair.
 */
#include "map_level.h"
#include "mixed.h"

#define PAIR(A, B) NAME3(A, _, B)

#define A i64
#define B u64
#include "map_mixed_pair.inc"
#define A i64
#define B f64
#include "map_mixed_pair.inc"
#define A u64
#define B f64
#include "map_mixed_pair.inc"
#define IS_COMPLEX
#define A i64
#define B c128
#include "map_mixed_pair.inc"
#define A u64
#define B c128
#include "map_mixed_pair.inc"
#undef IS_COMPLEX

#define EQUALITY(A, B)                                                                             \
    [COMPARE_EQUAL] = mixed_equal_##A##_##B, [COMPARE_NOT_EQUAL] = mixed_not_equal_##A##_##B
#define ORDER(A, B)                                                                                \
    [COMPARE_LESS] = mixed_less_##A##_##B, [COMPARE_LESS_EQUAL] = mixed_less_equal_##A##_##B,      \
    [COMPARE_GREATER] = mixed_greater_##A##_##B,                                                   \
    [COMPARE_GREATER_EQUAL] = mixed_greater_equal_##A##_##B

extern const mixed_row TABLE(stria__map_mixed_)[];
const mixed_row TABLE(stria__map_mixed_)[MIXED_PAIRS] = {
    OF_INTEGERS([MIXED_I64_U64] = {ORDER(i64, u64), EQUALITY(i64, u64)},
                [MIXED_U64_F64] = {ORDER(u64, f64),
                                   EQUALITY(u64, f64)}, )[MIXED_I64_F64] = {ORDER(i64, f64),
                                                                            EQUALITY(i64, f64)},
    OF_COMPLEX([MIXED_I64_C128] = {EQUALITY(i64, c128)},
               [MIXED_U64_C128] = {EQUALITY(u64, c128)}, )};
