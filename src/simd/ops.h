/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The meanings of the columns of the table of operations (stria/op.h). The expression of an op is a
 * case in the file of its group, map_arithmetic.inc and so on. docs/add-an-op.md explains how to
 * add an op.
 */
#pragma once

#include "stria/op.h"

/* The set of dtypes that an op has kernels for; OP_FLOATS are f16, bf16, f32 and f64. */
enum {
    OP_BOOL = 1,
    OP_INTEGERS = 2,
    OP_FLOATS = 4,
    OP_COMPLEX = 8,
    OP_NUMBERS = OP_INTEGERS | OP_FLOATS | OP_COMPLEX,
    /* properties that make some kernels unnecessary: */
    OP_SIGNLESS = 16, /* signed and unsigned integers give the same bits */
    OP_MOVES = 32,    /* items are only moved, so their dtype does not matter */
    OP_COMMUTES = 64  /* f(a, b) is f(b, a) */
};

/*
 * How the dtype of the result follows from the common dtype of the inputs, which is the kernel's.
 */
enum op_result {
    OP_SAME,     /* the common dtype */
    OP_NUMBER,   /* the common dtype, but i8 for bool */
    OP_TRUTH,    /* bool; inputs are compared by value and keep their dtypes */
    OP_TEST,     /* bool */
    OP_LOGIC,    /* bool; inputs of different dtypes are converted to bool first */
    OP_COUNT,    /* u8 */
    OP_REAL,     /* the dtype of the real part */
    OP_ANGLE,    /* like OP_REAL, but integers and bool become floats first */
    OP_FLOATING, /* the common dtype, but integers and bool become floats first */
    OP_QUOTIENT, /* like OP_FLOATING, but with NumPy's rules integers and bool become f64 */
    OP_SCALED,   /* the common dtype; an integer second input (exponent, decimals) does not take
                    part in it */
    OP_WIDE,     /* f64 or c128 */
    OP_CHOICE    /* the common dtype; the first input is bool and does not take part in it */
};

/*
 * The last column, `cycles`, is the cost of one f32 element on one core with operands in the
 * first-level cache; it decides how many threads an operation is worth.
 */

/* The integer kernels of these ops; the float kernels are math functions. */
#define STRIA_WHOLE_DIVISION_LIST(NAME)                                                            \
    NAME(STRIA_FLOOR_DIVIDE, floor_divide, 2, OP_INTEGERS, OP_NUMBER, 4)                           \
    NAME(STRIA_REMAINDER, remainder, 2, OP_INTEGERS, OP_NUMBER, 4)                                 \
    NAME(STRIA_FMOD, fmod, 2, OP_INTEGERS, OP_NUMBER, 4)

/* Math ops that also have integer kernels. */
#define STRIA_POWER_LIST(NAME) NAME(STRIA_POW, pow, 2, OP_INTEGERS, OP_NUMBER, 10.0)

/* The number of ops before the math functions. */
enum {
#define COUNT_OP(...) +1
    MAP_OPS = 0 STRIA_MAP_LIST(COUNT_OP)
#undef COUNT_OP
};
