/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of all elementwise kernels of one level, collected from the tables of their groups. */
#include "complex_ops.h"
#include "level.h"
#include "map.h"

/* The table of a group; its rows are counted from the group's first op. */
#define GROUP_TABLE(group)        extern map_loop *const TABLE(stria__##group##_)[][NUMBERS]
#define SHARED_GROUP_TABLE(group) extern map_loop *const SHARED_TABLE(stria__##group##_)[][NUMBERS]
GROUP_TABLE(map_arithmetic);
GROUP_TABLE(map_comparison);
SHARED_GROUP_TABLE(map_integer);
SHARED_GROUP_TABLE(map_division);
SHARED_GROUP_TABLE(map_rounding);
GROUP_TABLE(map_choice);
SHARED_GROUP_TABLE(map_scaling);
SHARED_GROUP_TABLE(map_neighbour);
SHARED_GROUP_TABLE(map_power);
GROUP_TABLE(math_division);
#ifndef STRIA_WITHOUT_MATH
GROUP_TABLE(math_exponential);
GROUP_TABLE(math_trigonometric);
GROUP_TABLE(math_special);
GROUP_TABLE(math_activation);
GROUP_TABLE(math_statistics);
GROUP_TABLE(math_complex);
#endif

#define ROW_IN(group, op, first) [op] = TABLE(stria__##group##_)[(int)(op) - (int)(first)],
#define SHARED_ROW_IN(group, op, first)                                                            \
    [op] = SHARED_TABLE(stria__##group##_)[(int)(op) - (int)(first)],
#define ARITHMETIC(op, ...)     ROW_IN(map_arithmetic, op, STRIA_ADD)
#define COMPARISON(op, ...)     ROW_IN(map_comparison, op, STRIA_LESS)
#define INTEGER(op, ...)        SHARED_ROW_IN(map_integer, op, STRIA_BITWISE_AND)
#define DIVISION(op, ...)       ROW_IN(math_division, op, STRIA_FLOOR_DIVIDE)
#define WHOLE_DIVISION(op, ...) SHARED_ROW_IN(map_division, op, STRIA_FLOOR_DIVIDE)
#define ROUNDING(op, ...)       SHARED_ROW_IN(map_rounding, op, STRIA_FLOOR)
#define CHOICE(op, ...)         ROW_IN(map_choice, op, STRIA_MAXIMUM)
#define SCALING(op, ...)        SHARED_ROW_IN(map_scaling, op, STRIA_LDEXP)
#define NEIGHBOUR(op, ...)      SHARED_ROW_IN(map_neighbour, op, STRIA_NEXTAFTER)
#define POWER(op, ...)          SHARED_ROW_IN(map_power, op, STRIA_POW)
#ifndef STRIA_WITHOUT_MATH
#define EXPONENTIAL(op, ...)   ROW_IN(math_exponential, op, STRIA_EXP)
#define TRIGONOMETRIC(op, ...) ROW_IN(math_trigonometric, op, STRIA_SIN)
#define SPECIAL(op, ...)       ROW_IN(math_special, op, STRIA_ERF)
#define ACTIVATION(op, ...)    ROW_IN(math_activation, op, STRIA_SILU)
#define STATISTICS(op, ...)    ROW_IN(math_statistics, op, STRIA_SINC)
#define COMPLEX(op, ...)       [op] = TABLE(stria__math_complex_)[COMPLEX_ROW_##op],
#else /* their rows are NULL */
#define EXPONENTIAL(op, ...)
#define TRIGONOMETRIC(op, ...)
#define SPECIAL(op, ...)
#define ACTIVATION(op, ...)
#define STATISTICS(op, ...)
#define COMPLEX(op, ...) [op] = NULL,
#endif

#ifdef HAVE_PUT
#include "choose_or_keep.inc"
#endif

extern const mixed_row SHARED_TABLE(stria__map_mixed_)[];
extern const struct op_kernels TABLE(stria__ops_);
const struct op_kernels TABLE(stria__ops_) = {
    .row = {STRIA_ARITHMETIC_LIST(ARITHMETIC) STRIA_COMPARISON_LIST(COMPARISON)
                STRIA_INTEGER_LIST(INTEGER) STRIA_DIVISION_LIST(DIVISION)
                    STRIA_ROUNDING_LIST(ROUNDING) STRIA_CHOICE_LIST(CHOICE)
                        STRIA_SCALING_LIST(SCALING) STRIA_NEIGHBOUR_LIST(NEIGHBOUR)
                            STRIA_EXPONENTIAL_LIST(EXPONENTIAL)
                                STRIA_TRIGONOMETRIC_LIST(TRIGONOMETRIC) STRIA_SPECIAL_LIST(SPECIAL)
                                    STRIA_ACTIVATION_LIST(ACTIVATION)
                                        STRIA_STATISTICS_LIST(STATISTICS)},
    .whole = {STRIA_WHOLE_DIVISION_LIST(WHOLE_DIVISION) STRIA_POWER_LIST(POWER)},
    .of_complex = {STRIA_COMPLEX_LIST(COMPLEX)},
    .mixed = SHARED_TABLE(stria__map_mixed_),
#ifdef HAVE_PUT
    .choose_or_keep = {choose_or_keep_1, choose_or_keep_2, choose_or_keep_4, choose_or_keep_8},
#endif
};
