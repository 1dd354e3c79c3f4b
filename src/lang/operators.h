/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Python's operators: how tightly each binds, and the op of the registry that it stands for when
 * an operand is an array. An operator whose op has no row there is refused by name.
 */
#ifndef STRIA_LANG_OPERATORS_H
#define STRIA_LANG_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>

/* Levels go from loose to tight, as in Python's grammar. */
enum level {
    LEVEL_OR = 1,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARISON,
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_SIGN,
    LEVEL_POWER /* from right to left; its right operand may have a sign */
};

enum operation_code {
    OPERATION_OR,
    OPERATION_AND,
    OPERATION_NOT,
    OPERATION_LESS,
    OPERATION_LESS_EQUAL,
    OPERATION_GREATER,
    OPERATION_GREATER_EQUAL,
    OPERATION_EQUAL,
    OPERATION_NOT_EQUAL,
    OPERATION_BIT_OR,
    OPERATION_BIT_XOR,
    OPERATION_BIT_AND,
    OPERATION_LEFT,
    OPERATION_RIGHT,
    OPERATION_ADD,
    OPERATION_SUBTRACT,
    OPERATION_MULTIPLY,
    OPERATION_DIVIDE,
    OPERATION_FLOOR_DIVIDE,
    OPERATION_REMAINDER,
    OPERATION_MATMUL,
    OPERATION_POWER,
    OPERATION_POSITIVE,
    OPERATION_NEGATIVE,
    OPERATION_INVERT
};

struct operation {
    const char *text;
    enum operation_code code;
    enum level level;
    const char *op;     /* of the registry, for arrays; NULL: there is none */
    bool swapped;       /* the op takes the operands in the other order */
    const char *advice; /* when arrays are refused: what to write instead */
};

/* The operator of that text before one operand, or between two; NULL when it is none. */
const struct operation *stria__operation_before(const char *text, size_t length);
const struct operation *stria__operation_between(const char *text, size_t length);
/* Words of Python that are no names: and, or, not, if, ... */
bool stria__operation_is_word(const char *name);

#endif
